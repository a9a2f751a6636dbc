/** The calls by which an entry is proved, as each client would tell of them: a write and a read while it plans, a write while it works. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Probe {
  readonly what: string;
  readonly wanted: "refused" | "passed";
  readonly payload: object;
  /** The client's command line, where its hook looks at who started it. */
  readonly startedBy?: readonly string[];
}

export type ProvenAgent = "claude" | "codex" | "gemini";

/** `folder`: a throw-away one that the calls are about. */
export async function probesOf(agent: ProvenAgent, folder: string): Promise<readonly Probe[]> {
  await writeFile(join(folder, "planted.txt"), "planted\n");
  return rows[agent](folder);
}

const words = {
  write: "a write while planning",
  read: "a read while planning",
  work: "a write outside of plan mode",
};

const rows: Readonly<Record<ProvenAgent, (folder: string) => Promise<readonly Probe[]>>> = {
  claude: (folder) => {
    const call = (mode: string, tool: string, input: object): object => ({
      session_id: session,
      transcript_path: join(folder, "transcript.jsonl"),
      cwd: folder,
      permission_mode: mode,
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: input,
      tool_use_id: "toolu_proof",
    });
    const write = { file_path: join(folder, "written.txt"), content: "x" };
    const read = { file_path: join(folder, "planted.txt") };
    return Promise.resolve([
      { what: words.write, wanted: "refused", payload: call("plan", "Write", write) },
      { what: words.read, wanted: "passed", payload: call("plan", "Read", read) },
      { what: words.work, wanted: "passed", payload: call("default", "Write", write) },
    ]);
  },
  codex: async (folder) => {
    const call = async (mode: string, command: string): Promise<object> => ({
      session_id: session,
      turn_id: "turn-proof",
      transcript_path: await codexTranscript(folder, mode),
      cwd: folder,
      hook_event_name: "PreToolUse",
      model: "proof",
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: "call_proof",
    });
    return [
      { what: words.write, wanted: "refused", payload: await call("plan", "touch written.txt") },
      { what: words.read, wanted: "passed", payload: await call("plan", "cat planted.txt") },
      { what: words.work, wanted: "passed", payload: await call("default", "touch written.txt") },
    ];
  },
  gemini: (folder) => {
    const call = (tool: string, input: object): object => ({
      session_id: session,
      transcript_path: join(folder, "chat.jsonl"),
      cwd: folder,
      hook_event_name: "BeforeTool",
      timestamp: "2026-01-01T00:00:00.000Z",
      tool_name: tool,
      tool_input: input,
    });
    const write = call("write_file", { file_path: join(folder, "written.txt"), content: "x" });
    const read = call("read_file", { file_path: join(folder, "planted.txt") });
    const [plans, works] = ["plan", "default"].map((mode) => ["gemini", "--approval-mode", mode, "-p", "proof"]);
    return Promise.resolve([
      { what: words.write, wanted: "refused", payload: write, startedBy: plans! },
      { what: words.read, wanted: "passed", payload: read, startedBy: plans! },
      { what: words.work, wanted: "passed", payload: write, startedBy: works! },
    ]);
  },
};

const session = "00000000-0000-7000-8000-000000000000";

/** Its hooks do not tell the mode; the transcript does. */
async function codexTranscript(folder: string, mode: string): Promise<string> {
  const path = join(folder, `rollout-${mode}-${session}.jsonl`);
  const lines = [
    { type: "session_meta", payload: { id: session, cwd: folder } },
    { type: "event_msg", payload: { type: "task_started", turn_id: "turn-proof", collaboration_mode_kind: mode } },
    {
      type: "turn_context",
      payload: { turn_id: "turn-proof", cwd: folder, collaboration_mode: { mode, settings: {} } },
    },
  ];
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}
