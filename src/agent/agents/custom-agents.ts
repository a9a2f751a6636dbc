/** A person's own agents: Markdown files with front matter; what is wrong in one is told with its line, the others count. */
import { posix } from "node:path";
import type { CustomAgent } from "./agent-kinds.ts";
import type { Files } from "../ports/ports.ts";

const largestFile = 64 * 1024;
const mostAgents = 30;
const longestDescription = 200;

export interface AgentsFolder {
  readonly files: Files;
  readonly folder: string;
  /** The names of those that there are. */
  readonly tools: readonly string[];
}

/** Never throws; a folder that is not there holds none. */
export async function readCustomAgents({ files, folder, tools }: AgentsFolder) {
  const agents: CustomAgent[] = [];
  /** One sentence each, with file and line. */
  const problems: string[] = [];
  const names = (await files.list?.(folder).catch(() => [])) ?? [];
  const found = names.filter((name) => name.endsWith(".md"));
  for (const name of found.slice(0, mostAgents)) {
    const file = posix.join(folder, name);
    const text = await readAgent(files, file).catch((error: unknown) => ({ problem: String(error) }));
    const parsed = typeof text === "string" ? parseAgent(text, tools) : { line: 1, problem: text.problem };
    if ("problem" in parsed) problems.push(`${file}:${parsed.line}: ${parsed.problem}`);
    else if (isTaken(parsed.name, agents)) problems.push(`${file}:1: there is an agent named ${parsed.name} already.`);
    else agents.push(parsed);
  }
  if (found.length > mostAgents) problems.push(`${folder}: only the first ${mostAgents} agents are used.`);
  return { agents, problems };
}

export interface AgentProblem {
  readonly line: number;
  readonly problem: string;
}

/** Front matter between two lines of `---`, then the agent's instructions. */
export function parseAgent(text: string, tools: readonly string[]): CustomAgent | AgentProblem {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (lines[0]?.trimEnd() !== "---" || end === -1) {
    return { line: 1, problem: "it must begin with front matter between two lines of ---." };
  }
  const fields = readFields(lines.slice(1, end));
  if ("problem" in fields) return fields;
  const body = lines.slice(end + 1).join("\n");
  if (body.trim() === "") return { line: end + 1, problem: "there are no instructions after the front matter." };
  return agentOf(fields, body, tools);
}

type Field = { readonly line: number; readonly value: string | readonly string[] };
type Fields = ReadonlyMap<string, Field>;

const known: readonly string[] = ["name", "description", "tools", "model"];

function readFields(lines: readonly string[]): Fields | AgentProblem {
  const fields = new Map<string, Field>();
  let key: string | null = null;
  for (const [index, text] of lines.entries()) {
    const line = index + 2;
    const item = /^\s+-\s+(.+)$|^-\s+(.+)$/.exec(text);
    const open = key === null ? undefined : fields.get(key);
    if (text.trim() === "" || /^\s*#/.test(text)) continue;
    if (item !== null && open !== undefined && (open.value === "" || Array.isArray(open.value))) {
      const before = Array.isArray(open.value) ? (open.value as readonly string[]) : [];
      fields.set(key!, { line: open.line, value: [...before, unquoted(item[1] ?? item[2]!)] });
      continue;
    }
    const pair = /^([A-Za-z][\w-]*):(?:\s+(.*))?$/.exec(text);
    if (pair === null) return { line, problem: "this line is not `key: value`." };
    key = pair[1]!;
    if (!known.includes(key)) return { line, problem: `${key} is not known; there are ${known.join(", ")}.` };
    if (fields.has(key)) return { line, problem: `${key} is given twice.` };
    fields.set(key, { line, value: valueOf((pair[2] ?? "").trim()) });
  }
  return fields;
}

function agentOf(fields: Fields, body: string, all: readonly string[]): CustomAgent | AgentProblem {
  const name = fields.get("name");
  if (typeof name?.value !== "string" || !/^[A-Za-z][A-Za-z0-9_-]{0,39}$/.test(name.value)) {
    return { line: name?.line ?? 1, problem: "name must be given: letters, digits, - and _, at most 40." };
  }
  const description = fields.get("description");
  if (typeof description?.value !== "string" || description.value === "") {
    return { line: description?.line ?? 1, problem: "description must be given: when to use the agent, in one line." };
  }
  const model = fields.get("model");
  if (model !== undefined && (typeof model.value !== "string" || model.value === "")) {
    return { line: model.line, problem: "model must be small, session, or <provider>/<name>." };
  }
  const tools = fields.get("tools");
  const wanted = tools === undefined ? null : listOf(tools.value);
  const unknown = wanted?.find((tool) => !all.includes(tool) && !tool.startsWith("mcp__"));
  if (unknown !== undefined) {
    return { line: tools!.line, problem: `there is no tool ${unknown} for agents; there are ${all.join(", ")}.` };
  }
  return {
    name: name.value,
    description: shortened(description.value),
    tools: wanted,
    model: modelOf(typeof model?.value === "string" ? model.value : "session"),
    body,
  };
}

function modelOf(text: string): CustomAgent["model"] {
  if (text === "small" || text === "session") return text;
  return text === "inherit" ? "session" : { name: text };
}

function listOf(value: Field["value"]): readonly string[] {
  const all = typeof value === "string" ? value.split(",") : value;
  return all.map((tool) => tool.trim()).filter((tool) => tool !== "");
}

/** `[a, b]`, a quoted text, or plain words. */
function valueOf(text: string): Field["value"] {
  const list = /^\[(.*)\]$/.exec(text);
  return list === null ? unquoted(text) : list[1]!.split(",").map((part) => unquoted(part.trim()));
}

function unquoted(text: string): string {
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(text.trim());
  return quoted === null ? text.trim() : (quoted[1] ?? quoted[2]!);
}

function shortened(text: string): string {
  return text.length <= longestDescription ? text : `${text.slice(0, longestDescription - 1)}…`;
}

function isTaken(name: string, agents: readonly CustomAgent[]): boolean {
  const taken = ["explore", "plan", "general-purpose", ...agents.map((agent) => agent.name.toLowerCase())];
  return taken.includes(name.toLowerCase());
}

async function readAgent(files: Files, file: string): Promise<string | { readonly problem: string }> {
  const stat = await files.stat(file);
  if (stat?.kind !== "file") return { problem: "it is not a regular file." };
  if (stat.size > largestFile) return { problem: `it is larger than ${largestFile / 1024} KB.` };
  return new TextDecoder("utf-8").decode(await files.readBytes(file, { limit: largestFile }));
}
