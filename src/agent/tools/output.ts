/** What a tool gives back: text, or text that says why not. */
import type { ToolOutput } from "../ports/ports.ts";

export function told(text: string): ToolOutput {
  return { content: [{ type: "text", text }] };
}

export function refused(text: string): ToolOutput {
  return { content: [{ type: "text", text }], isError: true };
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
