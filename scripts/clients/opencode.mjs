// opencode: headless (`opencode run`), with its own tools, and with the patch tool that it gives to some models.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { calling, runBounded } from "./driver.mjs";
import { confinedTo } from "./place.mjs";

const server = fileURLToPath(new URL("mcp-writer.mjs", import.meta.url));
/** The second one is told by its name to be one that patches. */
const models = { headless: "probe", patch: "gpt-5-probe" };

export const driver = {
  name: "opencode",
  title: "opencode",
  packages: { "opencode-ai": "1.18.33" },
  program: (folder) =>
    process.platform === "linux" && process.arch === "x64"
      ? join(folder, "node_modules/opencode-linux-x64/bin/opencode")
      : null,
  surfaces: ["headless", "patch"],
  calls: {
    shell: (command) => shell({ command }),
    write: (path, text) => ({ tool: "write", input: { filePath: path, content: text } }),
    edit: (path, from, to) => [
      { tool: "read", input: { filePath: path } },
      { tool: "edit", input: { filePath: path, oldString: from, newString: to } },
    ],
    read: (path) => ({ tool: "read", input: { filePath: path } }),
  },
  isTurn: ({ body }) => Array.isArray(body["tools"]) && body["tools"].length > 0,
  resultsOf,
  run,
  own: [".opencode", ".git/opencode"],
  probes: [
    one("patch: add", "patch", () => patch("*** Add File: made.txt\n+made")),
    one("patch: delete", "patch", () => patch("*** Delete File: note.txt")),
    { ...one("patch with allow rules", "patch", () => patch("*** Delete File: note.txt")), allow: true },
    one("shell: in another folder", "headless", ({ elsewhere }) =>
      shell({ command: "touch made.txt", workdir: elsewhere }),
    ),
    { name: "agent general", kind: "write", allow: true, turn: agentTurn("general") },
    { name: "agent explore", kind: "write", turn: agentTurn("explore") },
    { name: "tool of a server", kind: "write", turn: turns(() => ({ tool: "notes_keep", input: { text: "made" } })) },
    { name: "plan, then on as if it were approved", kind: "exit", turn: exit },
    {
      name: "plan file",
      kind: "plan-file",
      turn: turns(({ project }) => ({
        tool: "write",
        input: { filePath: join(project, ".opencode/plans/plan.md"), content: "# Plan\n" },
      })),
    },
  ],
};

function turns(...calls) {
  return (client, at) => (at < calls.length ? calling(calls[at](client)) : null);
}

function one(name, surface, call) {
  return { name, kind: "write", surface, turn: turns(call) };
}

function shell(input) {
  return { tool: "bash", input: { description: "probe", ...input } };
}

function patch(text) {
  return { tool: "apply_patch", input: { patchText: `*** Begin Patch\n${text}\n*** End Patch` } };
}

/** The agent's own turns are told by what it was asked to do. */
function agentTurn(type) {
  return (client, at, request) => {
    const asked = (request.body["messages"] ?? []).find(({ role }) => role === "user");
    const isInside = JSON.stringify(asked ?? null).includes("probe-inside");
    if (isInside)
      return resultsOf(request).length === 0 ? calling(shell({ command: "touch made.txt" })) : { text: "Done." };
    const input = { description: "probe", prompt: "probe-inside", subagent_type: type };
    return at === 0 ? calling({ tool: "task", input }) : null;
  };
}

/** It hands in its plan where it can, tells it, and goes on without anybody's word. */
function exit(client, at, { body }) {
  const hasReview = body["tools"].some(({ function: { name } }) => name === "submit_plan");
  const steps = [
    ...(hasReview ? [calling({ tool: "submit_plan", input: { plan: "# Plan\n" } })] : []),
    calling(shell({ command: "touch made.txt" })),
    calling({ tool: "write", input: { filePath: join(client.project, "made.txt"), content: "made" } }),
  ];
  return steps[at] ?? null;
}

/** What follows the model's own last words. */
function resultsOf({ body }) {
  const messages = body["messages"] ?? [];
  const fresh = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  return fresh.filter(({ role }) => role === "tool").map(({ content }) => textIn(content));
}

function textIn(content) {
  return typeof content === "string" ? content : content.map((part) => part.text ?? JSON.stringify(part)).join("\n");
}

async function run(client) {
  prepare(client);
  const args = ["run", "--agent", client.planning ? "plan" : "build", client.prompt];
  const [file, all] = confinedTo(client, client.program, args);
  return runBounded(file, all, { cwd: client.project, environment: environmentOf(client), limitMs: client.limitMs });
}

function prepare({ home, project, url, surface, allow, planning }) {
  const folder = join(home, ".config/opencode");
  mkdirSync(folder, { recursive: true });
  const free = { "*": "allow", edit: "allow", bash: "allow", external_directory: "allow", task: "allow" };
  const model = `loop/${models[surface]}`;
  const settings = {
    autoupdate: false,
    share: "disabled",
    model,
    small_model: model,
    permission: allow || !planning ? free : { external_directory: "allow" },
    agent: { plan: { permission: allow ? free : {} } },
    mcp: { notes: { type: "local", command: [process.execPath, server, join(project, "made.txt")] } },
    provider: {
      loop: {
        npm: "@ai-sdk/openai-compatible",
        name: "Loop",
        options: { baseURL: `${url}/v1`, apiKey: "loopback" },
        models: {
          [models[surface]]: { name: "probe", tool_call: true, limit: { context: 100_000, output: 8000 } },
        },
      },
    },
  };
  writeFileSync(join(folder, "opencode.json"), JSON.stringify(settings));
  writeFileSync(join(folder, ".npmrc"), "fetch-retries=0\noffline=true\n");
}

function environmentOf({ home, temporary, environment }) {
  return {
    ...environment,
    HOME: home,
    TMPDIR: temporary,
    NO_COLOR: "1",
    GROUNDPLAN_REVIEW: "terminal",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  };
}
