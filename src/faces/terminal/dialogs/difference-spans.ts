/** Lines of a difference as styled text: coloured, signed, and with the words that differ standing out. */
import { safeText } from "../view/safe-text.ts";
import type { StyledSpan } from "../view/spans.ts";
import type { Style, Theme } from "../view/theme.ts";
import { changedParts, type ChangedPart, type DifferenceLine } from "./difference.ts";
import { piecesOf } from "../view/plan-lines.ts";

export type ShownDifference =
  | { readonly kind: "gap"; readonly count: number }
  | {
      readonly kind: "same" | "added" | "removed";
      /** In the new text; null for a line that went. */
      readonly number: number | null;
      readonly style: Style;
      readonly spans: readonly StyledSpan[];
    };

/** Very long lines come in pieces; the text is made harmless when it is asked for. */
export function shownDifference(lines: readonly DifferenceLine[], theme: Theme): readonly (() => ShownDifference)[] {
  const parts = changedParts(lines);
  return lines.flatMap((line, index): readonly (() => ShownDifference)[] => {
    if (line.kind === "gap") return [() => line];
    const style = line.kind === "same" ? theme.plain : theme[line.kind];
    const number = line.kind === "removed" ? null : line.after;
    const part = parts.get(index);
    const pieces = part === undefined ? piecesOf(line.text) : [line.text];
    return pieces.map((text) => () => ({
      kind: line.kind,
      number,
      style,
      spans: part === undefined ? [{ text: safeText(text), style }] : emphasised(text, part, { style, theme }),
    }));
  });
}

function emphasised(
  text: string,
  { from, to }: ChangedPart,
  { style, theme }: { readonly style: Style; readonly theme: Theme },
): readonly StyledSpan[] {
  const loud: Style = (words) => style(theme.bold(theme.underline(words)));
  const spans = [
    { text: safeText(text.slice(0, from)), style },
    { text: safeText(text.slice(from, to)), style: loud },
    { text: safeText(text.slice(to)), style },
  ];
  const shown = spans.filter((span) => span.text !== "");
  return shown.length === 0 ? [{ text: "" }] : shown;
}
