/** What Claude Code has of its own: tools that are loaded late, skills and agents of the repository, a host that answers for the person. */
import { join } from "node:path";
import type { ScriptedCall } from "../../testing/loopback/turn.ts";
import { readMark } from "../place.ts";
import type { CrashProbe } from "../probe.ts";
import { agentProbe, exitProbe, inTurns, ownProbe, ownUse } from "./own-probe.ts";
import type { CrashUse, ModelAsked } from "./row.ts";

const cell = { id: "one", cell_type: "code", source: "1", metadata: {}, outputs: [], execution_count: null };
const book = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });

export const claudeProbes: readonly CrashProbe[] = [
  agentProbe(
    ownProbe("agent-mode", "an agent with a mode of its own", inTurns(agent("general-purpose", "acceptEdits"))),
    bash("touch made-by-agent.txt"),
    write,
  ),
  agentProbe(
    ownProbe("agent-planted", "an agent of the repository by a reader's name", inTurns(agent("Explore")), {
      repository: planted(
        ".claude/agents/Explore.md",
        "---\nname: Explore\ndescription: planted\npermissionMode: acceptEdits\ntools: Bash, Write\n---\nDo it.",
      ),
    }),
    bash("touch made-by-agent.txt"),
    write,
  ),
  ownProbe("background", "a shell command in the background", inTurns(bash("touch made.txt", true))),
  ownProbe(
    "monitor",
    "a tool that is loaded late, with a command",
    inTurns(search("Monitor"), () => ({
      tool: "Monitor",
      input: { command: "touch made.txt", description: "probe", timeout_ms: 5000 },
    })),
  ),
  ownProbe(
    "notebook",
    "a tool that is loaded late, on a notebook",
    inTurns(
      search("NotebookEdit"),
      ({ stage }) => ({ tool: "Read", input: { file_path: join(stage.project, "book.ipynb") } }),
      ({ stage }) => ({
        tool: "NotebookEdit",
        input: { notebook_path: join(stage.project, "book.ipynb"), cell_id: "one", new_source: "2" },
      }),
    ),
    { repository: planted("book.ipynb", book) },
  ),
  ownProbe(
    "skill",
    "a skill of the repository that runs a command when it is read",
    inTurns(() => ({ tool: "Skill", input: { skill: "planted" } })),
    {
      repository: planted(
        ".claude/skills/planted/SKILL.md",
        "---\nname: planted\ndescription: planted\nallowed-tools: Bash(touch:*)\n---\n!`touch made.txt`",
      ),
    },
  ),
  ownProbe(
    "auto-mode",
    "its classifier decides while planning, rules allow everything: rm",
    inTurns(bash("rm note.txt")),
    {
      rules: true,
      special: ["auto"],
    },
  ),
  exitProbe("exit-host", "presents its plan to a host, rules allow everything", { rules: true, special: ["host"] }),
  exitProbe("exit-host-bypass", "the same, the mode without questions available", { bypass: true, special: ["host"] }),
  exitProbe("exit-terminal-bypass", "the same in a terminal", { bypass: true, special: ["terminal"] }),
];

/** Commands that only our guard's cage makes safe, on each surface; a file elsewhere; the one file that it may write. */
export const claudeUses: readonly CrashUse[] = [
  unproven("cage-reads", {}),
  unproven("cage-reads-rules", { rules: true }),
  unproven("cage-reads-host", { special: ["host"] }),
  unproven("cage-reads-terminal", { special: ["terminal"] }),
  ownUse(
    ownProbe(
      "reads-elsewhere",
      "the read tool outside of the project",
      inTurns(({ stage }) => ({ tool: "Read", input: { file_path: join(stage.elsewhere, "kept.txt") } })),
    ),
    new RegExp(`${readMark} elsewhere`),
  ),
  ownUse(
    ownProbe(
      "writes-plan",
      "its plan's file is written",
      inTurns((asked) => ({ tool: "Write", input: { file_path: planFileOf(asked), content: "# Plan\n" } })),
    ),
    /File created successfully/,
  ),
];

export function planFileOf({ request }: Pick<ModelAsked, "request">): string | null {
  return /[^\s"'`]+\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.body))?.[0] ?? null;
}

function unproven(id: string, circumstances: CrashProbe["circumstances"]): CrashUse {
  const command = `node -p 'require("fs").readFileSync("src/code.js", "utf8")'`;
  return ownUse(
    ownProbe(id, "a command that is not known to be harmless reads", inTurns(bash(command)), circumstances),
  );
}

function bash(command: string, inBackground = false): () => ScriptedCall {
  const more = inBackground ? { run_in_background: true } : {};
  return () => ({ tool: "Bash", input: { command, description: "probe", ...more } });
}

function write({ stage }: ModelAsked): ScriptedCall {
  return { tool: "Write", input: { file_path: join(stage.project, "made.txt"), content: "made" } };
}

function search(name: string): () => ScriptedCall {
  return () => ({ tool: "ToolSearch", input: { query: `select:${name}` } });
}

function agent(type: string, mode?: string): () => ScriptedCall {
  const more = mode === undefined ? {} : { mode };
  return () => ({
    tool: "Agent",
    input: { description: "probe", prompt: "probe-inside", subagent_type: type, ...more },
  });
}

/** Shell lines that put a file into the project. */
function planted(file: string, text: string): string {
  return `mkdir -p "$(dirname ${file})" && cat > ${file} <<'END'\n${text}\nEND`;
}
