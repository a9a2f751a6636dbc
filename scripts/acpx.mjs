// Drives `groundplan acp` with acpx, a client that is not ours: prompts, modes, options, permissions, sessions, cancel. Needs npm; where acpx or its Node 22 cannot be had it says so and ends well.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { clientProgram } from "./clients/cache.mjs";
import { loadLoopback } from "./load-loopback.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist/bin/groundplan.js");
const platform = `node-${process.platform}-${process.arch}`;
const acpx = await clientProgram("acpx", {
  packages: { acpx: "0.19.1", [platform]: "22.23.3" },
  program: (folder) => join(folder, "acpx/dist/cli.js"),
});
if ("problem" in acpx) {
  console.log(`SKIPPED: acpx cannot be had here (${acpx.problem}); groundplan acp was not tried with it.`);
  process.exit(0);
}
const node = join(acpx.file, "../../..", platform, "bin/node");
const plan = "# Add b\n\n1. Create `b.ts`\n";
const problems = [];
const startLoopback = await loadLoopback();
for (const [name, story] of Object.entries(stories())) {
  const stage = await setStage(story.script);
  try {
    await story.run(stage);
    console.log(`ok      ${name}`);
  } catch (error) {
    problems.push(name);
    console.log(`FAILED  ${name}: ${String(error.message).slice(0, 2000)}`);
  } finally {
    await stage.close();
  }
}
console.log(
  `${Object.keys(stories()).length - problems.length} of ${Object.keys(stories()).length} stories with acpx 0.19.1`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

function stories() {
  const write = { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "export {};\n" } }] };
  return {
    "a prompt is answered": {
      script: () => ({ text: "Hello from the model." }),
      run: async ({ exec }) => expect((await exec(["say hi"])).text.includes("Hello from the model."), "no answer"),
    },
    "yes to everything: the plan is approved, and its work done": {
      script: (request, turn) => (turn === 1 ? submit(request) : turn === 2 ? write : { text: "Made." }),
      run: async ({ exec, made }) => {
        const { lines } = await exec(["--config-option", "mode=plan", "add b"], ["--approve-all"]);
        const asked = lines.find(({ method }) => method === "session/request_permission");
        expect(asked?.params.toolCall.kind === "switch_mode", "the plan was not asked for");
        expect(made("b.ts"), "the approved work was not done");
      },
    },
    "yes to everything: nothing changes while planning": {
      script: (_, turn) =>
        turn === 1
          ? { calls: [...write.calls, { tool: "Bash", input: { command: "touch c.ts; rm -f a.ts" } }] }
          : { text: "Tried." },
      run: async ({ exec, tree }) => {
        const before = tree();
        await exec(["--config-option", "mode=plan", "write it"], ["--approve-all"]);
        expect(tree() === before, "the tree changed");
      },
    },
    "no to everything: the plan is not approved": {
      script: (request, turn) => (turn === 1 ? submit(request) : turn === 2 ? write : { text: "Made." }),
      run: async ({ background, made, requests }) => {
        await background(["exec", "--config-option", "mode=plan", "add b"], ["--deny-all"]);
        expect(requests().length === 1, "the model went on");
        expect(!made("b.ts"), "it was written");
      },
    },
    "a session is kept: mode set, prompted twice by two processes, the conversation is whole": {
      script: (request) => ({ text: `Heard ${JSON.stringify(request.body).includes("FIRST") ? "first" : "nothing"}.` }),
      run: async ({ acp, requests }) => {
        await acp(["sessions", "new"]);
        await acp(["set-mode", "plan"]);
        await acp(["prompt", "FIRST words"]);
        await acp(["prompt", "second words"]);
        const last = JSON.stringify(requests().at(-1).body);
        expect(last.includes("FIRST words") && last.includes("second words"), "the conversation is not whole");
        expect(last.includes("Plan mode is on"), "the mode was not set");
        await acp(["sessions", "close"]);
      },
    },
    "cancelled: the prompt ends": {
      script: (_, turn) =>
        turn === 1 ? new Promise((resolve) => setTimeout(() => resolve({ text: "late" }), 60_000)) : { text: "Next." },
      run: async ({ acp, requests, background }) => {
        await acp(["sessions", "new"]);
        const slow = background(["prompt", "SLOW"]);
        await until(() => requests().length === 1);
        await acp(["cancel"]);
        await slow;
        await acp(["prompt", "and now?"]);
        expect(requests().length === 2, "the next prompt was not heard");
        await acp(["sessions", "close"]);
      },
    },
  };
}

function submit(request) {
  return {
    calls: [
      { tool: "Write", input: { file_path: planFileIn(request), content: plan } },
      { tool: "ExitPlanMode", input: {} },
    ],
  };
}

async function setStage(script) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-acpx-")));
  const repository = join(folder, "repo");
  mkdirSync(repository);
  writeFileSync(join(repository, "a.ts"), "export const a = 1;\n");
  const server = await startLoopback({ script });
  const env = { PATH: process.env.PATH, HOME: folder, GROUNDPLAN_HOME: join(folder, "home"), ...server.environment() };
  const agent = ["--agent", `${process.execPath} ${program} acp`, "--cwd", repository, "--format", "json"];
  const start = (args) =>
    promisify(execFile)(node, [acpx.file, ...args], { cwd: repository, env, maxBuffer: 2 ** 26, timeout: 120_000 });
  const acp = async (args, options = []) => {
    const { stdout } = await start([...agent, ...options, "--ttl", "5", ...args]);
    const lines = stdout.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    return { text: stdout, lines };
  };
  return {
    acp,
    exec: ([...args], options) => acp(["exec", ...args], options),
    /** Also where acpx ends with a failure: a plan that was denied is one. */
    background: (args, options) => acp(args, options).catch(() => null),
    requests: () => server.requests,
    made: (name) => existsSync(join(repository, name)),
    tree: () => JSON.stringify(readdirSync(repository).map((name) => [name, hashOf(join(repository, name))])),
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function hashOf(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function planFileIn(request) {
  return /\/[^"\s]*\/plans\/[\p{L}\p{N}-]+\.md/u.exec(JSON.stringify(request.body))[0];
}

function expect(isSo, what) {
  if (!isSo) throw new Error(what);
}

async function until(look) {
  while (!look()) await new Promise((resolve) => setTimeout(resolve, 20));
}
