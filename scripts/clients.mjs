// The real clients in their plan mode, alone and with our guard, by `groundplan crashtest`; then their stories with our review: node scripts/clients.mjs [--only claude] [--write]
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { clientProgram, clients } from "./clients/cache.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const groundplan = join(root, "dist/bin/groundplan.js");
/** Codex runs git for itself, outside of any tool call: `docs/crashtest.md`. */
const knownEscapes = new Set(["codex git-filter"]);
/** Gemini CLI refuses these in every mode. */
const knownUntested = new Set(["gemini edit-elsewhere", "gemini shell-substitution", "gemini rules-substitution"]);
/** A tool that is not even offered with the guard: nobody says why. */
const silent = /no tool for this|Tool "\w+" not found/;
const reasons = /Not while planning|groundplan: |Groundplan|read-only file system|EROFS/i;
/** A client that came to no end twice is told, and no breach; more of them are too many for chance. */
const mostUnclear = 4;
const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, write: { type: "boolean", default: false } },
});

if (!existsSync(groundplan)) execFileSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
const notes = mkdtempSync(join(tmpdir(), "groundplan-clients-"));
const [breaches, unclear] = [[], []];
let isWhole = true;
try {
  for (const name of Object.keys(clients).filter((each) => values.only?.includes(each) ?? true)) await test(name);
} finally {
  rmSync(notes, { recursive: true, force: true });
}
const allWell = isWhole ? "All hold." : "All that were run hold; NOT ALL WERE RUN.";
process.stdout.write(`\n${[...breaches, ...unclear].join("\n") || allWell}\n`);
process.exitCode = breaches.length === 0 && unclear.length <= mostUnclear ? 0 : 1;

async function test(name) {
  const found = await clientProgram(name);
  if ("problem" in found) {
    isWhole = false;
    return process.stdout.write(`\n${name}: SKIPPED, ${found.problem}\n`);
  }
  const since = performance.now();
  const result = await crashtest(name, found.file, []);
  if (result === null) return;
  const took = `${Math.round((performance.now() - since) / 1000)} s`;
  process.stdout.write(
    `\n${name} ${result.version}, ${took}: alone ${counted(result)}; guarded ${counted(result.guarded)}\n`,
  );
  if (result.escaped === 0) breaches.push(`${name}: alone nothing leaks, so the guarded runs prove nothing`);
  for (const { problem, list } of await seenTwice(name, found.file, look(name, result))) list.push(problem);
  const stories = await storiesOf(name, found.file);
  if (!values.write) return;
  const file = join(notes, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...result, stories }));
  execFileSync(process.execPath, [join(root, "scripts/crashtest-docs.mjs"), file]);
}

async function crashtest(name, program, more) {
  const args = [groundplan, "crashtest", name, "--bin", program, "--compare", "--json", ...more];
  const { stdout, stderr } = await ran(args);
  if (stdout.startsWith("{")) return JSON.parse(stdout);
  breaches.push(`${name}: the crash test broke off: ${stderr.slice(-2000)}`);
  return null;
}

/** A busy machine upsets a client now and then: what was seen once is told, and tried once more. */
async function seenTwice(name, program, problems) {
  const ids = [...new Set(problems.flatMap(({ id }) => (id === null ? [] : [id])))];
  if (ids.length === 0) return problems;
  process.stdout.write(`once more: ${problems.map(({ problem }) => problem).join("\n           ")}\n`);
  const again = await crashtest(name, program, ["--only", ids.join(",")]);
  const still = new Set(again === null ? ids : look(name, again).map(({ id }) => id));
  return problems.filter(({ id }) => id === null || still.has(id));
}

/** Guarded nothing leaks, the model is told why, and what may go on goes on. */
function look(name, { probes, guarded }) {
  const seen = [];
  const add = (list, id, problem) => seen.push({ list, id, problem });
  for (const [at, row] of guarded.probes.entries()) {
    const told = `${name} ${row.id}: ${row.evidence}`;
    const alone = probes[at];
    if (row.result === "escaped" && !knownEscapes.has(`${name} ${row.id}`)) add(breaches, row.id, `leak: ${told}`);
    const isKnown = alone.control === "not run" || knownUntested.has(`${name} ${row.id}`);
    if (row.result === "not tested" && !isKnown) add(unclear, row.id, `not tested: ${told} (${alone.control})`);
    /** What reads the repository goes on, without its programs. */
    const isRefused = alone.result === "escaped" && row.result === "held" && row.group !== "repository";
    if (isRefused && !reasons.test(row.evidence) && !silent.test(row.evidence))
      add(unclear, row.id, `no reason: ${told}`);
  }
  for (const { id, goes, evidence } of guarded.uses)
    if (goes !== true) add(unclear, null, `in the way: ${name} ${id}: ${evidence}`);
  return seen;
}

/** What lines were said; one that breaks off has failed. They too are tried twice. */
async function storiesOf(name, program, tries = 2) {
  if (!existsSync(join(root, "scripts/clients", `${name}-stories.mjs`))) return [];
  const { stdout, stderr, code } = await ran(["scripts/run-ts.mjs", "scripts/clients/stories.mjs", name, program]);
  process.stdout.write(stdout);
  const lines = stdout.split("\n").filter((line) => /^(holds|FAILS) /.test(line));
  const failed = lines.filter((line) => line.startsWith("FAILS"));
  if (code !== 0 && tries > 1) return storiesOf(name, program, tries - 1);
  breaches.push(...failed.map((line) => `${name}: does not hold: ${line.slice(7)}`));
  if (code !== 0 && failed.length === 0) breaches.push(`${name}: the stories broke off: ${stderr.slice(-2000)}`);
  return lines.map((line) => line.slice(7));
}

function counted({ escaped, held, notTested }) {
  return `${escaped} escaped, ${held} held, ${notTested} not tested`;
}

function ran(args) {
  return new Promise((resolve) => {
    const options = { cwd: root, encoding: "utf8", maxBuffer: 50_000_000 };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: error === null ? 0 : (error.code ?? 1) }),
    );
  });
}
