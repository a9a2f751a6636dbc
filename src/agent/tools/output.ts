/** What a tool gives back: text, or text that says why not. */
import type { Prompts } from "../../prompts/index.ts";
import type { ToolOutput } from "../ports/ports.ts";

export function told(text: string): ToolOutput {
  return { content: [{ type: "text", text }] };
}

export function refused(text: string): ToolOutput {
  return { content: [{ type: "text", text }], isError: true };
}

export interface Finds {
  readonly lines: readonly string[];
  readonly isCut: boolean;
  readonly pattern: string;
  readonly path: string;
}

/** What a search found, and how much of the text that is. */
export function found({ lines, isCut, pattern, path }: Finds, prompts: Prompts): ToolOutput {
  const count = lines.length;
  const note = isCut ? [prompts("tools/files/results-cut", { limit: String(count) })] : [];
  const text = count === 0 ? prompts("tools/files/nothing-found", { pattern, path }) : lines.join("\n");
  return { ...told([text, ...note].join("\n\n")), found: { count, isCut } };
}

/** Keeps beginning and end: what a program says last matters most. */
export function cutMiddle(text: string, limit: number, note: (left: number) => string): string {
  if (text.length <= limit) return text;
  const head = wholeCharacters(text.slice(0, Math.ceil(limit / 2)));
  const tail = text.slice(text.length - Math.floor(limit / 2)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n${note(text.length - head.length - tail.length)}\n${tail}`;
}

/** No half of a surrogate pair at the end. */
export function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}
