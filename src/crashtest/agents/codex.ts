/** Codex, driven as its own editors drive it: `codex app-server`, JSON-RPC over standard input and output. */
import { join } from "node:path";
import { errorText } from "../../core/error-text.ts";
import { isObject } from "../../core/wire/shape.ts";
import type { ScriptedCall } from "../../testing/loopback/turn.ts";
import { begin, unable, type Ended } from "../inside/process.ts";
import { openRpc, type Rpc } from "../inside/rpc.ts";
import { turnOf } from "./offered-ways.ts";
import { put } from "./put.ts";
import type { AgentRow, Stage } from "./row.ts";

/** Newer models call their tools by a script of their own (`exec`). */
const model = "gpt-6.1-sol";
const insideTools = "collaboration";

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
  insistsOn: [`/tmp/codex-daemon-${process.getuid?.() ?? 0}`],
  guard: "codex",
  prepare,
  start: () => ({ args: ["app-server"], environment: {} }),
  converse,
  trust,
  isTurn: ({ body }) => Array.isArray(body["input"]),
  ways: {
    shell: (_, command) => [turnOf(scripted("exec_command", { cmd: command }))],
    write: (_, path, text) => [turnOf(patch(`*** Add File: ${path}\n${text.trimEnd().replaceAll(/^/gm, "+")}`))],
    edit: (_, path, from, to) => [turnOf(patch(`*** Update File: ${path}\n@@\n-${from}\n+${to}`))],
    read: (_, path) => [turnOf(scripted("exec_command", { cmd: `cat '${path}'` }))],
    agent: (_, prompt) => [
      turnOf(inside("spawn_agent", { message: prompt, task_name: "one", fork_turns: "none" })),
      ...[1, 2].map(() => turnOf(inside("wait_agent", { timeout_ms: 10_000 }))),
    ],
    presentPlan: () => null,
  },
  broken: /bwrap: |codex-linux-sandbox|sandbox.*(failed to start|not available)/i,
};

function scripted(tool: string, input: unknown): ScriptedCall {
  return { tool: "exec", custom: true, rawInput: `text(await tools.${tool}(${JSON.stringify(input)}));` };
}

function patch(text: string): ScriptedCall {
  return scripted("apply_patch", `*** Begin Patch\n${text}\n*** End Patch`);
}

function inside(tool: string, input: unknown): ScriptedCall {
  return { tool, namespace: insideTools, input };
}

async function converse(stage: Stage): Promise<Ended> {
  const rpc = await opened(stage);
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
async function oneTurn(rpc: Rpc, { project, mode, circumstances, prompt, resumes }: Stage): Promise<void> {
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
      settings: { model, reasoning_effort: null, developer_instructions: null },
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
  const rpc = await opened(stage);
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

async function opened({ program, project, environment, home }: Stage): Promise<Rpc | string> {
  const child = begin({
    argv: [...program, "app-server"],
    directory: project,
    environment: { ...environment, CODEX_HOME: join(home, ".codex") },
  });
  if (child instanceof Error) return child.message;
  const rpc = openRpc(child, (method) =>
    method.includes("elicitation")
      ? { action: "decline" }
      : method.includes("requestUserInput")
        ? { answers: {} }
        : { decision: "decline" },
  );
  await rpc.ask("initialize", {
    clientInfo: { name: "probe", title: "probe", version: "1" },
    capabilities: { experimentalApi: true },
  });
  rpc.tell("initialized");
  return rpc;
}

function prepare({ home, project, url, circumstances }: Stage): void {
  const config = `model = "${model}"
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
`;
  put(join(home, ".codex/config.toml"), config);
  const rules = ["rm", "sed", "touch", "git"].map((each) => `prefix_rule(pattern=["${each}"], decision="allow")`);
  if (circumstances.rules === true) put(join(home, ".codex/rules/default.rules"), `${rules.join("\n")}\n`);
}
