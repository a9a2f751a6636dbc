/** Markdown as lines of a terminal: foreign text made harmless first, every line within the width. */
import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { Markdown } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { clampLine, columnsOf, cutAt, safeText } from "./safe-text.ts";
import type { ViewFacts } from "./view.ts";

export type MarkdownFacts = Pick<ViewFacts, "width" | "theme" | "highlight">;

export function markdownLines(text: string, { width, theme, highlight }: MarkdownFacts): readonly string[] {
  const shown = cutAt(text, longest);
  const highlightCode = (code: string, language?: string): string[] => {
    const lines = language === undefined || language === "" ? null : (highlight?.(code, language) ?? null);
    return [...(lines ?? code.split("\n"))];
  };
  const component = new Markdown(safeText(shown), 0, 0, { ...theme.markdown, highlightCode });
  const lines = withoutEdges(component.render(Math.max(1, width)).flatMap((line) => fitted(line.trimEnd(), width)));
  const rest = text.length - shown.length;
  return rest === 0 ? lines : [...lines, theme.warning(`… ${rest.toLocaleString("en-US")} more characters`)];
}

/** Blank lines around it are the transcript's own matter. */
function withoutEdges(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

/** Terminals differ on how wide some characters are: a line that may be too wide is broken once more. */
export function fitted(line: string, width: number): readonly string[] {
  const columns = columnsOf(line);
  if (columns <= width) return [clampLine(line, width)];
  const narrower = Math.max(1, Math.floor((width * visibleWidth(line)) / columns) - 1);
  return wrapTextWithAnsi(line, narrower).map((part) => clampLine(part.trimEnd(), width));
}

const longest = 200_000;
