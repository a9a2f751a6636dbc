// What does a headless run cost? One turn in plan mode and a plan session of 13 turns, beside the floors of bare node, in one run.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = Number(process.argv[2] ?? 12);
const folder = mkdtempSync(join(tmpdir(), "groundplan-bench-"));
const repository = join(folder, "repo");
mkdirSync(join(repository, "src"), { recursive: true });
for (let part = 1; part <= 10; part += 1) {
  writeFileSync(
    join(repository, `src/part-${part}.ts`),
    `export function part${part}(): number {\n  return ${part};\n}\n`.repeat(12),
  );
}
spawnSync("git", ["init", "-q"], { cwd: repository });

/** Writes the peak memory of the process beside its output. */
const peak = join(folder, "peak.cjs");
writeFileSync(
  peak,
  `process.on("exit", () => require("node:fs").writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`,
);

try {
  const hi = await serve([{ text: "hi" }]);
  const story = await serve(planStory());
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x".repeat(10_000) }] });
  const byFetch = `const r = await fetch(process.argv[1], { method: "POST", body: ${JSON.stringify(body)} }); await r.text();`;
  const byHttp = `import { request } from "node:http"; await new Promise((done) => { const r = request(process.argv[1], { method: "POST" }, (a) => a.resume().on("end", done)); r.end(${JSON.stringify(body)}); });`;
  const rows = {
    "bare node, POST by node:http": () => run(["--input-type=module", "-e", byHttp, `${hi.url}/v1/messages`], hi.url),
    "bare node, POST by fetch": () => run(["--input-type=module", "-e", byFetch, `${hi.url}/v1/messages`], hi.url),
    "groundplan, say hi in plan mode": () => run([bin(), "-p", "say hi", "--permission-mode", "plan"], hi.url),
    "groundplan, plan session of 13 turns": () => run([bin(), "-p", "plan it", "--permission-mode", "plan"], story.url),
  };
  const taken = Object.fromEntries(Object.keys(rows).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, measure] of Object.entries(rows)) {
      const result = measure();
      if (round > 0) taken[name].push(result);
    }
  }
  for (const [name, results] of Object.entries(taken)) {
    const ms = median(results.map((result) => result.ms));
    const mb = Math.max(...results.map((result) => result.mb));
    console.log(`${name.padEnd(38)} ${ms.toFixed(0).padStart(6)} ms  ${mb.toFixed(0).padStart(5)} MB peak`);
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  const fastest = (name) => Math.min(...taken[name].map(({ ms }) => ms));
  const turn = fastest("groundplan, say hi in plan mode");
  const ratio = (name) => (turn / fastest(name)).toFixed(2);
  const first = hi.requests().find(({ bytes }) => bytes > 10_500) ?? hi.requests().at(-1);
  const session = story.requests().slice(0, 13);
  console.log(
    `one turn is ${ratio("bare node, POST by node:http")} × a POST (bar 4), ${ratio("bare node, POST by fetch")} × a fetch (bar 1.6); fastest of ${rounds} runs`,
  );
  console.log(
    `first request ${(first.bytes / 1024).toFixed(1)} KB (bar 17); 13 turns ${(sum(session.map(({ bytes }) => bytes)) / 1024).toFixed(0)} KB (bar 260)`,
  );
  const turns = turnTimes();
  console.log(
    `a turn takes ${median(turns)} ms from reply to reply, tools and server included (bar 12): ${turns.join(" ")}`,
  );
  console.log("the long one is the sandbox's self-test before the first command, once a session");
  hi.stop();
  story.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(args, url) {
  const file = join(folder, "peak.txt");
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    GROUNDPLAN_HOME: join(folder, "home"),
    ANTHROPIC_API_KEY: "loopback-key",
    ANTHROPIC_BASE_URL: url,
    NODE_OPTIONS: `--require ${peak}`,
    PEAK_FILE: file,
  };
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: repository, env: environment, encoding: "utf8" });
  const ms = performance.now() - start;
  if (status !== 0 && status !== 3) throw new Error(`exit code ${status}: ${stderr}`);
  return { ms, mb: Number(readFileSync(file, "utf8")) / 1024 };
}

/** From one model reply to the next, by the clock in the newest log. */
function turnTimes() {
  const sessions = join(folder, "home/sessions");
  const logs = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  const newest = logs
    .map((name) => join(sessions, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  const replies = readFileSync(newest, "utf8")
    .split("\n")
    .filter((line) => line.includes('"type":"model-replied"'))
    .map((line) => JSON.parse(line).at);
  return replies.slice(1).map((at, index) => at - replies[index]);
}

/** Ten files read, one search, the plan written, a last word: thirteen requests. */
function planStory() {
  const reads = Array.from({ length: 10 }, (_, part) => ({
    calls: [{ tool: "Read", input: { file_path: `src/part-${part + 1}.ts` } }],
  }));
  return [
    ...reads,
    { calls: [{ tool: "Grep", input: { pattern: "part3", output_mode: "content" } }] },
    { calls: [{ tool: "Bash", input: { command: "ls src | wc -l" } }] },
    { text: "That is what I found." },
  ];
}

async function serve(turns) {
  const file = join(folder, `${Math.random()}.json`);
  writeFileSync(file, JSON.stringify(turns));
  const child = spawn(process.execPath, [join(root, "scripts/loopback.mjs"), file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  await new Promise((ready) => {
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) ready();
    });
  });
  return {
    url: text.split("\n")[0].trim(),
    requests: () =>
      text
        .split("\n")
        .slice(1)
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    stop: () => child.kill(),
  };
}

function bin() {
  return join(root, "dist/bin/groundplan.js");
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
