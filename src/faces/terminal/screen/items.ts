/** What the transcript on the screen consists of: plain values, drawn by the views. */
import type { ShownCall } from "../../../agent/tools/show.ts";
import type { CommandOutcome } from "../../../core/commands.ts";
import type { PlacedComment } from "../../../core/verdict.ts";

export type Item =
  | WelcomeItem
  | { readonly kind: "user"; readonly text: string }
  /** A piece of the model's answer: one or more whole Markdown blocks, or the end that is still being written. */
  | { readonly kind: "text"; readonly text: string; readonly open: boolean }
  | CallItem
  | PlanItem
  | CardItem
  | { readonly kind: "notice"; readonly text: string; readonly tone: Tone }
  /** What a command of the person said. */
  | { readonly kind: "said"; readonly text: string };

export type Tone = "plain" | "warning" | "error";

export interface WelcomeItem {
  readonly kind: "welcome";
  readonly version: string;
  readonly directory: string;
  /** Null until it is known. */
  readonly model: string | null;
  readonly tip: string | null;
}

export interface CallItem {
  readonly kind: "call";
  readonly id: string;
  readonly shown: ShownCall;
  readonly state: "waiting" | "asking" | "running" | "done" | "failed" | "denied" | "stopped";
  /** Why it was denied, or how it failed. */
  readonly reason: string | null;
  /** What came of it, as text, cut where it is long. */
  readonly output: string;
  readonly agent: AgentProgress | null;
  /** It wrote the plan, which is shown by itself. */
  readonly isPlan?: true;
}

export interface AgentProgress {
  readonly name: string;
  readonly model: string;
  readonly calls: number;
  readonly latest: string | null;
  readonly tokens: number;
  readonly status: "running" | "done" | "failed" | "limit" | "cancelled";
}

export interface PlanItem {
  readonly kind: "plan";
  readonly outcome: "approved" | "rejected";
  readonly plan: string;
  readonly file: string;
  /** "edited by you", the mode, the notes; or the feedback. */
  readonly remark: string;
  readonly comments: readonly PlacedComment[];
}

/** R4: `Current Plan`. */
export interface CardItem extends NonNullable<CommandOutcome["show"]> {
  readonly kind: "card";
  readonly title: string;
}

/** Calls and notices stand together; everything else has air around it. */
export function hasGap(before: Item | undefined, item: Item): boolean {
  if (before === undefined) return false;
  const isSmall = (one: Item): boolean => one.kind === "call" || one.kind === "notice";
  return !(isSmall(before) && before.kind === item.kind) && !(before.kind === "user" && item.kind === "said");
}

/** Whether it will never change again. */
export function isFinal(item: Item): boolean {
  switch (item.kind) {
    case "text":
      return !item.open;
    case "call":
      return !["waiting", "asking", "running"].includes(item.state);
    case "welcome":
      return item.model !== null;
    default:
      return true;
  }
}
