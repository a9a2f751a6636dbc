/** Entries that are neither a person's words nor a tool's result: the lead's answer, a summary, a stopped turn. */
import type { Verdict } from "../../core/verdict.ts";
import type { Entry } from "../../core/transcript.ts";
import { renderFeedback, renderNotes } from "./feedback.ts";
import type { Prompts } from "../index.ts";
import { remind, withoutReminderTags } from "./tags.ts";

export type SpecialEntry = Extract<Entry, { kind: "lead" | "summary" | "cancelled" }>;

export function renderEntry(prompts: Prompts, entry: SpecialEntry): string {
  switch (entry.kind) {
    case "lead":
      return remind(prompts, leadAnswer(prompts, entry.verdict, entry.requestId));
    case "summary":
      return prompts("entries/summary", { summary: withoutReminderTags(entry.text.trim()) });
    case "cancelled":
      return remind(prompts, prompts("entries/cancelled"));
  }
}

/** What the model is asked for before its conversation is replaced by the answer (R14.1). */
export function summaryRequest(prompts: Prompts, focus: string | null = null): string {
  const request = prompts("entries/summary-request");
  const wish = focus?.trim() ?? "";
  return wish === "" ? request : `${request}\n\n${prompts("entries/summary-focus", { focus: wish })}`;
}

function leadAnswer(prompts: Prompts, verdict: Verdict, requestId: string): string {
  switch (verdict.kind) {
    case "approve": {
      const { plan, comments } = verdict;
      const notes = renderNotes(prompts, { notes: verdict.notes ?? null, comments }, "entries/lead-notes");
      if (plan !== undefined) return prompts("entries/lead-approved-edited", { requestId, notes, plan: plan.trim() });
      return prompts("entries/lead-approved", { requestId, notes });
    }
    case "revise": {
      const { feedback, comments = [] } = verdict;
      const said = renderFeedback(prompts, { feedback, comments }, "entries/lead-feedback");
      return said === ""
        ? prompts("entries/lead-closed", { requestId })
        : prompts("entries/lead-rejected", { requestId, feedback: said });
    }
    case "save":
    case "abandon":
    case "dismiss":
      return prompts("entries/lead-closed", { requestId });
  }
}
