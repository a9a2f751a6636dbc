// What a hook costs another agent, as a ratio to bare `node -e 0` in the same run (B11.8): node bench/hook.mjs [rounds]
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = Number(process.argv[2] ?? 15);
const barRatio = 2.5;
const barMegabytes = 60;
const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-bench-hook-")));
const project = join(folder, "project");
const home = join(folder, "home");
const homeWithSettings = join(folder, "home-with-settings");

try {
  if (process.env.GROUNDPLAN_BENCH_BUILT !== "1") execFileSync(process.execPath, [join(root, "scripts/bundle.mjs")]);
  prepare();
  const rows = {
    "bare node -e 0": { args: ["-e", "0"], payload: "", says: /^$/ },
    "outside of plan mode": hook("default", "Write", { file_path: join(project, "a.ts"), content: "x" }, /^$/),
    "Read in plan mode": hook("plan", "Read", { file_path: join(project, "a.ts") }, /"allow"/),
    "a proved shell read": hook("plan", "Bash", { command: "ls -la src" }, /"allow"/),
    "the same with settings": {
      ...hook("plan", "Bash", { command: "ls -la src" }, /"allow"/),
      home: homeWithSettings,
    },
    "a git read": hook("plan", "Bash", { command: "git log --oneline -5" }, /run-caged/),
    "a refused write": hook("plan", "Write", { file_path: join(project, "a.ts"), content: "x" }, /"deny"/),
    "a refused command": hook("plan", "Bash", { command: "rm -rf src" }, /"deny"/),
    "a command put into the cage": hook("plan", "Bash", { command: "python3 count.py | sort -n" }, /run-caged/),
  };
  const taken = new Map(Object.keys(rows).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, row] of Object.entries(rows)) {
      const result = await measure(row);
      if (round > 0) taken.get(name).push(result);
    }
  }
  const bare = taken.get("bare node -e 0");
  let isWithin = true;
  console.log(`${"".padEnd(30)} wall      ratio   CPU       ratio   peak`);
  for (const [name, results] of taken) {
    const of = (key) => median(results.map((result) => result[key]));
    const wall = of("wall") / median(bare.map((result) => result.wall));
    const cpu = of("cpu") / median(bare.map((result) => result.cpu));
    const peak = Math.max(...results.map((result) => result.megabytes));
    /** B11.8 speaks of when the answer is there, for calls outside of plan mode and proved reads; the rest is told beside that. */
    const isMeant = !rows[name].says.test("run-caged");
    isWithin &&= (!isMeant || wall <= barRatio) && peak <= barMegabytes;
    const figures = [
      `${of("wall").toFixed(1)} ms`,
      `${wall.toFixed(2)} x`,
      `${of("cpu").toFixed(1)} ms`,
      `${cpu.toFixed(2)} x`,
    ];
    console.log(`${name.padEnd(30)} ${figures.map((text) => text.padEnd(9)).join("")} ${peak.toFixed(1)} MB`);
  }
  console.log(
    `${isWithin ? "within" : "NOT within"} ${barRatio} x and ${barMegabytes} MB (median of ${rounds} rounds)`,
  );
  if (!isWithin) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function prepare() {
  mkdirSync(join(project, "src"), { recursive: true });
  for (const each of [home, homeWithSettings]) {
    mkdirSync(join(each, ".groundplan/bin"), { recursive: true });
    writeFileSync(join(each, ".groundplan/bin/guard"), "#!/bin/sh\nexit 2\n");
    chmodSync(join(each, ".groundplan/bin/guard"), 0o755);
  }
  const settings = { theme: "dark", permissions: { deny: ["Read(.env)"], allow: ["Bash(npm test)"] } };
  writeFileSync(join(homeWithSettings, ".groundplan/settings.json"), JSON.stringify(settings));
  writeFileSync(join(project, "a.ts"), "export const a = 1;\n");
  spawnSync("git", ["init", "-q"], { cwd: project });
}

function hook(mode, tool, input, says) {
  const payload = {
    session_id: "bench",
    transcript_path: join(folder, "transcript.jsonl"),
    cwd: project,
    permission_mode: mode,
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_bench",
  };
  const args = [join(root, "dist/bin/hook.js"), "hook", "claude", "PreToolUse"];
  return { args, payload: JSON.stringify(payload), says };
}

/** Wall time by our clock; processor time and peak as the system counted them for that process alone. */
async function measure({ args, payload, says, home: own = home }) {
  const file = join(folder, "used.txt");
  const environment = { PATH: process.env.PATH, HOME: own };
  const wall = await timed(process.execPath, args, { payload, environment, says });
  const counted = `exec 3>&2; TIMEFORMAT="%3U %3S"; { time /usr/bin/time -q -f %M -o "$0.peak" "$@" 2>&3; } 2>"$0"`;
  const shell = ["--noprofile", "--norc", "-c", counted, file, process.execPath, ...args];
  await timed("bash", shell, { payload, environment, says });
  const [user, system] = readFileSync(file, "utf8").trim().split("\n").at(-1).split(" ").map(Number);
  const kilobytes = Number(readFileSync(`${file}.peak`, "utf8").trim());
  return { wall, cpu: (user + system) * 1000, megabytes: kilobytes / 1024 };
}

function timed(program, args, { payload, environment, says }) {
  const start = performance.now();
  const child = spawn(program, args, { cwd: project, env: environment, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  let complaint = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (said += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (complaint += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(payload);
  return new Promise((settle, reject) => {
    child.on("error", reject);
    child.on("close", () => {
      const took = performance.now() - start;
      if (says.test(said)) settle(took);
      else reject(new Error(`${args.join(" ")} said ${said}${complaint}`));
    });
  });
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
