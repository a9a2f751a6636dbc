/** Any item of the transcript as lines, none wider than the terminal. */
import type { Item } from "../screen/items.ts";
import { clampLine, columnsOf, cutAt, safeText } from "./safe-text.ts";
import { wrapSpans } from "./spans.ts";
import type { Style } from "./theme.ts";
import { callLines } from "./call.ts";
import { markdownLines } from "./plan-lines.ts";
import { cardLines, planLines } from "./plan.ts";
import { countOf, type ViewFacts } from "./view-facts.ts";
import { welcomeLines } from "./welcome.ts";

export function itemLines(item: Item, facts: ViewFacts): readonly string[] {
  const { theme } = facts;
  switch (item.kind) {
    case "welcome":
      return welcomeLines(item, facts);
    case "user":
      return prefixed(item.text, { facts, prefix: "❯ ", mark: theme.accent, style: theme.bold, most: mostSaid });
    case "text":
      return answerLines(item.text, facts);
    case "call":
      return callLines(item, facts);
    case "plan":
      return planLines(item, facts);
    case "card":
      return cardLines(item, facts);
    case "notice": {
      const style = item.tone === "plain" ? theme.dim : theme[item.tone];
      return prefixed(item.text, { facts, prefix: "· ", mark: style, style });
    }
    case "said":
      return prefixed(item.text, { facts, prefix: "  ", mark: theme.plain, style: theme.plain });
  }
}

/** The first columns are ours: nothing that a model says can look like a dialog, a notice or the person's own words. */
function answerLines(text: string, facts: ViewFacts): readonly string[] {
  const rows = markdownLines(text, { ...facts, width: Math.max(1, facts.width - margin.length) });
  return rows.map((row) => (row === "" ? "" : clampLine(margin + row, facts.width)));
}

interface Prefixed {
  readonly facts: ViewFacts;
  readonly prefix: string;
  readonly mark: Style;
  readonly style: Style;
  /** Lines. */
  readonly most?: number;
}

function prefixed(text: string, { facts, prefix, mark, style, most = mostLines }: Prefixed): readonly string[] {
  const room = Math.max(1, facts.width - prefix.length);
  const safe = safeText(cutAt(text, longest));
  const lines = safe.split("\n").slice(0, most);
  const rows = lines.flatMap((line) =>
    isAddress(line, facts.width) ? [style(line)] : wrapSpans([{ text: line, style }], { width: room }),
  );
  const rest = text.split("\n").length - lines.length;
  const more = rest > 0 ? [facts.theme.dim(`… ${countOf(rest, "more line")}`)] : [];
  return [...rows, ...more].map((row, index) => {
    if (columnsOf(row) > room) return row;
    return clampLine(`${index === 0 ? mark(prefix) : " ".repeat(prefix.length)}${row}`, facts.width);
  });
}

/** One that fits only at the margin stands there: broken in two it could not be copied. */
function isAddress(line: string, width: number): boolean {
  return /^https?:\/\/\S+$/.test(line) && columnsOf(line) <= width;
}

const margin = "  ";
const longest = 100_000;
const mostLines = 400;
/** What a person pasted is theirs to know: its beginning is enough. */
const mostSaid = 30;
