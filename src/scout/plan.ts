/** Writes the plan: everything in it was found in the repository or said by the person. */
import { definitionsIn, oneLine, titleFor, type Draft } from "./draft.ts";
import { caseIn, testsOf } from "./findings.ts";
import { kindOf } from "./kinds.ts";
import { areaOf, coded, isTest } from "./names.ts";
import type { RankedFile } from "./rank.ts";
import { questionsIn, risksIn } from "./doubts.ts";
import { stepsFor } from "./steps.ts";
import { tellingWords, type Fit } from "./telling.ts";

const mostReused = 5;
const mostCommands = 4;

export function writePlan(draft: Draft): string {
  const { selection, ranking, wishes, headings } = draft;
  const sections: (readonly [heading: string, lines: readonly string[]])[] = [
    ["Files to change", selection.change.map((file) => fileLine(file, draft))],
    ["Reuse", selection.isSmall ? [] : reuseLines(draft)],
    ["Steps", stepsFor(draft)],
    ["Verify", ranking.commands.slice(0, selection.isSmall ? 2 : mostCommands).map((command) => `- ${coded(command)}`)],
    ["Risks", risksIn(draft)],
    ["Open questions", questionsIn(draft)],
    ["Feedback", wishes.record.map(({ said, done }) => `- “${oneLine(said, 200)}”: ${done}.`)],
    ...headings.map((heading) => [heading, ["Not known to scout: to be filled in."]] as const),
  ];
  const shown = sections.filter(([, lines]) => lines.length > 0);
  const verify = ranking.commands.length === 0 ? ["", "No commands to verify were found in this project."] : [];
  return [
    `# ${titleFor(draft.task)}`,
    "",
    "> Drafted by scout, Groundplan's offline planner. It is not a language model: it finds places, not solutions.",
    "",
    contextFor(draft),
    ...draft.decisions.map((decision) => `\n${decision}`),
    ...shown.flatMap(([heading, lines]) => ["", `## ${heading}`].concat(lines)),
    ...verify,
    "",
  ].join("\n");
}

function contextFor(draft: Draft): string {
  const { task, selection, ranking } = draft;
  const [first] = selection.change;
  const more =
    task.trim().split("\n").length > 1 || titleFor(task).endsWith("…") ? `Asked: ${oneLine(task, 400)}\n\n` : "";
  if (first === undefined) {
    const why = ranking.files.length === 0 ? "There are no files here yet" : "No file of this project fits the task";
    return `${more}${why}: the plan starts from nothing.`;
  }
  const quoted = quotedAt(draft);
  if (quoted !== null) return `${more}${quoted}`;
  const count = selection.change.length;
  const areas = new Set(selection.change.map(({ path }) => areaOf(path)));
  const where =
    count > 1 && areas.size === 1 && areaOf(first.path) !== "" ? ` in ${coded(`${areaOf(first.path)}/`)}` : "";
  if (count === 1) return `${more}The task leads to ${coded(first.path)}.`;
  const sure = selection.isVague ? "Many files fit about alike; the best" : "The task leads to";
  return `${more}${sure} ${count} files${where}, ${coded(first.path)} first.`;
}

/** A message that the task quotes, found in the code. */
function quotedAt({ task, findings }: Draft): string | null {
  for (const [, one, two, three] of task.matchAll(/`([^`\n]{6,})`|"([^"\n]{6,})"|“([^”\n]{6,})”/g)) {
    const quote = one ?? two ?? three!;
    for (const [path, lines] of findings.texts) {
      const at = lines.find(({ text }) => text.includes(quote));
      if (at !== undefined) return `“${oneLine(quote, 80)}” stands in ${coded(`${path}:${at.line}`)}.`;
    }
  }
  return null;
}

function fileLine(file: RankedFile, draft: Draft): string {
  const { findings, selection } = draft;
  const own = definitionsIn(file.path, findings).slice(0, selection.isSmall ? 2 : 3);
  const names = own.map(({ name, line }) => `${coded(name)} (line ${line})`).join(", ");
  const unread = findings.unread.has(file.path) ? "could not be read" : "";
  const reasons = file.why
    .split("; ")
    .filter((why) => names === "" || !/^(?:names with|defines)/.test(why))
    .filter((why) => why !== "changed lately")
    .slice(0, names === "" ? 2 : 1);
  const told = [names === "" ? "" : `has ${names}`, ...reasons, unread].filter((text) => text !== "");
  return `- ${coded(file.path)}: ${told.length === 0 ? "fits the task" : told.join("; ")}`;
}

function reuseLines(draft: Draft): readonly string[] {
  const { findings, selection, fit, task } = draft;
  const chosen = new Set(selection.change.map(({ path }) => path));
  const outside = findings.definitions.filter(
    ({ path }) => !chosen.has(path) && !isTest(path) && kindOf(path) === "source",
  );
  const least = Math.max((findings.definitions[0]?.fit ?? 0) * 0.6, tellingWords(task).length > 2 ? 1.1 : 0.5);
  const seen = new Set<string>();
  const reused = outside.filter(({ path, fit: value }) => {
    if (value < least || seen.has(path)) return false;
    seen.add(path);
    return true;
  });
  const lines = reused.slice(0, mostReused).map(({ name, path, line }) => {
    const users = (findings.importers.get(path) ?? []).filter((user) => chosen.has(user.path));
    const used = users.length === 0 ? "" : `, already used by ${coded(users[0]!.path)}`;
    return `- ${coded(name)} in ${coded(`${path}:${line}`)}${used}`;
  });
  return [...lines, ...patternLines(draft, fit)];
}

/** One existing test as the manner to follow. */
function patternLines({ findings, selection, wishes }: Draft, fit: Fit): readonly string[] {
  if (wishes.tests === "none") return [];
  const tests = selection.change.flatMap(({ path }) => testsOf(path, findings, selection.tests));
  for (const test of new Set([...tests, ...selection.tests])) {
    const found = caseIn(findings.texts.get(test) ?? [], fit);
    if (found !== null) return [`- ${coded(`${test}:${found.line}`)} as the pattern for tests: “${found.title}”`];
  }
  return [];
}
