/** The tools of opencode in terms of ours. A tool that is not here is not known, and refused while planning. */
import { resolve } from "node:path";
import type { RawCall } from "../agent/ports/ports.ts";
import type { ForeignCall } from "./client.ts";

type Given = Readonly<Record<string, unknown>>;

export interface OpencodeCall {
  readonly name: string;
  readonly given: Given;
  readonly id: string;
  readonly directory: string;
}

export function opencodeCall(call: OpencodeCall): ForeignCall {
  const { name } = call;
  if (Object.hasOwn(known, name)) return known[name]!(call);
  return name.includes("_") ? { kind: "external", name } : { kind: "unknown", name };
}

/** `batch` and `execute` run other tools by a call of their own: not known, so that those are called by themselves. */
const known: Readonly<Record<string, (call: OpencodeCall) => ForeignCall>> = {
  read: (call) => ours(call, "Read", { file_path: pathIn(call, "filePath") }),
  list: (call) => looking(call, "path"),
  lsp: (call) => looking(call, "filePath"),
  glob: (call) => ours(call, "Glob", { pattern: call.given["pattern"], ...folder(call) }),
  grep: (call) => ours(call, "Grep", { pattern: call.given["pattern"], ...folder(call), ...included(call.given) }),
  edit: (call) => ours(call, "Edit", { file_path: pathIn(call, "filePath"), old_string: "", new_string: "" }),
  multiedit: (call) => ours(call, "Edit", { file_path: pathIn(call, "filePath"), old_string: "", new_string: "" }),
  write: (call) => ours(call, "Write", { file_path: pathIn(call, "filePath"), content: "" }),
  patch,
  apply_patch: patch,
  bash: shell,
  webfetch: (call) => ours(call, "WebFetch", { url: call.given["url"] }),
  task: spawn,
  plan_enter: ({ name }) => ({ kind: "enter-plan", name }),
  ...Object.fromEntries(
    [
      "websearch",
      "codesearch",
      "todowrite",
      "todoread",
      "skill",
      "question",
      "invalid",
      "plan_exit",
      "submit_plan",
    ].map((each) => [each, ({ name }: OpencodeCall): ForeignCall => ({ kind: "harmless", name, paths: [] })]),
  ),
};

function ours({ name, id }: OpencodeCall, tool: string, input: Given): ForeignCall {
  return { kind: "ours", name, calls: [{ id, tool, input }], rewrite: null };
}

function looking(call: OpencodeCall, field: string): ForeignCall {
  const path = pathIn(call, field) ?? call.directory;
  return { kind: "harmless", name: call.name, paths: [path] };
}

/** Absolute; undefined where there is none, which no tool of ours takes. */
function pathIn({ given, directory }: OpencodeCall, field: string): string | undefined {
  const path = given[field];
  return typeof path === "string" && path !== "" ? resolve(directory, path) : undefined;
}

function folder(call: OpencodeCall): Given {
  const path = pathIn(call, "path");
  return path === undefined ? {} : { path };
}

function included({ include }: Given): Given {
  return typeof include === "string" && include !== "" ? { glob: include } : {};
}

function shell(call: OpencodeCall): ForeignCall {
  const { name, given, id } = call;
  const directory = pathIn(call, "workdir");
  return {
    kind: "ours",
    name,
    calls: [{ id, tool: "Bash", input: { command: given["command"] } }],
    ...(directory === undefined ? {} : { directory }),
    rewrite: (command) => ({ ...given, command }),
  };
}

/** Every call of an agent below passes the plugin, and is judged by what the session above it does. */
function spawn({ name, given }: OpencodeCall): ForeignCall {
  const { subagent_type: agent } = given;
  return { kind: "spawn", name, agent: typeof agent === "string" ? agent : "", readOnly: true };
}

/** Every file that the patch names. One that names none, or has a heading that we do not know, is no patch that we know. */
function patch(call: OpencodeCall): ForeignCall {
  const { name, given, id } = call;
  const text = given["patchText"] ?? given["patch"];
  const headings = typeof text === "string" ? [...text.matchAll(/^\s*\*\*\* (.*?)\s*$/gm)] : [];
  const calls: RawCall[] = [];
  for (const [, heading = ""] of headings) {
    if (/^(?:Begin Patch|End Patch|End of File)$/.test(heading)) continue;
    const [, what, path] = /^(Add File|Update File|Delete File|Move to): (.+)$/.exec(heading) ?? [];
    if (path === undefined) return { kind: "unknown", name };
    const file_path = resolve(call.directory, path);
    const target = { id: `${id}-${calls.length}`, tool: "Write", input: { file_path, content: "" } };
    calls.push(
      what === "Update File"
        ? { ...target, tool: "Edit", input: { file_path, old_string: "", new_string: "" } }
        : target,
    );
  }
  return calls.length === 0 ? { kind: "unknown", name } : { kind: "ours", name, calls, rewrite: null };
}
