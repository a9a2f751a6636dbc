// Makes docs/conformance.md: every rule of the specification with the tests that name it and the level at which they prove it, or "open". `--check` only compares.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "docs/conformance.md");
const pages = ["plan-mode", "beyond", "everywhere"];
/** Highest first. */
const levels = ["program", "session", "unit"];
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

/** Of two pages with the same rule the later one counts. */
async function readRules() {
  const rules = new Map();
  for (const name of pages) {
    const lines = (await readFile(join(root, `docs/spec/${name}.md`), "utf8")).split("\n");
    for (const [index, line] of lines.entries()) {
      const match = /^- ([RB]\d+\.\d+) (.*)$/.exec(line);
      if (match === null) continue;
      const more = lines[index + 1]?.startsWith("  ") ? ` ${lines[index + 1].trim()}` : "";
      rules.set(match[1], { id: match[1], text: `${match[2]}${more}` });
    }
  }
  return [...rules.values()].toSorted((a, b) => key(a.id) - key(b.id));
}

/** A test counts only when what it tests can be reached from an entry point: the file that it stands beside, else what it imports. */
async function readTests() {
  const files = new Map();
  for (const folder of ["src", "test"]) {
    for (const name of await namesBelow(join(root, folder))) {
      if (/\.tsx?$/.test(name)) files.set(`${folder}/${name}`, await readFile(join(root, folder, name), "utf8"));
    }
  }
  const reachable = reachedFrom(files, [...files.keys()].filter(isEntry));
  const tests = new Map();
  for (const [file, text] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!/\.test\.tsx?$/.test(file)) continue;
    const used = reachedFrom(files, [file]);
    const level = levelOf(file, used, files);
    const beside = ["ts", "tsx"]
      .map((end) => file.replace(/test\.tsx?$/, end))
      .find((one) => file.startsWith("src/") && files.has(one));
    const tested = beside === undefined ? [...used].filter((one) => one !== file) : [beside];
    if (level !== "program" && !tested.some((one) => reachable.has(one))) continue;
    for (const title of titlesIn(text)) {
      for (const id of new Set(title.match(/\b[RB]\d+\.\d+\b/g) ?? [])) {
        tests.set(id, [...(tests.get(id) ?? []), { file, title, level }]);
      }
    }
  }
  return tests;
}

function isEntry(file) {
  return (
    /^src\/(?!testing)[\w-]+(?:\/index)?\.ts$/.test(file) ||
    file === "src/cli/main.ts" ||
    file === "src/faces/browser/page/main.tsx"
  );
}

/** Program: it runs the bundled program. Session: a whole session with its tools. Unit: less. */
function levelOf(file, used, files) {
  const helpers = [...used].filter((one) => one.startsWith("test/"));
  if (helpers.some((one) => /dist\/bin\/groundplan|"(\.\.\/)+dist\/bin/.test(files.get(one)))) return "program";
  const isWhole = [...importsOf(file, files.get(file)), ...helpers].some((one) =>
    /^src\/(agent\/loop\/(agent|session)|testing\/(harness|index))\.ts$/.test(one),
  );
  return isWhole || file.startsWith("test/") ? "session" : "unit";
}

function reachedFrom(files, starts) {
  const reached = new Set();
  const pending = [...starts];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file) || !files.has(file)) continue;
    reached.add(file);
    pending.push(...importsOf(file, files.get(file)));
  }
  return reached;
}

function importsOf(file, text) {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) =>
    relative(root, resolve(root, dirname(file), match[1])).replaceAll("\\", "/"),
  );
}

async function namesBelow(folder, prefix = "") {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = await Promise.all(
    entries.map((entry) =>
      entry.isDirectory()
        ? namesBelow(join(folder, entry.name), `${prefix}${entry.name}/`)
        : [`${prefix}${entry.name}`],
    ),
  );
  return names.flat();
}

function titlesIn(text) {
  const found = text.matchAll(
    /\b(?:test|it|describe)(?:\.\w+)*(?:<[^()]*>)?\(\s*(?:\[[\s\S]*?\n\s*\]\s*(?:as const\s*)?\)\(\s*|\w+\)\(\s*)?(["'`])((?:\\.|(?!\1)[\s\S])*?)\1/g,
  );
  return [...found].map((match) => match[2]);
}

function render(rules, tests) {
  const done = rules.filter(({ id }) => tests.has(id));
  const rows = rules.map(
    ({ id, text }) => `| ${id} | ${brief(text)} | ${levelsOf(tests.get(id))} | ${cell(tests.get(id))} |`,
  );
  const highest = levels.map(
    (level) => `${level} ${done.filter(({ id }) => levelsOf(tests.get(id)).startsWith(level)).length}`,
  );
  const below = done.filter(({ id }) => !levelsOf(tests.get(id)).startsWith("program")).map(({ id }) => id);
  return [
    "# Conformance",
    "",
    "Made from `docs/spec/` and the tests by `npm run conformance`; do not edit by hand.",
    `${done.length} of ${rules.length} rules have a test that names them; the others are open.`,
    "",
    "Levels: *program* runs the real program, *session* a whole session or the real edges in one process, *unit* a part of it. A test counts only when",
    `what it tests can be reached from an entry point. Highest level of each rule: ${highest.join(", ")}.`,
    "",
    below.length === 0
      ? "Every rule that has a test has one that runs the program."
      : `Not yet proved by running the program: ${below.join(", ")}.`,
    "",
    "| rule | says | proved at | tests |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function levelsOf(found = []) {
  return levels.filter((level) => found.some((one) => one.level === level)).join(", ");
}

/** Those of the highest level first. */
function cell(found) {
  if (found === undefined) return "open";
  const sorted = found.toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));
  const files = [...new Set(sorted.map(({ file }) => file))];
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
