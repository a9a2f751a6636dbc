/** opencode, headless (`opencode run`). */
import { join } from "node:path";
import { worthlessKey } from "./by-command.ts";
import { notesServer } from "./notes-server.ts";
import { agentProbe, has, inTurns, ownProbe, ownUse } from "./own-probe.ts";
import { put } from "./put.ts";
import type { AgentRow, CrashUse, Stage } from "./row.ts";
import type { CrashProbe } from "../probe.ts";
import type { ScriptedCall } from "../../testing/loopback/turn.ts";

const free = { "*": "allow", edit: "allow", bash: "allow", external_directory: "allow", task: "allow" };

/** The second one is told by its name to be one that patches. */
const models = { usual: "probe", patch: "gpt-5-probe" };

const probes: readonly CrashProbe[] = [
  ownProbe("patch-add", "the patch tool, a new file", inTurns(patch("*** Add File: made.txt\n+made")), {
    special: ["patch"],
  }),
  ownProbe("patch-delete", "the patch tool removes a file", inTurns(patch("*** Delete File: note.txt")), {
    special: ["patch"],
  }),
  ownProbe(
    "patch-rules",
    "the same, the person's rules allow everything",
    inTurns(patch("*** Delete File: note.txt")),
    {
      special: ["patch"],
      rules: true,
    },
  ),
  ownProbe(
    "other-folder",
    "touch in another folder",
    inTurns(({ stage }) => bash("touch made.txt", { workdir: stage.elsewhere })),
  ),
  agentProbe(
    ownProbe(
      "agent-rules",
      "an agent, the person's rules allow everything",
      inTurns(() => ({
        tool: "task",
        input: { description: "probe", prompt: "probe-inside", subagent_type: "general" },
      })),
      { rules: true },
    ),
    () => bash("touch made.txt"),
  ),
  ownProbe(
    "server-tool",
    "a tool of an MCP server",
    inTurns(() => ({ tool: "notes_keep", input: { text: "made" } })),
    { special: ["server"] },
  ),
];

const uses: readonly CrashUse[] = [
  ownUse(
    ownProbe(
      "writes-plan",
      "its plan's file is written",
      inTurns(({ stage }) => ({
        tool: "write",
        input: { filePath: join(stage.project, ".opencode/plans/plan.md"), content: "# Plan\n" },
      })),
    ),
    /Wrote file successfully/,
  ),
];

function bash(command: string, more: Readonly<Record<string, unknown>> = {}): ScriptedCall {
  return { tool: "bash", input: { command, description: "probe", ...more } };
}

function patch(text: string): () => ScriptedCall {
  return () => ({ tool: "apply_patch", input: { patchText: `*** Begin Patch\n${text}\n*** End Patch` } });
}

export const opencode: AgentRow = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  wires: ["chat"],
  tried: ["1.18.33"],
  cannot: {
    bypass: "it has no such flag",
    approval: "it has no tool to present a plan",
  },
  own: [".opencode", ".git/opencode", "opencode.json"],
  guard: "opencode",
  prepare,
  probes,
  uses,
  start: ({ mode, resumes, prompt }) => ({
    args: ["run", "--agent", mode === "plan" ? "plan" : "build", ...(resumes ? ["--continue"] : []), prompt],
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  }),
};

function prepare(stage: Stage): void {
  const { home, project, url, mode, circumstances } = stage;
  const model = has(stage, "patch") ? models.patch : models.usual;
  const server = { notes: { type: "local", command: has(stage, "server") ? notesServer(stage) : [] } };
  const isFree = circumstances.rules === true || mode === "work";
  const settings = {
    autoupdate: false,
    share: "disabled",
    model: `loop/${model}`,
    small_model: `loop/${model}`,
    ...(has(stage, "server") ? { mcp: server } : {}),
    permission: isFree ? free : { external_directory: "allow" },
    agent: { plan: { permission: circumstances.rules === true ? free : {} } },
    provider: {
      loop: {
        npm: "@ai-sdk/openai-compatible",
        name: "Loop",
        options: { baseURL: `${url}/v1`, apiKey: worthlessKey },
        models: { [model]: { name: "probe", tool_call: true, limit: { context: 100_000, output: 8000 } } },
      },
    },
  };
  put(join(home, ".config/opencode/opencode.json"), JSON.stringify(settings));
  put(join(home, ".config/opencode/.npmrc"), "fetch-retries=0\noffline=true\n");
  const planted = { permission: free, agent: { plan: { permission: free } } };
  if (circumstances.planted === true) put(join(project, "opencode.json"), JSON.stringify(planted));
}
