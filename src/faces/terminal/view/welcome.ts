/** The first thing a stranger sees: what it is, which model is in use, how to get help. */
import type { WelcomeItem } from "../screen/items.ts";
import { clampLine, safeLine } from "./safe-text.ts";
import { wrapSpans } from "./spans.ts";
import { dot, type ViewFacts } from "./view-facts.ts";

export function welcomeLines({ version, directory, model, tip }: WelcomeItem, facts: ViewFacts): readonly string[] {
  const { theme, width, platform } = facts;
  const rows = (text: string, style = theme.dim): readonly string[] =>
    wrapSpans([{ text: `  ${text}`, style }], { width, hanging: 2 });
  const title = [
    { text: `${dot(platform)} `, style: theme.plan },
    { text: `Groundplan ${version}`, style: theme.bold },
    { text: ": it reads, plans, and changes nothing until you approve." },
  ];
  return [
    ...wrapSpans(title, { width, hanging: 2 }),
    ...rows("Say what you want, or /plan <task> for a plan first. /help for more."),
    ...rows(modelWords(model)),
    clampLine(`  ${theme.dim(safeLine(`folder: ${directory}`, Math.max(1, width - 2)))}`, width),
    ...(tip === null ? [] : rows(`tip: ${safeLine(tip, 200)}`, theme.accent)),
  ];
}

function modelWords(model: string | null): string {
  if (model === null) return "model: …";
  if (model !== "scout") return `model: ${safeLine(model, 60)}`;
  return "model: scout, the built-in offline planner";
}
