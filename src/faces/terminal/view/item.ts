/** Any item of the transcript as lines, none wider than the terminal. */
import type { Item, Tone } from "../items.ts";
import { clampLine, cutAt, safeText } from "../safe-text.ts";
import { wrapSpans } from "../spans.ts";
import type { Style, Theme } from "../theme.ts";
import { callLines } from "./call.ts";
import { markdownLines } from "./markdown.ts";
import { cardLines, planLines } from "./plan.ts";
import type { ViewFacts } from "./view.ts";
import { welcomeLines } from "./welcome.ts";

export function itemLines(item: Item, facts: ViewFacts): readonly string[] {
  switch (item.kind) {
    case "welcome":
      return welcomeLines(item, facts);
    case "user":
      return prefixed(item.text, { facts, prefix: "❯ ", mark: facts.theme.accent, style: facts.theme.bold });
    case "text":
      return markdownLines(item.text, facts);
    case "call":
      return callLines(item, facts);
    case "plan":
      return planLines(item, facts);
    case "card":
      return cardLines(item, facts);
    case "notice": {
      const style = toneStyle(item.tone, facts.theme);
      return prefixed(item.text, { facts, prefix: "· ", mark: style, style });
    }
    case "said":
      return prefixed(item.text, { facts, prefix: "  ", mark: facts.theme.plain, style: facts.theme.plain });
  }
}

interface Prefixed {
  readonly facts: ViewFacts;
  readonly prefix: string;
  readonly mark: Style;
  readonly style: Style;
}

function prefixed(text: string, { facts, prefix, mark, style }: Prefixed): readonly string[] {
  const room = Math.max(1, facts.width - prefix.length);
  const safe = safeText(cutAt(text, longest));
  const lines = safe.split("\n");
  const rows = lines.slice(0, mostLines).flatMap((line) => wrapSpans([{ text: line, style }], { width: room }));
  const rest = lines.length - mostLines;
  const more = rest > 0 ? [facts.theme.dim(`… ${rest} more lines`)] : [];
  return [...rows, ...more].map((row, index) =>
    clampLine(`${index === 0 ? mark(prefix) : " ".repeat(prefix.length)}${row}`, facts.width),
  );
}

function toneStyle(tone: Tone, theme: Theme): Style {
  return tone === "error" ? theme.error : tone === "warning" ? theme.warning : theme.dim;
}

const longest = 100_000;
const mostLines = 400;
