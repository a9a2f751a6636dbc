/** How a request ended, in words. */
import { modeName } from "../../../core/verdict.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import type { Answered, ReviewState } from "../desks/wire.ts";

/** `session` is the one that is answered: none for a loose file. */
export function outcomeText({ by, kind, mode, here }: Answered, session: ReviewState["session"]): string {
  if (kind === "withdrawn" || by === null) return "The question was taken back: nothing was decided.";
  const who = here ? "You" : `${makeVisible(by.user)} (${makeVisible(by.surface)})`;
  const means = mode === null || session === null ? "" : ` Mode: ${modeName(mode)}.`;
  const later = session?.live === false ? " The session hears of it when it is resumed." : "";
  const next = session?.live === true ? " The next revision appears here by itself." : later;
  switch (kind) {
    case "approve":
      return `${who} approved the plan.${means}${later}`;
    case "revise":
      return `${who} sent the plan back.${next}`;
    case "save":
      return `${who} saved the plan for later. Nothing was started.`;
    case "abandon":
      return `${who} abandoned the plan.`;
    case "dismiss":
      return `${who} closed the question. Nothing was approved.`;
  }
}
