/** How calls are shown to people, on every face: derived from the tool's row. */
import { homedir } from "node:os";
import type { ShowInput, ShownResult, Tool } from "./tool.ts";

export interface ShownCall extends ShownResult {
  readonly label: string;
  readonly about: string;
  readonly brief: string;
  readonly claims: Tool["claims"];
}

export type ShowCall = (tool: string, input: unknown) => ShownCall;

/** Paths are shown from the directory, else from the person's home. */
export function callShower(tools: readonly Tool[], directory: string): ShowCall {
  const rows = new Map(tools.map((tool) => [tool.name, tool]));
  return (name, input) => {
    const row = rows.get(name);
    const told = (from: string): ShownResult => row?.show?.(readInput(input, from)) ?? { about: asJson(input) };
    const shown = told(directory);
    const { about = "", brief = told("").about ?? "" } = shown;
    const label = row?.label ?? name;
    return { ...shown, label, about, brief: brief === "" ? name : `${name} ${brief}`, claims: row?.claims ?? [] };
  };
}

export function shortPath(path: string, directory: string): string {
  if (directory !== "" && path === directory) return "";
  if (directory !== "" && path.startsWith(`${directory}/`)) return path.slice(directory.length + 1);
  const home = homedir();
  return home.length > 1 && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function readInput(input: unknown, directory: string): ShowInput {
  const fields = new Map<string, unknown>(Object.entries(Object(input)));
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    text,
    path: (name) => shortPath(text(name), directory),
    list: (name) => {
      const value = fields.get(name);
      return Array.isArray(value) ? value : [];
    },
  };
}

function asJson(input: unknown): string {
  return Object.keys(Object(input)).length === 0 ? "" : JSON.stringify(input);
}
