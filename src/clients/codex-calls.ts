/** The tools of Codex in terms of ours. A tool that is not here is not known, and refused while planning. */
import type { RawCall } from "../agent/ports/ports.ts";
import type { ForeignCall } from "./client.ts";

type Given = Readonly<Record<string, unknown>>;

export interface CodexCall {
  readonly name: string;
  readonly given: Given;
  readonly id: string;
}

export function codexCall({ name, given, id }: CodexCall): ForeignCall {
  const known = withoutNamespace(name);
  if (known === "Bash") return shell(given, name, id);
  if (known === "apply_patch") return patch(given, name, id);
  if (known === "view_image") return image(given, name);
  if (known === "spawn_agent") return spawn(given, name);
  if (notes.has(known)) return { kind: "harmless", name, paths: [] };
  return name.startsWith("mcp__") || known === "read_mcp_resource"
    ? { kind: "external", name }
    : { kind: "unknown", name };
}

/** A tool of a namespace is called by both names without anything between. */
function withoutNamespace(name: string): string {
  const namespace = ["collaboration", "multi_agent_v1", "clock", "functions"].find((each) => name.startsWith(each));
  const rest = namespace === undefined ? name : name.slice(namespace.length).replace(/^(?:__|[./])/, "");
  return namespace !== undefined && namespaced.has(rest) ? rest : name;
}

/** Look at the client's own state, wait, ask the person, or end something. A message to an agent is judged where it acts. */
const notes: ReadonlySet<string> = new Set(
  (
    "update_plan request_user_input request_user_input_async get_goal update_goal sleep curr_time wait tool_search " +
    "list_mcp_resources list_mcp_resource_templates web_search " +
    "wait_agent close_agent resume_agent send_input list_agents interrupt_agent send_message followup_task"
  ).split(" "),
);

const namespaced: ReadonlySet<string> = new Set([...notes, "spawn_agent"]);

/** The terminal, the shell and the rights that were asked for stand in no payload; the folder stands in `cwd`. */
function shell(given: Given, name: string, id: string): ForeignCall {
  const calls = [{ id, tool: "Bash", input: { command: given["command"] } }];
  return { kind: "ours", name, calls, rewrite: (command) => ({ command }) };
}

/** Agents below run the same hooks, and plan as long as the thread above them plans. */
function spawn({ agent_type: type }: Given, name: string): ForeignCall {
  return { kind: "spawn", name, agent: typeof type === "string" ? type : "default", readOnly: true };
}

function image({ path }: Given, name: string): ForeignCall {
  return typeof path === "string" && path !== ""
    ? { kind: "harmless", name, paths: [path] }
    : { kind: "unknown", name };
}

/** Every file that the patch names. One that names none, or has a heading that we do not know, is no patch that we know. */
function patch({ command }: Given, name: string, id: string): ForeignCall {
  const headings = typeof command === "string" ? [...command.matchAll(/^\s*\*\*\* (.*?)\s*$/gm)] : [];
  const calls: RawCall[] = [];
  for (const [, heading = ""] of headings) {
    const call = headed(heading);
    if (call === null) return { kind: "unknown", name };
    if (call !== "mark") calls.push({ id: `${id}-${calls.length}`, ...call });
  }
  return calls.length === 0 ? { kind: "unknown", name } : { kind: "ours", name, calls, rewrite: null };
}

function headed(heading: string): Pick<RawCall, "tool" | "input"> | "mark" | null {
  if (/^(?:Begin Patch|End Patch|End of File|Environment ID: .*)$/.test(heading)) return "mark";
  const [, what, path] = /^(Add File|Update File|Delete File|Move to): (.+)$/.exec(heading) ?? [];
  if (path === undefined) return null;
  return what === "Update File"
    ? { tool: "Edit", input: { file_path: path, old_string: "", new_string: "" } }
    : { tool: "Write", input: { file_path: path, content: "" } };
}
