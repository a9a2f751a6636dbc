/** The line cursor of the approval dialog: move, select, comment, remove, settle. */
import type { Comment, PlacedComment } from "../../../../core/verdict.ts";
import type { Key } from "../../keys/key-input.ts";
import type { Keys } from "../../keys/keys.ts";
import { selectionOf, type ApprovalState, type ApprovalTools, type Box } from "./state.ts";
import { revealing } from "../pager.ts";
import { boxOf, emptyBox } from "../../keys/text-box.ts";

export function updateLines(state: ApprovalState, key: Key, { keys, layout }: ApprovalTools): ApprovalState {
  if (keys.matches(key, "dismiss") || keys.matches(key, "nextField"))
    return { ...state, focus: "choices", anchor: state.cursor };
  if (keys.matches(key, "comment")) return commenting(state, null);
  if (keys.matches(key, "confirm")) return commenting(state, commentAt(state.comments, state.cursor));
  if (keys.matches(key, "remove")) return withoutComment(state);
  if (keys.matches(key, "resolve")) return withResolved(state);
  const total = layout.lastLine;
  const cursor = movedCursor(state.cursor, key, { keys, page: Math.max(1, layout.height - 1), total });
  if (cursor === null) return state;
  const isExtending = keys.matches(key, "extendUp") || keys.matches(key, "extendDown");
  const line = layout.documentLine(cursor);
  const from = revealing(layout.pages, state.from, { line, height: layout.height });
  return { ...state, cursor, anchor: isExtending ? state.anchor : cursor, from };
}

interface Moving {
  readonly keys: Keys;
  readonly page: number;
  readonly total: number;
}

function movedCursor(cursor: number, key: Key, { keys, page, total }: Moving): number | null {
  const within = (line: number): number => Math.max(1, Math.min(total, line));
  if (keys.matches(key, "up") || keys.matches(key, "lineUp") || keys.matches(key, "extendUp"))
    return within(cursor - 1);
  if (keys.matches(key, "down") || keys.matches(key, "lineDown") || keys.matches(key, "extendDown"))
    return within(cursor + 1);
  if (keys.matches(key, "pageUp")) return within(cursor - page);
  if (keys.matches(key, "pageDown") || keys.matches(key, "toggle")) return within(cursor + page);
  if (keys.matches(key, "top")) return 1;
  return keys.matches(key, "bottom") ? total : null;
}

/** A box for a comment on the selected lines, or for changing one. Blank lines have no words to quote: the next ones above count. */
function commenting(state: ApprovalState, comment: Comment | null): ApprovalState {
  const { from, to } = comment ?? withWords(state.plan, selectionOf(state));
  const text = comment === null ? emptyBox : boxOf(comment.text);
  const box: Box = { purpose: "comment", kind: comment?.kind ?? "change", from, to, id: comment?.id ?? null, text };
  return { ...state, focus: "box", box };
}

function withWords(
  plan: string,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly from: number; readonly to: number } {
  const lines = plan.split("\n");
  if (lines.slice(from - 1, to).some((line) => line.trim() !== "")) return { from, to };
  const above = lines.slice(0, from).findLastIndex((line) => line.trim() !== "");
  const line = (above >= 0 ? above : lines.findIndex((text) => text.trim() !== "")) + 1;
  return { from: line, to: line };
}

function withoutComment(state: ApprovalState): ApprovalState {
  const comment = commentAt(state.comments, state.cursor);
  if (comment === null) return { ...state, says: "There is no comment of yours on this line." };
  return { ...state, comments: state.comments.filter(({ id }) => id !== comment.id), says: "Comment removed." };
}

/** Earlier comments on this line; on the first line also those whose text is gone. */
function withResolved(state: ApprovalState): ApprovalState {
  const earlier = state.request.comments.filter((comment) => isAt(comment, state.cursor));
  if (earlier.length === 0) return { ...state, says: "There is no open comment on this line." };
  const ids = earlier.map(({ id }) => id);
  const areSettled = ids.every((id) => state.resolved.includes(id));
  const others = state.resolved.filter((id) => !ids.includes(id));
  return { ...state, resolved: areSettled ? others : [...others, ...ids] };
}

function isAt({ anchor, from, to }: PlacedComment, line: number): boolean {
  return anchor === "gone" ? line === 1 : from <= line && line <= to;
}

function commentAt(comments: readonly Comment[], line: number): Comment | null {
  return comments.findLast(({ from, to }) => from <= line && line <= to) ?? null;
}
