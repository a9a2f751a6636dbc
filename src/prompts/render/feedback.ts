/** A reviewer's words for the model: feedback, and comments quoted with their lines (B3.2). */
import type { Comment, PlacedComment } from "../../core/verdict.ts";
import type { Prompts } from "../index.ts";

export interface Feedback {
  readonly feedback: string;
  readonly comments: readonly (Comment | PlacedComment)[];
}

/** Empty where nothing was said. */
export function renderFeedback(
  prompts: Prompts,
  { feedback, comments }: Feedback,
  heading: "results/feedback" | "entries/lead-feedback",
): string {
  const said = feedback.trim() === "" ? [] : [prompts(heading, { feedback: feedback.trim() })];
  const latest = new Map(comments.map((comment) => [comment.id, comment]));
  return [...said, ...[...latest.values()].map((comment) => renderComment(prompts, comment))].join("\n\n");
}

/** What goes along with a yes; empty where nothing was said. */
export function renderNotes(
  prompts: Prompts,
  { notes, comments = [] }: { readonly notes: string | null; readonly comments?: readonly Comment[] | undefined },
  heading: "results/notes" | "entries/lead-notes",
): string {
  const parts = [notes?.trim() ?? "", ...comments.map((comment) => renderComment(prompts, comment))];
  const said = parts.filter((part) => part !== "").join("\n\n");
  return said === "" ? "" : `\n\n${prompts(heading, { notes: said })}`;
}

/** A person's words on a plan that is not under review. */
export function renderPlanWords(prompts: Prompts, { file, ...said }: Feedback & { readonly file: string }): string {
  return prompts("entries/plan-words", { file, feedback: renderFeedback(prompts, said, "results/feedback") });
}

function renderComment(prompts: Prompts, comment: Comment | PlacedComment): string {
  const quote = comment.quote === "" ? "" : comment.quote.replace(/^/gm, "> ").concat("\n");
  const later = (comment.followUps ?? []).map((said) => prompts("results/follow-up", { text: said.trim() }));
  const text = [comment.text.trim(), ...later].join("\n\n");
  return prompts(`results/comment-${comment.kind}`, { place: placeOf(comment), quote, text });
}

function placeOf(comment: Comment | PlacedComment): string {
  const { from, to } = comment;
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  return "anchor" in comment && comment.anchor === "gone" ? `once ${lines}, no longer in the plan` : lines;
}
