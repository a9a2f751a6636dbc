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
  const words = comment.now === undefined ? comment.quote : (comment.was ?? comment.quote);
  const quote = words === "" ? "" : `${quoted(words)}\n`;
  const later = (comment.followUps ?? []).map((said) => prompts("results/follow-up", { text: said.trim() }));
  const own = [rewrittenText(prompts, comment), comment.text.trim(), suggestionText(prompts, comment)];
  const said = own.filter((part) => part !== "").join("\n");
  const text = [said, ...later].join("\n\n");
  return prompts(`results/comment-${comment.kind}`, { place: placeOf(comment), quote, text });
}

/** B19.1: what the person sees of it. */
function rewrittenText(prompts: Prompts, comment: Comment | PlacedComment): string {
  if (comment.now === undefined || ("anchor" in comment && comment.anchor === "gone")) return "";
  return prompts("results/comment-rewritten", { now: quoted(comment.now) });
}

function suggestionText(prompts: Prompts, { suggestion }: Comment): string {
  if (suggestion === undefined) return "";
  if (suggestion.trim() === "") return prompts("results/comment-removal");
  return prompts("results/comment-suggestion", { suggestion: quoted(suggestion) });
}

function quoted(words: string): string {
  return words.replace(/^/gm, "> ");
}

function placeOf(comment: Comment | PlacedComment): string {
  const { from, to } = comment;
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  if ("anchor" in comment && comment.anchor === "gone") return `once ${lines}, no longer in the plan`;
  return comment.now === undefined ? lines : `${lines}, rewritten since this was said`;
}
