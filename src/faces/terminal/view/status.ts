/** The lines at the bottom: what is being done, and the status line (R15.1, B7.3). */
import { basename } from "node:path";
import { isPlanning } from "../../../core/mode.ts";
import { statusLabel } from "../../../core/selectors.ts";
import type { Session } from "../../../core/session.ts";
import { planProgress } from "../../../core/transitions/drift.ts";
import type { SessionLink } from "../link.ts";
import type { Phase } from "../screen/phase.ts";
import type { Doing, Screen } from "../screen/screen.ts";
import { clampLine, columnsOf, safeLine } from "./safe-text.ts";
import { countOf, type ViewLook } from "./view-facts.ts";
import { shortCount, tokensOf } from "../../../core/usage.ts";

export interface StatusFacts extends ViewLook, Pick<Screen, "session" | "phase" | "model" | "sandbox"> {
  readonly costOf: SessionLink["costOf"];
  /** Shown instead of the rest: "press ctrl+c again to leave". */
  readonly hint: string | null;
}

export function statusLines(facts: StatusFacts): readonly string[] {
  const { session, width, theme, hint } = facts;
  if (hint !== null) return [clampLine(`  ${theme.warning(safeLine(hint, Math.max(1, width - 2)))}`, width)];
  const left = session === null ? theme.dim("starting …") : modeWords(session, facts);
  const phase = facts.phase === null ? [] : [phaseWords(facts.phase)];
  const parts = rightParts(facts);
  const right = parts.join(" · ");
  if (columnsOf(left) + columnsOf(right) + 5 <= width) {
    const gap = " ".repeat(width - columnsOf(left) - columnsOf(right) - 4);
    return [`  ${left}${gap}${theme.dim(right)}`];
  }
  const label = session === null ? left : modeWords(session, { ...facts, phase: null });
  const below = [...phase, ...parts];
  const lines = [clampLine(`  ${label}`, width)];
  return below.length === 0 ? lines : [...lines, clampLine(`  ${theme.dim(fitting(below, width - 2))}`, width)];
}

function modeWords(session: Session, { phase, theme }: StatusFacts): string {
  const { mode } = session.permissions;
  const label = statusLabel(session);
  const progress = progressWords(session, theme);
  if (label === "") return `${theme.dim("? for help · shift+tab for the modes")}${progress}`;
  const words = phase === null ? "" : theme.dim(` · ${phaseWords(phase)}`);
  return `${theme.mode(mode.current)(label)}${words}${progress}`;
}

/** The last phase is called exit; on a status line that would look like something to type. */
function phaseWords(phase: Phase): string {
  return phase === "exit" ? "awaiting approval" : phase;
}

function rightParts({ session, model, sandbox, costOf }: StatusFacts): readonly string[] {
  return [
    ...planParts(session),
    ...(sandbox === null ? [] : [sandbox]),
    ...(model === null ? [] : [safeLine(model, 40)]),
    ...(session === null ? [] : usageParts(session, costOf)),
  ];
}

function planParts(session: Session | null): readonly string[] {
  const file = session?.plan.file ?? null;
  if (session === null || file === null) return [];
  const revision = session.plans.findLast((plan) => plan.file === file)?.revisions.length ?? 0;
  return revision === 0 ? [] : [`${safeLine(basename(file, ".md"), 32)} r${revision}`];
}

/** " · 2/5 steps · 1 outside of the plan" */
function progressWords(session: Session, theme: ViewLook["theme"]): string {
  const progress = planProgress(session);
  if (progress === null) return "";
  const { done, steps, outside } = progress;
  const far = steps === 0 ? "" : theme.dim(` · ${done}/${countOf(steps, "step")}`);
  const left = outside.length === 0 ? "" : theme.warning(` · ${outside.length} outside of the plan`);
  return `${far}${left}`;
}

/** "planning 12.3k of 50k tokens $0.02" */
function usageParts({ permissions, usage, settings }: Session, costOf: StatusFacts["costOf"]): readonly string[] {
  const planning = isPlanning(permissions);
  const used = planning ? usage.planning : usage.total;
  const tokens = tokensOf(used);
  if (tokens === 0) return [];
  const limit = planning ? settings.maxPlanningTokens : null;
  const budget = limit === null ? "" : ` of ${shortCount(limit)}`;
  const cost = costOf(used);
  const money = cost === null ? "" : ` $${cost.toFixed(2)}`;
  return [`${planning ? "planning " : ""}${shortCount(tokens)}${budget} tokens${money}`];
}

/** The last parts matter most: tokens, model. */
function fitting(parts: readonly string[], width: number): string {
  for (let from = 0; from < parts.length; from += 1) {
    const text = parts.slice(from).join(" · ");
    if (columnsOf(text) <= width) return text;
  }
  return safeLine(parts.at(-1) ?? "", width);
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export interface DoingFacts extends ViewLook {
  readonly now: number;
  readonly cancelKey: string;
  readonly queued: readonly string[];
}

export function doingLines(doing: Doing, { now, width, theme, cancelKey, queued }: DoingFacts): readonly string[] {
  const elapsed = Math.max(0, now - doing.since);
  const sign = spinner[Math.floor(elapsed / 120) % spinner.length]!;
  const rest = ` ${timeWords(elapsed)} · ${cancelKey} to stop`;
  const words = safeLine(doing.words, Math.max(8, width - rest.length - 3));
  return [
    clampLine(`${theme.plan(sign)} ${words}${theme.dim(rest)}`, width),
    ...queuedLines(queued, { width, theme, isWaiting: false }),
  ];
}

/** `isWaiting`: the turn was stopped, they go with what is said next. */
export function queuedLines(
  queued: readonly string[],
  { width, theme, isWaiting }: ViewLook & { readonly isWaiting: boolean },
): readonly string[] {
  const lines = queued.slice(-3).map((text) => theme.dim(`  queued: ${safeLine(text, Math.max(8, width - 10))}`));
  const hint = isWaiting && lines.length > 0 ? [theme.dim("  goes with your next message")] : [];
  return [...lines, ...hint].map((line) => clampLine(line, width));
}

function timeWords(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
