#!/usr/bin/env node
// A lead and three teammates on scout, offline: three plans arrive, and nothing goes on before the lead says yes.
//   node examples/team/run.mjs          you are the lead (in a terminal)
//   node examples/team/run.mjs --play   the answers are played for you
import { execFile, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "dist/bin/groundplan.js");
const folder = mkdtempSync(join(tmpdir(), "groundplan-team-example-"));
const project = join(folder, "corner-shop");
const environment = { ...process.env, GROUNDPLAN_HOME: join(folder, "home") };
const isPlayed = process.argv.includes("--play") || !process.stdin.isTTY;

const tasks = {
  ann: "Give a discount of 10 % on carts above 50 EUR in the total",
  bob: "Put the order lines into the confirmation mail",
  cyd: "Let the daily report tell the best selling product",
};

if (!existsSync(program)) execFileSync(process.execPath, [join(root, "scripts/bundle.mjs")], { stdio: "inherit" });
cpSync(fileURLToPath(new URL("project", import.meta.url)), project, { recursive: true });
for (const args of [
  ["init", "-q"],
  ["add", "-A"],
  ["-c", "user.name=demo", "-c", "user.email=demo@example.invalid", "commit", "-qm", "shop"],
])
  execFileSync("git", args, { cwd: project, stdio: "ignore" });

const teammates = Object.entries(tasks).map(([name, task]) => start(name, task));
const keyboard = isPlayed ? null : createInterface({ input: process.stdin, output: process.stdout });
const answered = new Map();
/** Left for later, and until when. */
const later = new Map();
try {
  while (teammates.some(({ ended }) => ended() === null)) {
    for (const plan of JSON.parse(await groundplan("team", "inbox", "--json"))) await answer(plan).catch(complain);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
} finally {
  keyboard?.close();
  for (const { child } of teammates) child.kill();
}

say("How it ended");
for (const { name, ended } of teammates)
  console.log(`${name}: exit code ${ended()}, ${answered.get(name)?.join(", then ") ?? "never answered"}`);
const changed = execFileSync("git", ["status", "--porcelain"], { cwd: project, encoding: "utf8" });
console.log(changed === "" ? "No file of the project was changed: scout plans, and does not code." : changed);
rmSync(folder, { recursive: true, force: true });
process.exitCode = teammates.every(({ ended }) => ended() === 0) ? 0 : 1;

/** A teammate as a process of its own. */
function start(name, task) {
  const args = ["team", "start", name, task, "--plan-required", "--deadline", "900", "--model", "scout"];
  console.log(`$ groundplan ${args.map(quoted).join(" ")}`);
  const child = spawn(process.execPath, [program, ...args], {
    cwd: project,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.stderr.setEncoding("utf8").on("data", (text) =>
    text
      .trimEnd()
      .split("\n")
      .forEach((line) => console.log(`  ${name} | ${line}`)),
  );
  let code = null;
  child.on("exit", (status) => (code = status ?? 1));
  return { name, child, ended: () => code };
}

/** Shows the plan as `team show` does, and gives the lead's answer. */
async function answer(plan) {
  if (Date.now() < (later.get(plan.id) ?? 0)) return;
  say(`A plan of ${plan.agent} (revision ${plan.revision})`);
  console.log(await groundplan("team", "show", plan.id));
  const verdict = isPlayed ? played(plan) : await asked();
  if (verdict === null) return void later.set(plan.id, Date.now() + 15_000);
  const args = ["team", verdict.yes ? "approve" : "reject", plan.id];
  if (verdict.yes) args.push("--hash", plan.hash);
  if (verdict.words) args.push("--feedback", verdict.words);
  console.log(`$ groundplan ${args.map(quoted).join(" ")}`);
  console.log((await groundplan(...args)).trimEnd());
  answered.set(plan.from, [...(answered.get(plan.from) ?? []), verdict.yes ? "approved" : "sent back"]);
}

/** Bob's first plan is sent back, everything else is approved. */
function played({ from, revision }) {
  return from === "bob" && revision === 1 ? { yes: false, words: "add src/cart.js" } : { yes: true };
}

async function asked() {
  const said = (await keyboard.question("Approve? y, later, or say what should change: ")).trim();
  if (said === "" || said === "later") return null;
  return /^y(es)?$/i.test(said) ? { yes: true } : { yes: false, words: said };
}

async function groundplan(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd: project,
    env: environment,
  });
  return stdout;
}

/** The plan was answered elsewhere meanwhile, or its time is over: the others go on. */
function complain({ stderr, message }) {
  console.log((stderr || message).trimEnd());
}

function say(title) {
  console.log(`\n── ${title} ${"─".repeat(Math.max(0, 70 - title.length))}`);
}

function quoted(word) {
  return /^[\w./:@-]+$/.test(word) ? word : JSON.stringify(word);
}
