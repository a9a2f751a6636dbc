/** Our tools that a call of another agent can stand for, each loaded when it is named: a hook lives for one call. */
import type { RawCall } from "../../agent/ports/ports.ts";
import type { Tool } from "../../agent/tools/tool.ts";
import { isObject } from "../../core/wire/shape.ts";

/** A tool of another name is not there, and a call of it not valid. */
export async function toolsNamed(name: string): Promise<readonly Tool[]> {
  return Object.hasOwn(ourTools, name) ? [await ourTools[name]!()] : [];
}

export const ourTools: Readonly<Record<string, () => Promise<Tool>>> = {
  Read: async () => (await import("../../agent/tools/read.ts")).readTool,
  Glob: async () => (await import("../../agent/tools/glob.ts")).globTool,
  Grep: async () => (await import("../../agent/tools/grep.ts")).grepTool,
  Edit: async () => (await import("../../agent/tools/edit.ts")).editTool,
  Write: async () => (await import("../../agent/tools/write.ts")).writeTool,
  NotebookEdit: async () => (await import("../../agent/tools/notebook-edit.ts")).notebookEditTool,
  Bash: async () => (await import("../../agent/tools/bash.ts")).bashTool,
  WebFetch: async () => (await import("../../agent/tools/web-fetch.ts")).webFetchTool,
};

/** Shows names, and nothing of what lies in the files. */
export const namesOnly = "Glob";

/** The text of a call that runs a command; null for every other call. */
export function commandLineOf({ tool, input }: RawCall): string | null {
  const text = tool === "Bash" && isObject(input) ? input["command"] : null;
  return typeof text === "string" ? text : null;
}
