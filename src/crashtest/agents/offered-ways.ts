/** The tools of an agent, found by what they are called and what they take: enough for most agents, also for ones that no row knows. */
import { isObject } from "../../core/wire/shape.ts";
import type { ScriptedCall, ScriptedTurn } from "../../testing/loopback/turn.ts";
import type { ModelAsked, OfferedTool, Ways } from "./row.ts";

const names = {
  shell:
    /^(bash|shell|exec_command|run_shell_command|shell_command|execute_command|run_commands?|run_terminal_cmd|terminal|execute|exec)$/i,
  write: /^(write|write_file|writefile|create_file|write_to_file|create|editor)$/i,
  edit: /^(edit|replace|edit_file|editfile|str_replace|strreplacefile|replace_in_file|str_replace_editor|editor)$/i,
  read: /^(read|read_file|readfile|view|read_files)$/i,
  agent: /^(agent|task|invoke_agent|subagent|spawn_agent|delegate|run_agent)$/i,
  present: /^(exitplanmode|exit_plan_mode|submit_plan|plan_exit|plan_mode_respond|present_plan)$/i,
};

const fields = {
  command: /^(command|cmd|script|commands)$/i,
  path: /^(file_?path|path|absolute_path|filename|file|target_file)$/i,
  content: /^(content|contents|text|file_text|data)$/i,
  from: /^(old_?string|old_?str|old_?text|old|search)$/i,
  to: /^(new_?string|new_?str|new_?text|new|replacement|replace)$/i,
  prompt: /^(prompt|task|message|instructions?)$/i,
  type: /^(subagent_type|agent_type|agent_name|agent|type)$/i,
  plan: /^(plan|response|text|content)$/i,
};

export const offeredWays: Ways = {
  shell: (asked, command) => calling(asked, names.shell, [[fields.command, command]]),
  write: (asked, path, text) =>
    calling(asked, names.write, [
      [fields.path, path],
      [fields.content, text],
    ]),
  edit: (asked, path, from, to) => {
    const read = offeredWays.read(asked, path) ?? [];
    const edit = calling(asked, names.edit, [
      [fields.path, path],
      [fields.from, from],
      [fields.to, to],
    ]);
    return edit === null ? null : [...read, ...edit];
  },
  read: (asked, path) => calling(asked, names.read, [[fields.path, path]]),
  agent: (asked, prompt, type) =>
    calling(asked, names.agent, [
      [fields.prompt, prompt],
      [fields.type, agentName(asked, type)],
    ]),
  presentPlan: (asked, text) => calling(asked, names.present, [[fields.plan, text]]),
};

/** Words that agents call such ones by; the description of the tool lists them. */
function agentName({ offered, request }: ModelAsked, type: "writer" | "reader"): string {
  const wanted =
    type === "writer"
      ? ["general-purpose", "generalist", "general", "coder", "worker"]
      : ["Explore", "explore", "codebase_investigator"];
  const told = JSON.stringify([offered, request.body["tools"]]);
  return wanted.find((name) => told.includes(name)) ?? wanted[0]!;
}

/** Never empty. */
type Given = readonly (readonly [field: RegExp, value: string])[];

function calling({ offered }: ModelAsked, name: RegExp, given: Given): readonly ScriptedTurn[] | null {
  const tool = offered.find((each) => name.test(each.name) && takes(each, given[0]![0]));
  return tool === undefined ? null : [turnOf({ tool: tool.name, input: inputFor(tool, given) })];
}

export function turnOf(...calls: readonly ScriptedCall[]): ScriptedTurn {
  return { calls };
}

/** The plan may be left out: many agents read it from its file. */
function takes(tool: OfferedTool, field: RegExp): boolean {
  const known = Object.keys(properties(tool));
  return known.length === 0 || field === fields.plan || known.some((each) => field.test(each));
}

/** What is given under the tool's own names, and something for whatever else it insists on. */
export function inputFor(tool: OfferedTool, given: Given): Record<string, unknown> {
  const known = properties(tool);
  const input: Record<string, unknown> = {};
  for (const [field, value] of given) {
    const name = Object.keys(known).find((each) => field.test(each) && !(each in input));
    if (name !== undefined) input[name] = shaped(value, known[name]);
  }
  const required = tool.schema["required"];
  for (const name of Array.isArray(required) ? required.map(String) : [])
    if (!(name in input)) input[name] = fillerFor(known[name]);
  return input;
}

function properties({ schema }: OfferedTool): Readonly<Record<string, unknown>> {
  return isObject(schema["properties"]) ? schema["properties"] : {};
}

function shaped(value: string, schema: unknown): unknown {
  return isObject(schema) && String(schema["type"]).toLowerCase() === "array" ? [value] : value;
}

function fillerFor(schema: unknown): unknown {
  const { type, enum: choices } = isObject(schema) ? schema : {};
  if (Array.isArray(choices)) return choices[0];
  const kind = String(type).toLowerCase();
  if (kind === "boolean") return false;
  if (kind === "number" || kind === "integer") return 1;
  return kind === "array" ? [] : kind === "object" ? {} : "probe";
}
