/** The tools of Claude Code in terms of ours. A tool that is not here is not known, and refused while planning. */
import type { ForeignCall } from "./client.ts";

type Given = Readonly<Record<string, unknown>>;
type Row = (given: Given, name: string, id: string) => ForeignCall;

/** Only what says what is touched is handed on: our tools take no argument that they do not know. */
export function claudeCall(name: string, given: Given, id: string): ForeignCall {
  const row = rows.get(name);
  if (row !== undefined) return row(given, name, id);
  return name.startsWith("mcp__") ? { kind: "external", name } : { kind: "unknown", name };
}

const file = (tool: string, more: Given = {}): Row => ours(tool, ({ file_path }) => ({ file_path, ...more }));
const harmless: Row = (_, name) => ({ kind: "harmless", name, paths: [] });
const external: Row = (_, name) => ({ kind: "external", name });

const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["Read", file("Read")],
  ["Glob", ours("Glob", ({ pattern, path }) => ({ pattern, ...optional({ path }) }))],
  ["Grep", ours("Grep", ({ pattern, path }) => ({ pattern, ...optional({ path }) }))],
  ["LS", ours("Glob", ({ path }) => ({ pattern: "*", ...optional({ path }) }))],
  ["Write", file("Write", { content: "" })],
  ["Edit", file("Edit", { old_string: "", new_string: "" })],
  ["MultiEdit", file("Edit", { old_string: "", new_string: "" })],
  ["NotebookEdit", ours("NotebookEdit", ({ notebook_path }) => ({ notebook_path, new_source: "" }))],
  ["Bash", shell],
  ["WebFetch", ours("WebFetch", ({ url }) => ({ url }))],
  ["WebSearch", harmless],
  ["BashOutput", harmless],
  ["KillShell", harmless],
  ["TaskOutput", harmless],
  ["TaskStop", harmless],
  ["TodoWrite", harmless],
  ["TaskCreate", harmless],
  ["TaskGet", harmless],
  ["TaskList", harmless],
  ["TaskUpdate", harmless],
  ["ToolSearch", harmless],
  ["StructuredOutput", harmless],
  ["ListMcpResourcesTool", harmless],
  ["CronList", harmless],
  ["ReadMcpResourceTool", external],
  ["ReadMcpResourceDirTool", external],
  ["Task", spawn],
  ["Agent", spawn],
  ["EnterPlanMode", (_, name) => ({ kind: "enter-plan", name })],
]);

function ours(tool: string, input: (given: Given) => Given): Row {
  return (given, name, id) => ({ kind: "ours", name, calls: [{ id, tool, input: input(given) }], rewrite: null });
}

function shell(given: Given, name: string, id: string): ForeignCall {
  const calls = [{ id, tool: "Bash", input: { command: given["command"] } }];
  return { kind: "ours", name, calls, rewrite: (command) => ({ ...given, command }) };
}

/** Agents of the client's own that only look. One with a mode, a team or a place of its own is no longer under this plan. */
const readers: ReadonlySet<string> = new Set(["Explore", "Plan"]);

function spawn(given: Given, name: string): ForeignCall {
  const { subagent_type: type = "general-purpose", mode = "plan", team_name: team, isolation } = given;
  const agent = typeof type === "string" ? type : "?";
  const isOwn = mode === "plan" && team === undefined && isolation === undefined;
  return { kind: "spawn", name, agent, readOnly: isOwn && readers.has(agent) };
}

function optional(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
