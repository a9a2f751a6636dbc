/** Markdown as lines of a terminal: foreign text made harmless, nothing left out, every line within the width. */
import { planLines } from "./plan-lines.ts";
import { cutAt } from "./safe-text.ts";
import type { ViewFacts } from "./view-facts.ts";

export type MarkdownFacts = Pick<ViewFacts, "width" | "theme" | "highlight">;

export function markdownLines(text: string, { width, theme, highlight }: MarkdownFacts): readonly string[] {
  const shown = cutAt(text, longest);
  const look = { theme, highlight, codeMargin: "  " };
  const lines = withoutEdges(planLines(shown, look).flatMap((line) => line.rows(Math.max(1, width))));
  const rest = text.length - shown.length;
  return rest === 0 ? lines : [...lines, theme.warning(`… ${rest.toLocaleString("en-US")} more characters`)];
}

/** Blank lines around it are the transcript's own matter. */
function withoutEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

const longest = 200_000;
