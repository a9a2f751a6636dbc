/** The approved plan after its dot, the rejected one in its box (R15.3), and the plan card of `/plan`. */
import { saidIn } from "../../../core/verdict.ts";
import { shortPath } from "../../../agent/tools/show.ts";
import type { CardItem, PlanItem } from "../screen/items.ts";
import { clampLine, cutAt, padded, safeLine, safeText, styles } from "./safe-text.ts";
import { wrapSpans, wrapText } from "./spans.ts";
import { markdownLines } from "./plan-lines.ts";
import { dot, type ViewFacts } from "./view-facts.ts";

export function planLines(item: PlanItem, facts: ViewFacts): readonly string[] {
  return item.outcome === "approved" ? approved(item, facts) : rejected(item, facts);
}

export function cardLines({ title, path, content, hint }: CardItem, facts: ViewFacts): readonly string[] {
  const { theme, width } = facts;
  const rows = markdownLines(content, { ...facts, width: Math.max(1, width - 2) });
  return [
    theme.plan(theme.bold(safeLine(title, width))),
    ...wrapSpans([{ text: safeText(cutAt(path, 4_000)).replaceAll("\n", " "), style: theme.dim }], { width }),
    "",
    ...rows.map((row) => clampLine(`  ${row}`, width)),
    ...(hint === null ? [] : ["", theme.dim(safeLine(hint, width))]),
  ];
}

function approved({ plan, file, remark }: PlanItem, facts: ViewFacts): readonly string[] {
  const { theme, width, platform } = facts;
  const rows = markdownLines(plan, { ...facts, width: Math.max(1, width - 2) });
  const words = ["Plan approved", ...(remark === "" ? [] : [safeText(cutAt(remark, 1_000)).replaceAll("\n", " ")])];
  const head = wrapSpans([{ text: words.join(" · "), style: (text) => theme.plan(theme.bold(text)) }], {
    width: Math.max(1, width - 2),
  });
  return [
    ...head.map((row, index) => `${index === 0 ? theme.plan(dot(platform)) : " "} ${row}`),
    clampLine(`  ${theme.dim(safeLine(shortPath(file, facts.directory), Math.max(1, width - 2)))}`, width),
    "",
    ...rows.map((row) => clampLine(`  ${row}`, width)),
  ];
}

/** A rounded, dimmed box under a red line. */
function rejected({ plan, remark, comments }: PlanItem, facts: ViewFacts): readonly string[] {
  const { theme, width } = facts;
  const inner = Math.max(1, width - 4);
  const plain = { ...facts, width: inner, highlight: null };
  const rows = markdownLines(plan, plain).map((row) => row.replaceAll(styles, ""));
  const said = safeText(cutAt(remark.trim(), 4_000));
  const feedback = said === "" ? [] : wrapText(said, inner);
  return [
    clampLine(theme.error("Plan sent back; still in plan mode"), width),
    theme.faint(`╭${"─".repeat(inner + 2)}╮`),
    ...rows.map((row) => `${theme.faint("│")} ${theme.dim(padded(row, inner))} ${theme.faint("│")}`),
    theme.faint(`╰${"─".repeat(inner + 2)}╯`),
    ...feedback.map((line) => clampLine(`  ${line}`, width)),
    ...comments.map((comment) => {
      const said = safeLine(saidIn(comment).join("\n"), Math.max(8, width - 24));
      return clampLine(`  ${theme.accent(`${comment.kind}, line ${comment.from}:`)} ${said}`, width);
    }),
  ];
}
