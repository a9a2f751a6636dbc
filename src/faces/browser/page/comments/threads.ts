/** Threads: what was said about a place, by whom, and where its words are now (B3.2). */
import { placeComments, saidIn, type Comment, type PlacedComment } from "../../../../core/verdict.ts";
import type { UnsentWords } from "../state.ts";

export interface Thread {
  readonly comment: PlacedComment;
  readonly isDraft: boolean;
  readonly isResolved: boolean;
  readonly said: readonly string[];
  readonly reply: string | null;
}

/** Earlier comments and drafts in the order of the text; those whose words are gone stand last. */
export function threadsOf(
  earlier: readonly PlacedComment[],
  words: Pick<UnsentWords, "drafts" | "replies" | "resolved">,
  text: string,
): readonly Thread[] {
  const placed = placeComments([...earlier], text).map((comment, index) => ({
    comment: keepState(earlier[index]!, comment),
    isDraft: false,
    isResolved: words.resolved.includes(comment.id),
    said: saidIn(comment),
    reply: words.replies[comment.id] ?? null,
  }));
  const drafts = placeComments(words.drafts, text).map((comment) => ({
    comment,
    isDraft: true,
    isResolved: false,
    said: [comment.text],
    reply: null,
  }));
  return [...placed, ...drafts].toSorted((a, b) => order(a.comment) - order(b.comment));
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
