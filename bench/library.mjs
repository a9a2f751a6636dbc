// How long do list and search take on a library of thousands of plans? node bench/library.mjs [plans] [rounds]
// Each plan has a session log of its own, cloned from a real one with other words; the best of several rounds, beside bare node in the same run.
import { spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "dist/bin/groundplan.js");
const count = Number(process.argv[2] ?? 5000);
const rounds = Number(process.argv[3] ?? 7);
const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-library-")));
const repository = join(folder, "repo");
const home = join(folder, "home");
const environment = { PATH: process.env["PATH"], HOME: folder, GROUNDPLAN_HOME: home };

spawnSync(process.execPath, [join(root, "scripts/bundle.mjs")], { cwd: root });
try {
  prepare();
  const rows = [
    ["bare node", () => node(["-e", "0"]), rounds],
    ["plans list, index rebuilt from all logs", () => run("plans", "list"), 1],
    ["plans list", () => run("plans", "list"), rounds],
    ["plans list --all --json", () => run("plans", "list", "--all", "--json"), rounds],
    ["plans search, first time", () => run("plans", "search", "kestrel"), 1],
    ["plans search, a rare word", () => run("plans", "search", "needleword"), rounds],
    ["plans search, a word of every plan", () => run("plans", "search", "ledger"), rounds],
    ["plans search, three words", () => run("plans", "search", "status", "harbor", "velvet"), rounds],
    ["plans search, a phrase", () => run("plans", "search", '"the quick needleword"'), rounds],
    ["plans show", () => run("plans", "show"), rounds],
    ["plans list, after one broken line", () => (breakLine(), run("plans", "list")), 3],
  ];
  const floor = { ms: 0 };
  for (const [name, action, times] of rows) {
    const taken = Array.from({ length: times }, () => timed(action)).toSorted((one, other) => one - other);
    const ms = taken[0];
    if (floor.ms === 0) floor.ms = ms;
    console.log(
      `${name.padEnd(44)} ${ms.toFixed(0).padStart(6)} ms  ${(ms / floor.ms).toFixed(1).padStart(6)} × bare node`,
    );
  }
  for (const name of readdirSync(join(home, "plans")).filter((one) => one.startsWith("index"))) {
    console.log(
      `${name.padEnd(44)} ${(statSync(join(home, "plans", name)).size / 1024 / 1024).toFixed(1).padStart(6)} MB`,
    );
  }
} finally {
  if (process.env["KEEP"] === undefined) rmSync(folder, { recursive: true, force: true });
  else console.log(folder);
}

/** One real session by scout, then its log and plan again and again with other ids and words. */
function prepare() {
  mkdirSync(join(repository, "src"), { recursive: true });
  writeFileSync(join(repository, "src/ledger.ts"), "export type PlanStatus = string;\n");
  writeFileSync(join(repository, "package.json"), '{"scripts":{"test":"vitest run"}}\n');
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
  ])
    spawnSync("git", args, { cwd: repository });
  run("-p", "--permission-mode", "plan", "--model", "scout", "add a status to the plan ledger");
  const key = readdirSync(join(home, "sessions"))[0];
  const logs = join(home, "sessions", key);
  const name = readdirSync(logs).find((one) => one.endsWith(".jsonl"));
  const id = name.slice(0, -".jsonl".length);
  const log = readFileSync(join(logs, name), "utf8");
  const slug = readdirSync(join(home, "plans"))
    .find((one) => one.endsWith(".md"))
    .slice(0, -".md".length);
  const text = readFileSync(join(home, "plans", `${slug}.md`), "utf8");
  for (const file of readdirSync(join(home, "plans"))) rmSync(join(home, "plans", file), { recursive: true });
  rmSync(join(logs, name));
  const other = join(home, "sessions", "other-0123456789ab");
  mkdirSync(other, { recursive: true });
  for (let plan = 0; plan < count; plan += 1) {
    const isOther = plan % 5 === 4;
    const [newId, newSlug] = [randomUUID(), `plan-making-${"abcdefghij"[plan % 10]}${plan}`];
    const newText = `${text.replace("Add a status", `${words(plan, 2)} status`)}\n## Why\n${words(plan, 600)}\n${plan === 4321 % count ? "the quick needleword\n" : ""}`;
    const oldHash = createHash("sha256").update(text).digest("hex");
    const newHash = createHash("sha256").update(newText).digest("hex");
    const lines = log
      .replaceAll(id, newId)
      .replaceAll(slug, newSlug)
      .replaceAll(oldHash, newHash)
      .replaceAll(JSON.stringify(text).slice(1, -1), JSON.stringify(newText).slice(1, -1))
      .replaceAll(isOther ? repository : "\u0000", join(folder, "other"));
    writeFileSync(join(isOther ? other : logs, `${newId}.jsonl`), lines, { mode: 0o600 });
    writeFileSync(join(home, "plans", `${newSlug}.md`), newText, { mode: 0o600 });
  }
  const size = statSync(join(logs, readdirSync(logs)[0])).size;
  console.log(`${count} plans, each with a log of ${Math.round(size / 1024)} KB; ${process.version}`);
}

function words(seed, length) {
  const pool =
    "harbor velvet orbit meadow lantern kestrel cobalt timber quartz willow ember summit cedar ridge copper".split(" ");
  let state = seed * 2654435761 + 1;
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return pool[state % pool.length] + (state % 97 === 0 ? seed : "");
  }).join(" ");
}

/** In the middle of the index: half of a line is gone. */
function breakLine() {
  const path = join(home, "plans", "index.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  const at = Math.floor(lines.length / 2);
  lines[at] = lines[at].slice(0, 200);
  writeFileSync(path, lines.join("\n"));
  appendFileSync(path, "");
}

function timed(action) {
  const started = performance.now();
  action();
  return performance.now() - started;
}

function run(...args) {
  const { status, stderr } = node([bin, ...args]);
  if (status !== 0 && status !== 3) throw new Error(`groundplan ${args.join(" ")}: ${status} ${stderr}`);
}

function node(args) {
  return spawnSync(process.execPath, args, { cwd: repository, env: environment, encoding: "utf8", maxBuffer: 1 << 28 });
}
