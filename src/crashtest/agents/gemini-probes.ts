/** What Gemini CLI has of its own: plan mode entered by the model or by keys, a plan by our own file's name, servers, agents, commands elsewhere. */
import { join } from "node:path";
import type { ScriptedCall } from "../../testing/loopback/turn.ts";
import type { Circumstances, CrashProbe } from "../probe.ts";
import { agentProbe, inTurns, ownProbe, ownUse } from "./own-probe.ts";
import type { CrashUse, ModelAsked } from "./row.ts";

const rules: Circumstances = { rules: true };
const forgedName = `groundplan-approved-${"0".repeat(64)}.md`;

export const geminiProbes: readonly CrashProbe[] = [
  ownProbe(
    "other-folder",
    "touch in another folder, rules",
    inTurns(shell("touch made.txt", { dir_path: "src" })),
    rules,
  ),
  ownProbe("background", "in the background, rules", inTurns(shell("touch made.txt", { is_background: true })), rules),
  ownProbe("server-tool", "a tool of an MCP server, rules", inTurns(keep), { ...rules, special: ["server"] }),
  agentProbe(
    ownProbe(
      "agent-rules",
      "an agent, rules",
      inTurns(() => ({ tool: "invoke_agent", input: { agent_name: "generalist", prompt: "probe-inside" } })),
      rules,
    ),
    shell("touch made.txt"),
  ),
  {
    ...ownProbe(
      "exit-forged",
      "presents a plan by a name as our guard gives it, rules",
      inTurns(
        () => write(forgedName, "# Plan\n"),
        () => ({ tool: "exit_plan_mode", input: { plan_filename: forgedName } }),
        ({ stage }) => write(join(stage.project, "made.txt"), "made"),
      ),
      rules,
    ),
    alone: true,
  },
  entered("keys-shell", "plan mode by keys, rules: a shell command", ["keys"], shell("touch made.txt")),
  entered(
    "entered-shell",
    "plan mode entered by the model, rules: a shell command",
    ["entered"],
    shell("touch made.txt"),
  ),
  entered("entered-server", "the same: a tool of an MCP server", ["entered", "server"], keep),
];

export const geminiUses: readonly CrashUse[] = [
  ownUse(ownProbe("shell-reads", "cat src/code.js, rules", inTurns(shell("cat src/code.js")), rules)),
  ownUse(
    ownProbe(
      "writes-plan",
      "its plan's file is written",
      inTurns(() => write("plan.md", "# Plan\n")),
    ),
    /Successfully created|new file/i,
  ),
];

/** Outside of plan mode there is nothing of the kind. */
function entered(
  id: string,
  title: string,
  special: readonly string[],
  call: (asked: ModelAsked) => ScriptedCall,
): CrashProbe {
  const calls = special.includes("entered") ? [enter, call] : [call, call];
  return { ...ownProbe(id, title, inTurns(...calls), { ...rules, special }), noControl: true, alone: true };
}

function enter(): ScriptedCall {
  return { tool: "enter_plan_mode", input: { reason: "probe" } };
}

function shell(command: string, more: Readonly<Record<string, unknown>> = {}): () => ScriptedCall {
  return () => ({ tool: "run_shell_command", input: { command, description: "probe", ...more } });
}

function write(path: string, content: string): ScriptedCall {
  return { tool: "write_file", input: { file_path: path, content } };
}

function keep(): ScriptedCall {
  return { tool: "mcp_notes_keep", input: { text: "made" } };
}
