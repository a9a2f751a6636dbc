// What does the terminal cost? Time from the start to the first frame, and until a key typed at its sight is shown, beside bare node in the same kind of pty; memory after it.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist/bin/groundplan.js");
const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), "groundplan-terminal-"));
const repository = join(folder, "repo");
mkdirSync(repository);
writeFileSync(join(repository, "a.ts"), "export const a = 1;\n");
const line = join(folder, "line.mjs");
writeFileSync(line, 'process.stdout.write("ready\\n"); setTimeout(() => {}, 60000);\n');

try {
  const taken = { bare: [], frame: [], usable: [], model: [], memory: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const bare = await measure([process.execPath, line], /ready/);
    const first = await measure([process.execPath, program], /❯/, { key: "q", shows: /❯.{1,24}q/ });
    const whole = await measure([process.execPath, program], /scout/, { settleMs: 1500 });
    if (round === 0) continue;
    taken.bare.push(bare.ms);
    taken.frame.push(first.ms);
    taken.usable.push(first.shownMs);
    taken.model.push(whole.ms);
    taken.memory.push(whole.megabytes);
  }
  const bare = median(taken.bare);
  const frame = median(taken.frame);
  const usable = median(taken.usable);
  console.log(`bare node, one line in a pty     ${bare.toFixed(0).padStart(5)} ms`);
  console.log(
    `groundplan, first frame          ${frame.toFixed(0).padStart(5)} ms  (+${(frame - bare).toFixed(0)} ms)`,
  );
  console.log(
    `groundplan, a key then is shown  ${usable.toFixed(0).padStart(5)} ms  (+${(usable - bare).toFixed(0)} ms, limit +80)`,
  );
  console.log(`groundplan, session attached     ${median(taken.model).toFixed(0).padStart(5)} ms`);
  console.log(
    `groundplan, memory after start   ${Math.max(...taken.memory)
      .toFixed(0)
      .padStart(5)} MB  (limit 90)`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts it in a pty of its own, waits for the text, and reads the memory once it has settled. */
async function measure(words, text, { settleMs = 0, key = null, shows = null } = {}) {
  const command = words.map((word) => `'${word}'`).join(" ");
  const note = join(folder, "pid");
  const started = performance.now();
  const child = spawn("script", ["-qfec", `stty cols 80 rows 24; echo $$ > '${note}'; exec ${command}`, "/dev/null"], {
    cwd: repository,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GROUNDPLAN_HOME: join(folder, "home"),
      TERM: "xterm-256color",
      SHELL: "/bin/sh",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let output = "";
  let look;
  child.stdout.setEncoding("utf8").on("data", (part) => {
    output += part;
    look?.();
  });
  const seen = (what, from) =>
    new Promise((resolve) => {
      look = () => {
        if (what.test(output.slice(from))) resolve(performance.now() - started);
      };
      look();
    });
  const ms = await seen(text, 0);
  let shownMs = ms;
  if (key !== null) {
    const from = output.length;
    child.stdin.write(key);
    shownMs = await seen(shows, from);
  }
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const pid = Number(readFileSync(note, "utf8"));
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
  process.kill(pid, "SIGKILL");
  await new Promise((resolve) => child.on("close", resolve));
  return { ms, shownMs, megabytes };
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
