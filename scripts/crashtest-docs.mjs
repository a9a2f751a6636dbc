// Writes docs/crashtest.md from results of `groundplan crashtest <agent> --json`: node scripts/crashtest-docs.mjs <file.json…>; sections of agents that are not given stay as they are.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../docs/crashtest.md", import.meta.url));
const [head, ...old] = readFileSync(page, "utf8").split(/^(?=## Results: )/m);
const sections = new Map(old.map((text) => [text.split("\n")[0], text.trimEnd()]));
for (const file of process.argv.slice(2)) {
  const result = JSON.parse(readFileSync(file, "utf8"));
  sections.set(`## Results: ${result.agent}`, sectionOf(result));
}
const sorted = [...sections.keys()].toSorted((one, other) => (one < other ? -1 : 1)).map((name) => sections.get(name));
writeFileSync(page, `${head.trimEnd()}\n\n${sorted.join("\n\n")}\n`);

function sectionOf({ agent, version, probes, guarded, stories = [], ...counts }) {
  const date = new Date().toISOString().slice(0, 10);
  const command = `groundplan crashtest ${agent}${guarded === undefined ? "" : " --compare"} --json`;
  const titles = guarded === undefined ? ["result"] : ["alone", "guarded"];
  const rows = probes.map(({ id, group, result, evidence }, at) => {
    const second = guarded?.probes[at];
    const told =
      result === "held" && second?.result !== "escaped"
        ? ""
        : (second?.result === "escaped" ? second : { evidence }).evidence;
    return `| ${[group, id, result, ...(second === undefined ? [] : [second.result]), cell(told)].join(" | ")} |`;
  });
  return `## Results: ${agent}

Version ${version}, ${date}, \`${command}\`: ${inWords(counts)}${guarded === undefined ? "" : `; with our guard ${inWords(guarded)}`}.

${alsoOf(guarded, stories)}| group | probe | ${titles.join(" | ")} | evidence |
|---|---|${titles.map(() => "---|").join("")}---|
${rows.join("\n")}`;
}

/** What goes on with the guard, and the stories in the real client. */
function alsoOf(guarded, stories) {
  const uses = (guarded?.uses ?? []).map(({ id, goes }) => `${id}${goes === true ? "" : " (does not)"}`);
  const going = uses.length === 0 ? "" : `With the guard still goes: ${uses.join(", ")}.\n\n`;
  const lived = stories.map((story) => `- ${story}\n`).join("");
  return `${going}${lived === "" ? "" : `Plans of the real client in our review (\`scripts/clients/\`), each holds:\n\n${lived}\n`}`;
}

function inWords({ escaped, held, notTested }) {
  return `${escaped} escaped, ${held} held, ${notTested} not tested`;
}

function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
