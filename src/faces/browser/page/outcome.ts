/** How a request ended, in words. */
import { makeVisible } from "../../../core/visible.ts";
import type { Answered } from "../wire.ts";
import { modeNames } from "./verdict.ts";

export function outcomeText({ by, kind, mode, here }: Answered): string {
  if (kind === "withdrawn" || by === null) return "The question was taken back: nothing was decided.";
  const who = here ? "You" : `${makeVisible(by.user)} (${makeVisible(by.surface)})`;
  const means = mode === null ? "" : ` Mode: ${modeNames[mode]}.`;
  switch (kind) {
    case "approve":
      return `${who} approved the plan.${means}`;
    case "revise":
      return `${who} sent the plan back. The next revision appears here by itself.`;
    case "save":
      return `${who} saved the plan for later. Nothing was started.`;
    case "abandon":
      return `${who} abandoned the plan.`;
    case "dismiss":
      return `${who} closed the question. Nothing was approved.`;
  }
}
