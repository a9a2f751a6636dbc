/** What a call would change or has changed of a text, as counts and as lines. */
import type { ShownCall } from "../../../agent/tools/show.ts";
import { cutAt, safeLine } from "./safe-text.ts";
import { countOf, type ViewFacts } from "./view-facts.ts";

type Written = NonNullable<ShownCall["change"]>;

export function changeSize(change: Written): string {
  const { removed, added } = linesOfChange(change);
  return change.before === null ? countOf(added.length, "line") : `+${added.length} −${removed.length}`;
}

export function changeLines(change: Written, { width, theme }: ViewFacts): readonly string[] {
  const { removed, added } = linesOfChange(change);
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
function linesOfChange({ before, after }: Written): Change {
  const [old, now] = [linesOf(before ?? ""), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return { removed: old.slice(start, old.length - end), added: now.slice(start, now.length - end) };
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : cutAt(text, 100_000).replace(/\n$/, "").split("\n");
}

const most = 60;
