// Makes docs/conformance.md: every rule of the specification with the tests that name it, or "open". `--check` only compares.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "docs/conformance.md");
const page = render(await readRules(), await readTests());

if (process.argv.includes("--check")) {
  const present = await readFile(target, "utf8").catch(() => "");
  if (present !== page) {
    console.error("docs/conformance.md is not up to date: run `npm run conformance`.");
    process.exitCode = 1;
  }
} else {
  await writeFile(target, page);
  console.log(page.split("\n").find((line) => line.includes(" of ")));
}

async function readRules() {
  const rules = [];
  for (const name of ["plan-mode", "beyond"]) {
    const lines = (await readFile(join(root, `docs/spec/${name}.md`), "utf8")).split("\n");
    for (const [index, line] of lines.entries()) {
      const match = /^- ([RB]\d+\.\d+) (.*)$/.exec(line);
      if (match === null) continue;
      const more = lines[index + 1]?.startsWith("  ") ? ` ${lines[index + 1].trim()}` : "";
      rules.push({ id: match[1], text: `${match[2]}${more}` });
    }
  }
  return rules.toSorted((a, b) => key(a.id) - key(b.id));
}

async function readTests() {
  const tests = new Map();
  for (const folder of ["src", "test"]) {
    const names = (await readdir(join(root, folder), { recursive: true })).filter((name) => /\.test\.tsx?$/.test(name));
    for (const name of names.toSorted()) {
      const file = `${folder}/${name.replaceAll("\\", "/")}`;
      const text = await readFile(join(root, file), "utf8");
      for (const title of titlesIn(text)) {
        for (const id of new Set(title.match(/\b[RB]\d+\.\d+\b/g) ?? [])) {
          tests.set(id, [...(tests.get(id) ?? []), { file, title }]);
        }
      }
    }
  }
  return tests;
}

function titlesIn(text) {
  const found = text.matchAll(
    /\b(?:test|it|describe)(?:\.\w+)*(?:<[^()]*>)?\(\s*(?:\[[\s\S]*?\n\s*\]\s*(?:as const\s*)?\)\(\s*|\w+\)\(\s*)?(["'`])((?:\\.|(?!\1)[\s\S])*?)\1/g,
  );
  return [...found].map((match) => match[2]);
}

function render(rules, tests) {
  const done = rules.filter(({ id }) => tests.has(id));
  const rows = rules.map(({ id, text }) => `| ${id} | ${brief(text)} | ${cell(tests.get(id))} |`);
  return [
    "# Conformance",
    "",
    "Made from `docs/spec/` and the tests by `npm run conformance`; do not edit by hand.",
    `${done.length} of ${rules.length} rules have a test that names them; the others are open.`,
    "",
    "| rule | says | tests |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function cell(found) {
  if (found === undefined) return "open";
  const files = [...new Set(found.map(({ file }) => file))];
  const shown = files.slice(0, 3).map((file) => `[${file.split("/").at(-1)}](../${file})`);
  return `${shown.join(", ")}${files.length > 3 ? ` and ${files.length - 3} more` : ""} (${found.length})`;
}

function brief(text) {
  const plain = text.replaceAll("|", "\\|").replace(/\s+/g, " ");
  return plain.length <= 90 ? plain : `${plain.slice(0, 88).trimEnd()}…`;
}

function key(id) {
  const [, letter, section, number] = /^([RB])(\d+)\.(\d+)$/.exec(id);
  return (letter === "R" ? 0 : 1e6) + Number(section) * 1000 + Number(number);
}
