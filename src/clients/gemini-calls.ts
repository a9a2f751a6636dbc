/** The tools of Gemini CLI in terms of ours. A tool that is not here is not known, and refused while planning. */
import { isAbsolute, relative, resolve } from "node:path";
import { isObject } from "../core/wire/shape.ts";
import type { ForeignCall } from "./client.ts";

type Given = Readonly<Record<string, unknown>>;

export interface GeminiCall {
  readonly name: string;
  readonly given: Given;
  /** Of a tool of an MCP server, the client's own word on whose it is. */
  readonly server: unknown;
  readonly directory: string;
  readonly plansDirectory: string | null;
}

export function geminiCall(call: GeminiCall): ForeignCall {
  const { name, server } = call;
  if (isObject(server))
    return { kind: "external", name: `mcp__${String(server["server_name"])}__${String(server["tool_name"])}` };
  if (Object.hasOwn(known, name)) return known[name]!(call);
  return name.startsWith("mcp_") ? { kind: "external", name } : { kind: "unknown", name };
}

const known: Readonly<Record<string, (call: GeminiCall) => ForeignCall>> = {
  read_file: (call) => ours(call, "Read", { file_path: pathIn(call, "file_path", "absolute_path", "path") }),
  read_many_files: (call) => looking(call, [call.directory]),
  list_directory: (call) => looking(call, [folderIn(call) ?? call.directory]),
  glob: (call) => ours(call, "Glob", { pattern: call.given["pattern"], ...folder(call) }),
  grep_search: search,
  search_file_content: search,
  replace: (call) => ours(call, "Edit", { file_path: writtenPath(call), old_string: "", new_string: "" }),
  write_file: (call) => ours(call, "Write", { file_path: writtenPath(call), content: "" }),
  run_shell_command: shell,
  web_fetch: fetching,
  invoke_agent: ({ name, given }) => spawn(name, given["agent_name"]),
  delegate_to_agent: ({ name, given }) => spawn(name, given["agent_name"]),
  ...each(["codebase_investigator", "cli_help", "generalist"], ({ name }) => spawn(name, name)),
  read_mcp_resource: ({ name }) => ({ kind: "external", name }),
  enter_plan_mode: ({ name }) => ({ kind: "enter-plan", name }),
  ...each(
    (
      "google_web_search write_todos activate_skill ask_user get_internal_docs update_topic complete_task " +
      "list_mcp_resources list_background_processes read_background_output tracker_create_task " +
      "tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize"
    ).split(" "),
    (call) => looking(call, []),
  ),
};

function each(names: readonly string[], row: (call: GeminiCall) => ForeignCall): Readonly<Record<string, typeof row>> {
  return Object.fromEntries(names.map((name) => [name, row]));
}

function ours({ name }: GeminiCall, tool: string, input: Given): ForeignCall {
  return { kind: "ours", name, calls: [{ id: name, tool, input }], rewrite: null };
}

function looking({ name }: GeminiCall, paths: readonly string[]): ForeignCall {
  return { kind: "harmless", name, paths };
}

/** Absolute; undefined where there is none, which no tool of ours takes. */
function pathIn({ given, directory }: GeminiCall, ...fields: readonly string[]): string | undefined {
  const path = fields.map((field) => given[field]).find((value) => value !== undefined);
  return typeof path === "string" && path.trim() !== "" ? resolve(directory, path) : undefined;
}

function folderIn(call: GeminiCall): string | undefined {
  return pathIn(call, "dir_path", "path", "directory");
}

function folder(call: GeminiCall): Given {
  const path = folderIn(call);
  return path === undefined ? {} : { path };
}

function search(call: GeminiCall): ForeignCall {
  const include = call.given["include_pattern"] ?? call.given["include"];
  const glob = typeof include === "string" && include !== "" ? { glob: include } : {};
  return ours(call, "Grep", { pattern: call.given["pattern"], ...folder(call), ...glob });
}

/** While it plans the client writes below the folder of its plans, whatever the name is relative to. */
function writtenPath({ given, directory, plansDirectory }: GeminiCall): string | undefined {
  const { file_path: path } = given;
  return typeof path === "string" && path.trim() !== ""
    ? planPath(path.trim(), directory, plansDirectory ?? directory)
    : undefined;
}

/** Where the client finds a plan: as it stands or from the project's root where that lies in the folder, else from the folder. */
export function planPath(path: string, directory: string, plansDirectory: string): string {
  const here = resolve(directory, path);
  return isAbsolute(path) || isBelow(here, plansDirectory) ? here : resolve(plansDirectory, path);
}

export function isBelow(path: string, folderPath: string): boolean {
  const way = relative(folderPath, path);
  return way !== "" && way !== ".." && !way.startsWith("../") && !isAbsolute(way);
}

/** Arguments replace all that the model gave: none may be left out. */
function shell(call: GeminiCall): ForeignCall {
  const { name, given } = call;
  const directory = folderIn(call);
  return {
    kind: "ours",
    name,
    calls: [{ id: name, tool: "Bash", input: { command: given["command"] } }],
    ...(directory === undefined ? {} : { directory }),
    rewrite: (command) => ({ ...given, command }),
  };
}

/** The addresses stand in the words of a prompt: as the client takes them, whole words, and as they look. */
function fetching({ name, given }: GeminiCall): ForeignCall {
  const words = [given["url"], given["prompt"]].filter((value) => typeof value === "string").join(" ");
  const whole = words.split(/\s+/).filter((word) => word.includes("://") && URL.canParse(word));
  const urls = [...new Set([...whole, ...(words.match(/https?:\/\/[^\s"'<>)\]]+/gi) ?? [])])];
  if (urls.length === 0) return { kind: "unknown", name };
  const calls = urls.map((url, index) => ({ id: `${name}-${index}`, tool: "WebFetch", input: { url } }));
  return { kind: "ours", name, calls, rewrite: null };
}

/** Agents below run the same hooks under the same policies. */
function spawn(name: string, agent: unknown): ForeignCall {
  return { kind: "spawn", name, agent: typeof agent === "string" ? agent : "", readOnly: true };
}
