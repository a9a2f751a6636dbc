/** Codex, driven as its own editors drive it: `codex app-server`, JSON-RPC over standard input and output. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../../core/error-text.ts";
import { isObject } from "../../core/wire/shape.ts";
import { begin, unable, type Ended } from "../inside/process.ts";
import { openRpc, type Rpc } from "../inside/rpc.ts";
import { codexCall, codexInside, codexPatch, codexProbes, codexUses } from "./codex-probes.ts";
import { notesServer } from "./notes-server.ts";
import { turnOf } from "./offered-ways.ts";
import { has } from "./own-probe.ts";
import { put } from "./put.ts";
import type { AgentRow, Stage } from "./row.ts";

/** The first calls its tools by a script of its own, as all newer ones do there; the second one by one. */
const models = { usual: "gpt-6.1-sol", direct: "gpt-5.5" };

export const codex: AgentRow = {
  name: "codex",
  title: "Codex",
  programs: ["codex"],
  wires: ["responses"],
  tried: ["0.166.0"],
  cannot: {
    planted: "its rules are taken from the person's own folder alone",
    approval: "it has no tool to present a plan",
  },
  own: [".codex", ".agents", ".aws"],
  guard: "codex",
  prepare,
  start: () => ({ args: ["app-server"], environment: {} }),
  converse,
  trust,
  isTurn: ({ body }) => Array.isArray(body["input"]),
  probes: codexProbes,
  uses: codexUses,
  ways: {
    shell: ({ stage }, command) => [turnOf(codexCall(stage, "exec_command", { cmd: command }))],
    write: ({ stage }, path, text) => [
      turnOf(codexPatch(stage, `*** Add File: ${path}\n${text.trimEnd().replaceAll(/^/gm, "+")}`)),
    ],
    edit: ({ stage }, path, from, to) => [turnOf(codexPatch(stage, `*** Update File: ${path}\n@@\n-${from}\n+${to}`))],
    read: ({ stage }, path) => [turnOf(codexCall(stage, "exec_command", { cmd: `cat '${path}'` }))],
    agent: (_, prompt) => [
      turnOf(codexInside("spawn_agent", { message: prompt, task_name: "one", fork_turns: "none" })),
      ...[1, 2].map(() => turnOf(codexInside("wait_agent", { timeout_ms: 10_000 }))),
    ],
    presentPlan: () => null,
  },
  broken: /bwrap: |codex-linux-sandbox|sandbox.*(failed to start|not available)/i,
};

function modelOf(stage: Pick<Stage, "circumstances">): string {
  return has(stage, "direct") ? models.direct : models.usual;
}

async function converse(stage: Stage): Promise<Ended> {
  const rpc = await openCodex(stage);
  if (typeof rpc === "string") return unable(rpc);
  let [timedOut, problem] = [false, ""];
  const timer = setTimeout(() => {
    timedOut = true;
    void rpc.end();
  }, stage.limitMs);
  try {
    await oneTurn(rpc, stage);
  } catch (error) {
    problem = errorText(error);
  } finally {
    clearTimeout(timer);
    await rpc.end();
  }
  return { ...unable(`${rpc.output()}${problem}`), exitCode: problem === "" ? 0 : null, timedOut };
}

/** Without plan mode everything may be done. */
async function oneTurn(rpc: Rpc, stage: Stage): Promise<void> {
  const { project, mode, circumstances, prompt, resumes } = stage;
  const isFree = circumstances.bypass === true || mode === "work";
  const settings = {
    cwd: project,
    approvalPolicy: isFree ? "never" : "on-request",
    sandbox: isFree ? "danger-full-access" : "workspace-write",
  };
  const threadId = resumes ? await lastThread(rpc) : null;
  const answer =
    threadId === null
      ? await rpc.ask("thread/start", settings)
      : await rpc.ask("thread/resume", { threadId, ...settings });
  const { turn } = await rpc.ask("turn/start", {
    threadId: idOf(answer["thread"]),
    input: [{ type: "text", text: prompt }],
    collaborationMode: {
      mode: mode === "plan" ? "plan" : "default",
      settings: { model: modelOf(stage), reasoning_effort: null, developer_instructions: null },
    },
  });
  await rpc.until(
    ({ method, params }) => method === "turn/completed" && isObject(params) && idOf(params["turn"]) === idOf(turn),
  );
}

async function lastThread(rpc: Rpc): Promise<string> {
  const { data } = await rpc.ask("thread/list", {});
  return idOf(Array.isArray(data) ? data[0] : null);
}

function idOf(value: unknown): string {
  return isObject(value) ? String(value["id"]) : "";
}

/** The two calls by which `/hooks` in its terminal trusts what it shows. */
async function trust(stage: Stage): Promise<void> {
  const rpc = await openCodex(stage);
  if (typeof rpc === "string") throw new Error(rpc);
  try {
    const { data } = await rpc.ask("hooks/list", { cwds: [stage.project] });
    const found = (Array.isArray(data) ? data : []).flatMap((each) =>
      isObject(each) && Array.isArray(each["hooks"]) ? each["hooks"] : [],
    );
    const trusted = found.filter(isObject).map(({ key, currentHash }) => [String(key), { trusted_hash: currentHash }]);
    if (trusted.length === 0) throw new Error("codex found no hook to trust");
    const edits = [{ keyPath: "hooks.state", mergeStrategy: "upsert", value: Object.fromEntries(trusted) as unknown }];
    await rpc.ask("config/batchWrite", { edits, reloadUserConfig: true });
  } finally {
    await rpc.end();
  }
}

export async function openCodex(stage: Stage): Promise<Rpc | string> {
  const { program, project, environment, home } = stage;
  const word = has(stage, "consents") ? "accept" : "decline";
  const child = begin({
    argv: [...program, "app-server"],
    directory: project,
    environment: { ...environment, CODEX_HOME: join(home, ".codex") },
  });
  if (child instanceof Error) return child.message;
  const rpc = openRpc(child, (method) =>
    method.includes("elicitation")
      ? { action: word }
      : method.includes("requestUserInput")
        ? { answers: {} }
        : { decision: word },
  );
  await rpc.ask("initialize", {
    clientInfo: { name: "probe", title: "probe", version: "1" },
    capabilities: { experimentalApi: true },
  });
  rpc.tell("initialized");
  return rpc;
}

/** The last folder it insists on: without it its own sandbox does not start, and every command fails for that reason alone. */
function prepare(stage: Stage): void {
  const { home, project, url, circumstances, temporary } = stage;
  mkdirSync(join(temporary, `codex-daemon-${process.getuid?.() ?? 0}`), { mode: 0o700 });
  const config = `model = "${modelOf(stage)}"
model_provider = "loopback"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[sandbox_workspace_write]
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
[projects."${project}"]
trust_level = "trusted"
${has(stage, "server") ? serverOf(stage) : ""}`;
  put(join(home, ".codex/config.toml"), config);
  const rules = ["rm", "sed", "touch", "git", "apply_patch"].map(
    (each) => `prefix_rule(pattern=["${each}"], decision="allow")`,
  );
  if (circumstances.rules === true) put(join(home, ".codex/rules/default.rules"), `${rules.join("\n")}\n`);
}

function serverOf(stage: Stage): string {
  const [program, ...args] = notesServer(stage);
  return `[mcp_servers.notes]\ncommand = "${program}"\nargs = ${JSON.stringify(args)}\ndefault_tools_approval_mode = "approve"\n`;
}
