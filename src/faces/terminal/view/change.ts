/** What a Write or Edit would change or has changed, as counts and as lines. */
import type { CallItem } from "../screen/items.ts";
import { cutAt, safeLine } from "./safe-text.ts";
import { countOf, type ViewFacts } from "./view.ts";

export function changeSize(call: CallItem): string {
  const { removed, added } = changeOf(call);
  if (call.tool === "Write") return countOf(added.length, "line");
  return `+${added.length} −${removed.length}`;
}

export function changeLines(call: CallItem, { width, theme }: ViewFacts): readonly string[] {
  const { removed, added } = changeOf(call);
  const room = Math.max(1, width - 8);
  const lines = [
    ...removed.map((line) => `      ${theme.removed(`- ${safeLine(line, room)}`)}`),
    ...added.map((line) => `      ${theme.added(`+ ${safeLine(line, room)}`)}`),
  ];
  const rest = lines.length - most;
  return rest > 0 ? [...lines.slice(0, most), `      ${theme.faint(`… ${countOf(rest, "more line")}`)}`] : lines;
}

interface Change {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Lines that stand at the beginning or end of both are the same ones. */
function changeOf({ input }: CallItem): Change {
  const old = linesOf(input, "old_string");
  const now = [...linesOf(input, "new_string"), ...linesOf(input, "content")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return { removed: old.slice(start, old.length - end), added: now.slice(start, now.length - end) };
}

function linesOf(input: unknown, name: string): readonly string[] {
  const value = typeof input === "object" && input !== null ? (input as Readonly<Record<string, unknown>>)[name] : "";
  if (typeof value !== "string" || value === "") return [];
  return cutAt(value, 100_000).replace(/\n$/, "").split("\n");
}

const most = 60;
