// Runs the real clients in their plan mode against a scripted model, alone and with the guard: node scripts/clients.mjs [--only claude] [--probe text] [--minutes 10] [--bare] [--write] [--verbose]
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { clientProgram } from "./clients/cache.mjs";
import { rowOf } from "./clients/matrix.mjs";
import { loadLoopback } from "./clients/model.mjs";
import { probesFor } from "./clients/probes.mjs";
import { breachesOf, failuresOf, markdownOf, textOf } from "./clients/report.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** `install` says by this that its entries do not count yet. */
const untrusted = 3;
/** A client that does not come to its call in time twice is told, and no breach; more of them are too many for chance. */
const mostUnclear = 4;
const names = ["claude", "codex", "opencode", "gemini"];
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    probe: { type: "string" },
    minutes: { type: "string", default: "600" },
    bare: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

const startLoopback = await loadLoopback();
const guard = values.bare ? null : installGuard();
const tables = [];
const wanted = names.filter((each) => values.only === undefined || values.only.includes(each));
const end = performance.now() + Number(values.minutes) * 60_000;
for (const [at, name] of wanted.entries()) {
  const share = (end - performance.now()) / (wanted.length - at);
  tables.push(await tableOf(name, performance.now() + share));
}
const page = join(root, "docs/clients.md");
if (values.write) writeFileSync(page, markdownOf(tables, existsSync(page) ? readFileSync(page, "utf8") : ""));
const failures = failuresOf(tables);
const isWhole = tables.every(({ skipped, leftOut = "" }) => skipped === null && leftOut === "");
const allWell = isWhole ? "All rows stand." : "All rows that were run stand; NOT ALL WERE RUN.";
process.stdout.write(`\n${failures.length === 0 ? allWell : failures.join("\n")}\n`);
process.exitCode = breachesOf(tables).length === 0 && failures.length <= mostUnclear ? 0 : 1;

/** What has not begun by `last` is told as left out. */
async function tableOf(name, last) {
  const file = join(root, "scripts/clients", `${name}.mjs`);
  if (!existsSync(file)) return told({ name, title: name, skipped: "there is no driver for it yet", rows: [] });
  const { driver } = await import(pathToFileURL(file));
  const found = await clientProgram(driver);
  if ("problem" in found) return told({ name, title: driver.title, skipped: found.problem, rows: [] });
  const probes = probesFor(driver).filter((probe) => probe.name.includes(values.probe ?? ""));
  const around = {
    driver,
    startLoopback,
    program: found.file,
    guard: guard?.(name, driver.trust !== undefined) ?? null,
  };
  const isEarly = () => performance.now() < last;
  const tried = await twoAtOnce(probes, (probe) => (isEarly() ? rowOf(probe, around) : null));
  const rows = tried.filter((row) => row !== null);
  const leftOut = isEarly() ? "" : `${tried.length - rows.length} of ${tried.length} rows, and the stories`;
  const stories = values.bare || values.probe !== undefined || leftOut !== "" ? [] : storiesOf(name);
  return told({ name, title: driver.title, packages: driver.packages, skipped: null, rows, stories, leftOut });
}

/** Where a client has a script of stories: each of its lines is one, and whether it holds. One that breaks off is begun once more. */
function storiesOf(name) {
  const script = join(root, "scripts/clients", `${name}-stories.mjs`);
  if (!existsSync(script)) return [];
  const first = toldBy(script);
  const { lines, isWhole } = first.isWhole ? first : toldBy(script);
  return [...lines.map(storyOf), ...(isWhole ? [] : [{ story: "the stories come to their end", holds: false }])];
}

function toldBy(script) {
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, [script], {
    encoding: "utf8",
    timeout: 900_000,
  });
  const lines = stdout.split("\n").filter((line) => /^(holds|FAILS) /.test(line));
  const isExplained = status === 0 || lines.some((line) => line.startsWith("FAILS"));
  const isWhole = signal === null && lines.length > 0 && isExplained;
  if (!isWhole) process.stderr.write(`${script} broke off: ${signal ?? status}\n${stderr.slice(-2000)}\n`);
  return { lines, isWhole };
}

function storyOf(line) {
  return { story: line.slice(6).trim(), holds: line.startsWith("holds") };
}

function told(table) {
  process.stdout.write(textOf(table, values.verbose));
  return table;
}

/** The entries are written by the very program that a person runs. */
function installGuard() {
  const program = join(root, "dist/bin/groundplan.js");
  if (!existsSync(program)) execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
  return (name, trusts) =>
    ({ home, project, environment }) => {
      const { status, stderr } = spawnSync(process.execPath, [program, "install", name, "--yes"], {
        cwd: project,
        env: { ...environment, HOME: home },
        encoding: "utf8",
        timeout: 120_000,
      });
      if (status !== 0 && !(trusts && status === untrusted)) throw new Error(`install: ${status}: ${stderr}`);
    };
}

async function twoAtOnce(items, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at]);
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}
