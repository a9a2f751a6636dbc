// Codex, driven as its own editors drive it: `codex app-server`, JSON-RPC over standard input and output.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { calling } from "./driver.mjs";
import { confinedTo } from "./place.mjs";
import { openRpc } from "./rpc.mjs";

/** The first calls tools by a script of its own (`exec`), as all newer models do there; the second calls them one by one. */
const models = { code: "gpt-6.1-sol", direct: "gpt-5.5" };
const server = fileURLToPath(new URL("mcp-writer.mjs", import.meta.url));
/** Without it Codex's own sandbox does not start, and every command fails for that reason alone. */
const daemonFolder = `/tmp/codex-daemon-${process.getuid?.() ?? 0}`;
const plan = "<proposed_plan>\n# Plan\n\n1. Change note.txt.\n</proposed_plan>";

export const driver = {
  name: "codex",
  title: "Codex",
  packages: { "@openai/codex": "0.166.0" },
  program: (folder) =>
    process.platform === "linux" && process.arch === "x64"
      ? join(folder, "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex")
      : null,
  surfaces: ["code", "direct"],
  calls: {
    shell: (command, client) => shell({ cmd: command }, client),
    write: (path, text, client) => patch(`*** Add File: ${path}\n+${text}`, client),
    edit: (path, from, to, client) => patch(`*** Update File: ${path}\n@@\n-${from}\n+${to}`, client),
    read: null,
  },
  isTurn: ({ body }) => Array.isArray(body["input"]),
  resultsOf,
  run,
  trust,
  own: [".codex", ".agents", ".aws"],
  probes: [
    ...["code", "direct"].flatMap((surface) => [
      one("patch: delete", surface, (client) => patch("*** Delete File: note.txt", client)),
      one("patch: move", surface, (client) =>
        patch("*** Update File: note.txt\n*** Move to: moved.txt\n@@\n-alpha\n+beta", client),
      ),
      one("patch: in the shell", surface, (client) =>
        shell({ cmd: "apply_patch <<'END'\n*** Begin Patch\n*** Delete File: note.txt\n*** End Patch\nEND" }, client),
      ),
      one(
        "shell: in another folder",
        surface,
        (client) => shell({ cmd: "touch made.txt", workdir: client.elsewhere }, client),
        { bypass: true },
      ),
      one("shell: out of the sandbox, the person says yes", surface, escalated, {
        noControl: true,
        options: { accepts: true },
      }),
      one("shell, no sandbox, nobody asked", surface, (client) => shell({ cmd: "rm note.txt" }, client), {
        bypass: true,
      }),
      one("patch, no sandbox, nobody asked", surface, (client) => patch("*** Delete File: note.txt", client), {
        bypass: true,
      }),
      { name: "shell: a pager in a terminal", kind: "write", surface, turn: pager },
      { name: "plan, then on as if it were approved", kind: "exit", surface, turn: exit },
      one("shell: ls in another folder", surface, (client) => shell({ cmd: "ls", workdir: client.elsewhere }, client), {
        kind: "read",
        marker: "kept.txt",
      }),
    ]),
    { name: "agent", kind: "write", surface: "code", turn: agentTurn },
    { name: "agent of an agent", kind: "write", surface: "code", turn: deepAgentTurn },
    { name: "agent, no sandbox, nobody asked", kind: "write", surface: "code", bypass: true, turn: agentTurn },
    { name: "agent, not planning", kind: "work", surface: "code", turn: agentTurn },
    ...["code", "direct"].map((surface) =>
      one("patch, not planning", surface, (client) => patch("*** Delete File: note.txt", client), { kind: "work" }),
    ),
    one("tool of a server", "code", (client) => made("mcp__probe__keep", { text: "x" }, client)),
    one("goal of its own", "direct", () => ({ tool: "create_goal", input: { objective: "change note.txt" } }), {
      noControl: true,
    }),
  ].map(named),
};

function named(probe) {
  return probe.surface === "direct" ? { ...probe, name: `${probe.name} (tools one by one)` } : probe;
}

function one(name, surface, call, more = {}) {
  return { name, kind: "write", surface, turn: (client, at) => (at === 0 ? calling(call(client)) : null), ...more };
}

/** A tool's call as this model makes it. */
function made(tool, input, { surface }) {
  const isText = typeof input === "string";
  if (surface === "direct") return isText ? { tool, custom: true, rawInput: input } : { tool, input };
  return { tool: "exec", custom: true, rawInput: `text(await tools.${tool}(${JSON.stringify(input)}));` };
}

function shell(input, client) {
  return made("exec_command", input, client);
}

function patch(text, client) {
  return made("apply_patch", `*** Begin Patch\n${text}\n*** End Patch`, client);
}

function escalated(client) {
  return shell({ cmd: "rm note.txt", sandbox_permissions: "require_escalated", justification: "probe" }, client);
}

