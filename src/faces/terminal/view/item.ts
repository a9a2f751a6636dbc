/** Any item of the transcript as lines, none wider than the terminal. */
import type { Item, Tone, WelcomeItem } from "../items.ts";
import { clampLine, cutAt, safeLine, safeText } from "../safe-text.ts";
import { wrapSpans } from "../spans.ts";
import type { Style, Theme } from "../theme.ts";
import { callLines } from "./call.ts";
import { markdownLines } from "./markdown.ts";
import { cardLines, planLines } from "./plan.ts";
import { dot, type ViewFacts } from "./view.ts";

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

/** Calls and notices stand together; everything else has air around it. */
export function hasGap(before: Item | undefined, item: Item): boolean {
  if (before === undefined) return false;
  const isSmall = (one: Item): boolean => one.kind === "call" || one.kind === "notice";
  return !(isSmall(before) && before.kind === item.kind) && !(before.kind === "user" && item.kind === "said");
}

function welcomeLines({ version, directory, model, tip }: WelcomeItem, facts: ViewFacts): readonly string[] {
  const { theme, width } = facts;
  const isScout = model === "scout";
  const about = isScout
    ? "scout plans offline, without a model key; with a key a model also does the work"
    : model === null
      ? "…"
      : `with ${safeLine(model, 60)}`;
  const rows = [
    ...wrapSpans(
      [
        { text: `${dot(facts.platform)} `, style: theme.plan },
        { text: `Groundplan ${version}`, style: theme.bold },
        { text: " reads first, writes a plan, and changes nothing until you approve it." },
      ],
      { width, hanging: 2 },
    ),
    ...wrapSpans([{ text: `  ${about}`, style: theme.dim }], { width, hanging: 2 }),
    clampLine(`  ${theme.dim(safeLine(`in ${directory}`, Math.max(1, width - 2)))}`, width),
    ...wrapSpans([{ text: "  /help for commands and keys, /plan <task> to begin with a plan", style: theme.dim }], {
      width,
      hanging: 2,
    }),
  ];
  return tip === null ? rows : [...rows, ...wrapSpans([{ text: `  ${tip}`, style: theme.accent }], { width, hanging: 2 })];
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
  return [...rows, ...more].map((row, index) => clampLine(`${index === 0 ? mark(prefix) : " ".repeat(prefix.length)}${row}`, facts.width));
}

function toneStyle(tone: Tone, theme: Theme): Style {
  return tone === "error" ? theme.error : tone === "warning" ? theme.warning : theme.dim;
}

const longest = 100_000;
const mostLines = 400;
