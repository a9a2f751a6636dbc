/** From the start of the program to its first request, for a log of 20,000 events and an empty one; and its memory then. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sessionsFolder } from "../src/agent/host/config-home.ts";
import type { Event } from "../src/core/event.ts";
import { encodeEntry } from "../src/core/wire/log-format.ts";
import { reduce } from "../src/core/reduce.ts";
import { freshSession } from "../src/core/session.ts";
import { startLoopback } from "../src/testing/loopback.ts";

const size = Number(process.argv[2] ?? 20_000);
const house = fileURLToPath(new URL("..", import.meta.url));
execFileSync(process.execPath, [join(house, "scripts/bundle.mjs")], { stdio: "pipe" });
const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-bench-")));
const repository = join(folder, "repo");
const home = join(folder, "home");
mkdirSync(repository);
const logs = sessionsFolder(home, repository);
mkdirSync(logs, { recursive: true });
let arrived: () => void = () => undefined;
const server = await startLoopback({
  script: () => {
    arrived();
    return { text: "Hello.", delayMs: 200 };
  },
});
try {
  const empty = await measured("00000000-0000-4000-8000-000000000000", 1);
  const long = await measured("11111111-1111-4111-8111-111111111111", size);
  const above = long.ms - empty.ms;
  console.log(`empty log      ${empty.ms.toFixed(0).padStart(5)} ms  ${empty.megabytes.toFixed(0).padStart(4)} MB`);
  console.log(`${size} events  ${long.ms.toFixed(0).padStart(5)} ms  ${long.megabytes.toFixed(0).padStart(4)} MB`);
  console.log(`${above.toFixed(0)} ms above an empty one (budget 1000), ${long.megabytes.toFixed(0)} MB (budget 200)`);
  process.exitCode = above < 1_000 && long.megabytes < 200 ? 0 : 1;
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The best of three. */
async function measured(id: string, events: number): Promise<{ ms: number; megabytes: number }> {
  const text = longLog(id, events);
  let best = { ms: Infinity, megabytes: Infinity };
  for (let round = 0; round < 3; round += 1) {
    writeFileSync(join(logs, `${id}.jsonl`), text, { mode: 0o600 });
    const found = await run(id);
    best = { ms: Math.min(best.ms, found.ms), megabytes: Math.min(best.megabytes, found.megabytes) };
  }
  return best;
}

async function run(id: string): Promise<{ ms: number; megabytes: number }> {
  const program = join(house, "dist/bin/groundplan.js");
  const env = { PATH: process.env["PATH"], HOME: folder, GROUNDPLAN_HOME: home, ...server.environment() };
  const request = new Promise<void>((resolve) => (arrived = resolve));
  const start = performance.now();
  const child = spawn(process.execPath, [program, "-p", "go on", "--resume", id], { cwd: repository, env });
  const ended = new Promise((resolve) => child.on("close", resolve));
  await Promise.race([request, ended]);
  const ms = performance.now() - start;
  const megabytes = peakOf(child.pid);
  await ended;
  return { ms, megabytes };
}

/** The most that the process has had resident so far; only Linux tells. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** A person speaks, the model reads three files and answers; every two hundred turns the conversation is compacted. */
function longLog(id: string, events: number): string {
  let session = freshSession();
  const lines: string[] = [];
  const send = (event: Event): void => {
    session = reduce(session, event).session;
    lines.push(encodeEntry({ at: lines.length, event }));
  };
  send({
    type: "session-started",
    id,
    at: 0,
    actor: { kind: "main" },
    roots: { project: repository, home: folder },
    mode: "default",
    bypassAvailable: false,
    reviewable: true,
    rules: { allow: [], ask: [], deny: [] },
    runners: ["Bash"],
    settings: freshSession().settings,
    auto: { optedIn: false, gateOpen: false },
  });
  const output = { content: [{ type: "text", text: "export const value = 1;\n".repeat(40) }] };
  for (let turn = 1; lines.length < events; turn += 1) {
    send({ type: "user-said", text: `Look at part ${turn}` });
    const calls = [1, 2, 3].map((part) => {
      const path = `${repository}/src/file-${turn}-${part}.ts`;
      const access = { kind: "read" as const, paths: [path] };
      return { id: `c${turn}-${part}`, tool: "Read", input: { file_path: path }, access, subjects: [] };
    });
    const content = calls.map(({ id: call, tool, input }) => ({ type: "tool-call" as const, id: call, tool, input }));
    send({ type: "model-replied", request: session.turn.thinking ?? 0, content, calls });
    for (const { id: callId } of calls) send({ type: "tool-finished", callId, output, isError: false });
    const done = [{ type: "text" as const, text: "Done." }];
    send({ type: "model-replied", request: session.turn.thinking ?? 0, content: done, calls: [] });
    if (turn % 200 === 0) send({ type: "context-compacted", summary: "So far all parts were looked at.", plan: null });
  }
  return `${lines.join("\n")}\n`;
}
