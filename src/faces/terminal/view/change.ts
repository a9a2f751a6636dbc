/** What a call would change or has changed of a text, as counts and as lines. */
import type { ShownCall } from "../../../agent/tools/show.ts";
import { cutAt, safeLine } from "./safe-text.ts";
import { sameEnds } from "./same-ends.ts";
import { countOf, moreLines, type ViewFacts } from "./view-facts.ts";

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
  return [...lines.slice(0, most), ...moreLines(lines.length - most, theme)];
}

interface Change {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Lines that stand at the beginning or end of both are the same ones. */
function linesOfChange({ before, after }: Written): Change {
  const [old, now] = [linesOf(before ?? ""), linesOf(after)];
  const { start, end } = sameEnds(old, now);
  return { removed: old.slice(start, old.length - end), added: now.slice(start, now.length - end) };
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : cutAt(text, 100_000).replace(/\n$/, "").split("\n");
}

const most = 60;
