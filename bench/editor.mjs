// Is a prompt over ACP as quick as a headless run? From the start of the process to the model's first request, and to the answer, beside each other in one run; and the memory.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadLoopback } from "../scripts/load-loopback.mjs";

const bin = fileURLToPath(new URL("../dist/bin/groundplan.js", import.meta.url));
const rounds = Number(process.argv[2] ?? 12);
const folder = mkdtempSync(join(tmpdir(), "groundplan-bench-editor-"));
const repository = join(folder, "repo");
mkdirSync(repository);
writeFileSync(join(repository, "a.ts"), "export const a = 1;\n");
spawnSync("git", ["init", "-q"], { cwd: repository });
const peak = join(folder, "peak.cjs");
writeFileSync(
  peak,
  `process.on("exit", () => require("node:fs").writeFileSync(process.env.PEAK_FILE, [process.resourceUsage().maxRSS, process.resourceUsage().userCPUTime + process.resourceUsage().systemCPUTime].join(" ")));`,
);
let arrived = () => undefined;
const server = await (
  await loadLoopback()
)({
  script: () => {
    arrived(performance.now());
    return { text: "hi" };
  },
});
const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  GROUNDPLAN_HOME: join(folder, "home"),
  ANTHROPIC_API_KEY: "loopback-key",
  ANTHROPIC_BASE_URL: server.url,
  NODE_OPTIONS: `--require ${peak}`,
  PEAK_FILE: join(folder, "peak.txt"),
};

try {
  const taken = { headless: [], acp: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of [
      ["headless", headless],
      ["acp", acp],
    ]) {
      const result = await measure();
      if (round > 0) taken[name].push(result);
    }
  }
  for (const [name, results] of Object.entries(taken)) {
    const ms = (part) =>
      median(results.map((result) => result[part]))
        .toFixed(0)
        .padStart(5);
    const mb = Math.max(...results.map((result) => result.mb)).toFixed(0);
    console.log(
      `${name.padEnd(9)} first request after ${ms("first")} ms, answered after ${ms("answered")} ms, ${ms("cpu")} ms of processor time, ${mb} MB peak`,
    );
  }
  const difference = (part) => median(taken.acp.map((one, at) => one[part] - taken.headless[at][part]));
  const mb = Math.max(...taken.acp.map((result) => result.mb));
  console.log(
    `first prompt over ACP, process start included: ${difference("first").toFixed(0)} ms later than headless (bar 20; median of ${rounds} pairs), ${difference("cpu").toFixed(0)} ms more processor time; from prompt to request ${median(taken.acp.map(({ prompt }) => prompt)).toFixed(0)} ms; ${mb.toFixed(0)} MB (bar 90)`,
  );
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function headless() {
  const start = performance.now();
  const first = new Promise((resolve) => (arrived = resolve));
  const child = spawn(process.execPath, [bin, "-p", "say hi", "--permission-mode", "plan"], options());
  child.stdin.end();
  const ended = new Promise((resolve) => child.on("close", resolve));
  const answered = new Promise((resolve) => child.stdout.once("data", () => resolve(performance.now())));
  const times = { first: (await first) - start, answered: (await answered) - start };
  await ended;
  return { ...times, prompt: times.first, ...usedBy() };
}

/** An editor sends the next request when it has the answer to the last. */
async function acp() {
  const start = performance.now();
  const first = new Promise((resolve) => (arrived = resolve));
  const child = spawn(process.execPath, [bin, "acp", "--permission-mode", "plan"], options());
  const ended = new Promise((resolve) => child.on("close", resolve));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk));
  const ask = async (id, method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const line = text.split("\n").find((one) => one.includes(`"id":${id},"result"`) && one.endsWith("}"));
      if (line !== undefined) return JSON.parse(line).result;
      await new Promise((resolve) => child.stdout.once("data", resolve));
    }
  };
  await ask(1, "initialize", { protocolVersion: 1 });
  const { sessionId } = await ask(2, "session/new", { cwd: repository, mcpServers: [] });
  const answering = ask(3, "session/prompt", { sessionId, prompt: [{ type: "text", text: "say hi" }] });
  const asked = performance.now();
  const came = await first;
  const times = { first: came - start, prompt: came - asked };
  await answering;
  const answered = performance.now() - start;
  child.stdin.end();
  await ended;
  return { ...times, answered, ...usedBy() };
}

function options() {
  return { cwd: repository, env: environment, stdio: ["pipe", "pipe", "inherit"] };
}

function usedBy() {
  const [rss, cpu] = readFileSync(environment.PEAK_FILE, "utf8").split(" ").map(Number);
  return { mb: rss / 1024, cpu: cpu / 1000 };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
