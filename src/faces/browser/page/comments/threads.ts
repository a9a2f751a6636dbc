/** Threads: what was said about a place, by whom, and where its words are now (B3.2). */
import { fateOf, placeComments, type Fate } from "../../../../core/plan/anchors.ts";
import { saidIn, type Comment, type PlacedComment } from "../../../../core/verdict.ts";
import type { ReviewState } from "../../desks/wire.ts";
import type { UnsentWords } from "../state.ts";

export interface Thread {
  readonly comment: PlacedComment;
  readonly isDraft: boolean;
  readonly isResolved: boolean;
  /** What became of it since it was said; null for a draft. */
  readonly fate: Fate | null;
  readonly said: readonly string[];
  readonly reply: string | null;
}

/** Earlier comments and drafts in the order of the text; those whose words are gone stand last. */
export function threadsOf(
  facts: Pick<ReviewState, "comments" | "text" | "reply">,
  words: Pick<UnsentWords, "drafts" | "replies" | "resolved">,
  text: string,
): readonly Thread[] {
  const earlier = facts.comments;
  const placed = placeComments(earlier, text, facts.text).map((found, index) => {
    const comment = keepState(earlier[index]!, found);
    return {
      comment,
      isDraft: false,
      isResolved: words.resolved.includes(comment.id),
      fate: fateOf(comment, facts.reply !== null),
      said: saidIn(comment),
      reply: words.replies[comment.id] ?? null,
    };
  });
  const drafts = placeComments(words.drafts, text, text).map((comment) => ({
    comment,
    isDraft: true,
    isResolved: false,
    fate: null,
    said: comment.text === "" ? [] : [comment.text],
    reply: null,
  }));
  return [...placed, ...drafts].toSorted((a, b) => order(a.comment) - order(b.comment));
}

/** How a round went: "3 comments: 2 changed, 1 untouched"; null where nothing was said before. */
export function roundText(threads: readonly Thread[]): string | null {
  const earlier = threads.filter(({ fate }) => fate !== null);
  if (earlier.length === 0) return null;
  const settled = earlier.filter(({ isResolved }) => isResolved).length;
  const open = earlier.filter(({ isResolved }) => !isResolved);
  const parts = (["changed", "answered", "untouched", "gone"] as const).flatMap((fate) => {
    const count = open.filter((thread) => thread.fate === fate).length;
    return count === 0 ? [] : [`${count} ${fate}`];
  });
  const all = [...parts, ...(settled === 0 ? [] : [`${settled} settled`])];
  return `${earlier.length} ${earlier.length === 1 ? "comment" : "comments"}: ${all.join(", ")}`;
}

/** A comment that the server saw move has moved, even if it stands still since. */
function keepState(before: PlacedComment, now: PlacedComment): PlacedComment {
  return now.anchor === "kept" ? { ...now, anchor: before.anchor === "gone" ? "moved" : before.anchor } : now;
}

function order({ anchor, from }: PlacedComment): number {
  return anchor === "gone" ? Number.MAX_SAFE_INTEGER : from;
}

export function isOpenQuestion({ comment, isDraft, isResolved }: Thread): boolean {
  return comment.kind === "question" && !isDraft && !isResolved;
}

export const kindNames: Record<Comment["kind"], string> = { change: "Change", question: "Question", note: "Note" };

/** Tells the elements of the plan which of them are commented on. */
export function placeThreads(article: ParentNode, threads: readonly Thread[]): void {
  const lines = new Map<number, Comment["kind"]>();
  for (const { comment, isResolved } of threads) {
    if (comment.anchor === "gone" || isResolved) continue;
    for (let line = comment.from; line <= Math.min(comment.to, comment.from + 2000); line += 1)
      lines.set(line, comment.kind);
  }
  for (const place of article.querySelectorAll<HTMLElement>("[data-comment]")) delete place.dataset["comment"];
  if (lines.size === 0) return;
  for (const place of article.querySelectorAll<HTMLElement>("[data-from]")) {
    const kind = kindWithin(lines, Number(place.dataset["from"]), Number(place.dataset["to"]));
    if (kind !== null) place.dataset["comment"] = kind;
  }
}

function kindWithin(lines: ReadonlyMap<number, Comment["kind"]>, from: number, to: number): Comment["kind"] | null {
  for (let line = from; line <= to; line += 1) {
    const kind = lines.get(line);
    if (kind !== undefined) return kind;
  }
  return null;
}