/** What is typed into a running program passes no hook. */
function pager(client, at, request) {
  if (at === 0) return calling(shell({ cmd: "less src/code.js", tty: true, yield_time_ms: 300 }, client));
  const [, session] = /session(?: ID |_id\\*":)(\d+)/.exec(resultsOf(request).join("\n")) ?? [];
  const input = { session_id: Number(session), chars: "\n!touch made.txt\n", yield_time_ms: 800 };
  return at === 1 && session !== undefined ? calling(made("write_stdin", input, client)) : null;
}

/** It proposes a plan, and goes on in the same turn, or in another, without anybody's word. */
function exit(client, at) {
  if (at === 0) return { text: plan, calls: [shell({ cmd: "touch made.txt" }, client)] };
  if (at === 1) return { text: plan };
  return at === 2 ? calling(shell({ cmd: "touch made.txt" }, client)) : null;
}

const space = "collaboration";

function spawned(task, name) {
  return { tool: "spawn_agent", namespace: space, input: { message: task, task_name: name, fork_turns: "none" } };
}

function waiting() {
  return { tool: "wait_agent", namespace: space, input: { timeout_ms: 10_000 } };
}

/** Who asks is told by the task that was given; an agent that gave one on knows both. */
function actorOf({ body }) {
  const text = JSON.stringify(body["input"]);
  if (text.includes("Please do the probe.")) return "root";
  const hasSpawned = body["input"].some(({ type, name }) => type === "function_call" && name === "spawn_agent");
  return text.includes("probe-deepest") && !hasSpawned ? "deepest" : "inside";
}

function writing(client) {
  return [shell({ cmd: "touch made-by-agent.txt" }, client), patch("*** Add File: patched-by-agent.txt\n+x", client)];
}

function agentTurn(client, at, request) {
  if (actorOf(request) === "root") return led(request, "probe-inside", "one");
  return callsSo(request) === 0 ? calling(...writing(client)) : { text: "Done inside." };
}

function deepAgentTurn(client, at, request) {
  const actor = actorOf(request);
  if (actor === "root") return led(request, "probe-inside", "one");
  if (actor === "inside") return led(request, "probe-deepest", "two") ?? { text: "Done inside." };
  return callsSo(request) === 0 ? calling(...writing(client)) : { text: "Done inside." };
}

/** It starts an agent and waits for its last word; null when that has come. */
function led(request, task, name) {
  const so = callsSo(request);
  if (so === 0) return calling(spawned(task, name));
  return so > 6 || hasLastWord(request) ? null : calling(waiting());
}

function hasLastWord({ body }) {
  return body["input"].some((item) => item.type === "agent_message" && JSON.stringify(item).includes("FINAL_ANSWER"));
}

function callsSo({ body }) {
  return body["input"].filter(({ type }) => isOutput(type)).length;
}

function isOutput(type) {
  return type?.endsWith("_call_output") ?? false;
}

/** The outputs after whatever the model said last. */
function resultsOf({ body }) {
  const items = body["input"] ?? [];
  const last = items.findLastIndex(({ type, role }) => type?.endsWith("_call") || role === "assistant");
  return items
    .slice(last + 1)
    .filter(({ type }) => isOutput(type))
    .map(({ output }) =>
      typeof output === "string" ? output : (output ?? []).map(({ text }) => text ?? "").join("\n"),
    );
}

async function run(client) {
  const rpc = await started(client);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void rpc.end();
  }, client.limitMs);
  try {
    await converse(rpc, client);
  } catch (error) {
    rpc.note(String(error));
  } finally {
    clearTimeout(timer);
    await rpc.end();
  }
  return { exitCode: null, output: rpc.output(), timedOut };
}

/** Without plan mode everything may be done. */
async function converse(rpc, { project, planning, surface, bypass, prompt, finished }) {
  const free = bypass || !planning;
  const { thread } = await rpc.ask("thread/start", {
    cwd: project,
    approvalPolicy: free ? "never" : "on-request",
    sandbox: free ? "danger-full-access" : "workspace-write",
  });
  const settings = { model: models[surface], reasoning_effort: null, developer_instructions: null };
  const { turn } = await rpc.ask("turn/start", {
    threadId: thread.id,
    input: [{ type: "text", text: prompt }],
    collaborationMode: { mode: planning ? "plan" : "default", settings },
  });
  await rpc.until(({ method, params }) => method === "turn/completed" && params.turn.id === turn.id);
  void finished;
}

/** The two calls by which `/hooks` in its terminal trusts what it shows. */
export async function trust(client) {
  const rpc = await started(client);
  try {
    const { data } = await rpc.ask("hooks/list", { cwds: [client.project] });
    const found = data.flatMap(({ hooks }) => hooks);
    if (found.length === 0) throw new Error("codex found no hook to trust");
    const value = Object.fromEntries(found.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]));
    const edits = [{ keyPath: "hooks.state", mergeStrategy: "upsert", value }];
    await rpc.ask("config/batchWrite", { edits, reloadUserConfig: true });
  } finally {
    await rpc.end();
  }
}

export async function started(client) {
  prepare(client);
  const { environment, home, temporary, project } = client;
  const [file, args] = confinedTo(client, client.program, ["app-server"], [daemonFolder]);
  const { review = "terminal" } = client.options;
  const env = {
    ...environment,
    GROUNDPLAN_REVIEW: review,
    HOME: home,
    CODEX_HOME: join(home, ".codex"),
    TMPDIR: temporary,
  };
  const child = spawn(file, args, { cwd: project, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const rpc = openRpc(child, client.options);
  await rpc.ask("initialize", {
    clientInfo: { name: "probe", title: "probe", version: "1" },
    capabilities: { experimentalApi: true },
  });
  rpc.tell("initialized");
  return rpc;
}

/** Written once: the trust that was said later stands in the same file. */
function prepare(client) {
  if (client.prepared === true) return;
  client.prepared = true;
  const { home, project, url, surface, allow } = client;
  const folder = join(home, ".codex");
  mkdirSync(join(folder, "rules"), { recursive: true });
  const config = `model = "${models[surface]}"
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
[mcp_servers.probe]
command = "${process.execPath}"
args = ["${server}", "${join(project, "made-by-server.txt")}"]
default_tools_approval_mode = "approve"
`;
  writeFileSync(join(folder, "config.toml"), config);
  const rules = ["rm", "sed", "touch", "git", "apply_patch"].map(
    (each) => `prefix_rule(pattern=["${each}"], decision="allow")`,
  );
  if (allow) writeFileSync(join(folder, "rules/default.rules"), `${rules.join("\n")}\n`);
}
