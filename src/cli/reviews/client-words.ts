/** What came of a review, in words for another agent's model: as our own is told it, bounded as clients bound it. */
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { makePrivateFolder } from "../../agent/host/config-home.ts";
import { writeNew } from "../../agent/host/files/replace-file.ts";
import { differenceOf } from "../../agent/watch/difference.ts";
import type { PlanAnswer } from "../../clients/review/plan-answer.ts";
import type { Outcome } from "../../core/outcome.ts";
import { wishOf, type PlacedComment } from "../../core/verdict.ts";
import type { Prompts } from "../../prompts/index.ts";
import { renderFeedback } from "../../prompts/render/feedback.ts";
import { withoutReminderTags } from "../../prompts/render/tags.ts";

export interface ReviewOutcome {
  readonly outcome: Outcome;
  /** What was presented. */
  readonly presented: string;
  /** What the plan's file holds now, where the person edited it and sent it back. */
  readonly edited: { readonly text: string; readonly file: string } | null;
  readonly mode: "default" | "acceptEdits";
}

export interface WordsOptions {
  readonly prompts: Prompts;
  /** Where what is too long is left. */
  readonly folder: string;
}

/** Null for what ended without an answer. */
export async function answerOf(given: ReviewOutcome, { prompts, folder }: WordsOptions): Promise<PlanAnswer | null> {
  const { outcome, presented, mode } = given;
  switch (outcome.kind) {
    case "approved": {
      const { plan } = outcome;
      const said = [outcome.notes?.trim() ?? "", commentsIn(prompts, outcome.comments ?? [])];
      const notes = said.filter((part) => part !== "").join("\n\n");
      const bounded = notes === "" ? null : await withinBounds(withoutReminderTags(notes), prompts, folder);
      return { kind: "approved", plan, mode, notes: bounded, edited: plan !== presented };
    }
    case "revise": {
      const words = [revision(prompts, outcome), await editWords(prompts, given)].filter((part) => part !== "");
      return sentBack(words.join("\n\n"), prompts, folder);
    }
    case "sent-back": {
      const missing = outcome.missing.map((heading) => `- ${heading}`).join("\n");
      return sentBack(prompts("clients-review/missing-headings", { missing }), prompts, folder);
    }
    default:
      return null;
  }
}

function commentsIn(prompts: Prompts, comments: readonly PlacedComment[]): string {
  return renderFeedback(prompts, { feedback: "", comments }, "results/feedback");
}

function revision(prompts: Prompts, outcome: Extract<Outcome, { kind: "revise" }>): string {
  const feedback = renderFeedback(prompts, outcome, "results/feedback");
  switch (wishOf(outcome)) {
    case "change":
      return prompts("clients-review/revise", { feedback });
    case "answer":
      return prompts("clients-review/revise-questions", { feedback });
    case "consider":
      return prompts("clients-review/revise-notes", { feedback });
    case "ask":
      return prompts("clients-review/revise-silent");
  }
}

async function editWords(prompts: Prompts, { presented, edited }: ReviewOutcome): Promise<string> {
  if (edited === null || edited.text === presented) return "";
  const difference = await differenceOf(presented, edited.text);
  return difference === null
    ? prompts("clients-review/edited-whole", { file: edited.file })
    : prompts("clients-review/edited", { difference });
}

async function sentBack(text: string, prompts: Prompts, folder: string): Promise<PlanAnswer> {
  return { kind: "sent-back", feedback: await withinBounds(withoutReminderTags(text), prompts, folder) };
}

/** Clients cut what is longer than 10,000 characters: then all of it lies in a file, and its beginning says where. */
export async function withinBounds(text: string, prompts: Prompts, folder: string): Promise<string> {
  if (text.length <= most) return text;
  await makePrivateFolder(folder);
  const file = join(folder, `${randomBytes(8).toString("hex")}.md`);
  await writeNew(file, `${text}\n`);
  const rest = prompts("clients-review/rest", { file });
  const start = text.slice(0, most - rest.length - 2).replace(/\p{Cs}$/u, "");
  return `${start}\n\n${rest}`;
}

const most = 9500;
