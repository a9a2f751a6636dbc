/** Old words and new ones in one line: what both have at their ends is shown once. */
import type { VNode } from "preact";
import { makeVisible } from "../../../../core/wire/visible.ts";

export function OldNew({ old, now }: { readonly old: string; readonly now: string }): VNode {
  const [before, after] = [makeVisible(old), makeVisible(now)];
  const { start, end } = sameEnds(before.match(word) ?? [], after.match(word) ?? []);
  return (
    <p class="old-new" dir="auto">
      {shortened(before.slice(0, start), "end")}
      {before.length > start + end && <del>{before.slice(start, before.length - end)}</del>}
      {after.length > start + end && <ins>{after.slice(start, after.length - end)}</ins>}
      {shortened(end === 0 ? "" : before.slice(-end), "start")}
    </p>
  );
}

const word = /\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

/** In characters; whole words only. */
function sameEnds(old: readonly string[], now: readonly string[]): { readonly start: number; readonly end: number } {
  const most = Math.min(old.length, now.length);
  let first = 0;
  while (first < most && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < most - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last += 1;
  return { start: old.slice(0, first).join("").length, end: old.slice(old.length - last).join("").length };
}

const mostAround = 60;

function shortened(text: string, kept: "start" | "end"): string {
  if (text.length <= mostAround) return text;
  return kept === "end" ? `… ${text.slice(-mostAround)}` : `${text.slice(0, mostAround)} …`;
}
