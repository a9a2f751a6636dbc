/** What to say when the text to replace is not there: the likeliest slip, with the place. */
import type { RunContext } from "../ports/host.ts";
import { judgedPathOf } from "./paths.ts";

export function noMatch(text: string, wanted: string, context: RunContext): string {
  const hint = hintFor(text, wanted, context);
  return context.prompts("tools/edit/no-match", { path: judgedPathOf(context.access), hint });
}

const longestExcerpt = 1500;
/** Larger files are not searched for what is merely like it. */
const largestText = 2 * 1024 * 1024;

function hintFor(text: string, wanted: string, { prompts }: RunContext): string {
  const asked = wanted.split("\n");
  if (asked.every((line) => line.trim() === "" || /^\s*\d+\t/.test(line))) return prompts("tools/edit/hint-numbers");
  if (text.length > largestText) return prompts("tools/edit/hint-none");
  const lines = text.split("\n");
  const at = indexOfLoose(lines, trimBlank(asked));
  if (at !== null) {
    const excerpt = lines.slice(at.from, at.to).join("\n").slice(0, longestExcerpt);
    return prompts("tools/edit/hint-space", { from: String(at.from + 1), to: String(at.to), text: excerpt });
  }
  const first = loose(asked.find((line) => line.trim() !== "") ?? "");
  const found = first === "" ? [] : lines.flatMap((line, number) => (loose(line) === first ? [number + 1] : []));
  if (found.length === 0) return prompts("tools/edit/hint-none");
  return prompts("tools/edit/hint-first", { lines: found.slice(0, 5).join(", ") });
}

/** Where the lines stand if white space does not count, lines of it included. */
function indexOfLoose(
  lines: readonly string[],
  wanted: readonly string[],
): { readonly from: number; readonly to: number } | null {
  const have = lines.map(loose);
  const want = wanted.map(loose);
  if (want.length === 0) return null;
  for (let from = 0; from + want.length <= have.length; from += 1) {
    if (want.every((line, at) => have[from + at] === line)) return { from, to: from + want.length };
  }
  return null;
}

function loose(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.trim() !== "");
  const to = lines.findLastIndex((line) => line.trim() !== "");
  return from < 0 ? [] : lines.slice(from, to + 1);
}
