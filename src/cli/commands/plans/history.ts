/** A plan's revisions, each with what was decided and said on it beside it (B2.7, B3.1). */
import type { LoadedPlan, ToldDecision } from "../../../agent/library/load-plan.ts";
import { decisionWords, linesOfComment, toldRevisions } from "../../../agent/library/told-revisions.ts";
import { saidIn, type Comment } from "../../../core/verdict.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { timeOn } from "./age.ts";
import type { PlansRequest } from "./request.ts";
import { oneLine } from "./screen.ts";

/** A name in the margin, and text beside it, which may be several lines. */
export type HeaderRow = readonly [name: string, text: string];

export function historyRows(loaded: LoadedPlan, request: PlansRequest): readonly HeaderRow[] {
  const { source } = loaded.entry;
  const author = source === undefined ? "the model" : oneLine(source);
  return toldRevisions(loaded).flatMap(({ revision, decisions }): HeaderRow[] => {
    const rows = decisions.flatMap((decision) => decisionRows(decision, request));
    if (revision === null) return rows;
    const by = revision.by === "model" ? author : "the person";
    const own: HeaderRow = [`revision ${revision.number}`, momentOf(request, revision, `by ${by}`)];
    return [own].concat(rows);
  });
}

function decisionRows(decision: ToldDecision, request: PlansRequest): readonly HeaderRow[] {
  const { kind, by, mode, words, comments } = decision;
  const who = `by ${oneLine(by.user)} (${oneLine(by.surface)}), mode ${mode}`;
  const said = [words, ...comments.map(commentText)].map((text) => makeVisible(text).trim());
  return [
    [`  ${decisionWords[kind]}`, momentOf(request, decision, who)],
    ...said.filter((text) => text !== "").map((text): HeaderRow => ["", text]),
  ];
}

function momentOf(
  { screen, now }: PlansRequest,
  { at, hash }: { readonly at: number; readonly hash: string },
  who: string,
): string {
  return `${timeOn(screen, at, now)} ${who} ${screen.paint("dim", screen.isTerminal ? hash.slice(0, shortHash) : hash)}`;
}

/** As git shows them. */
const shortHash = 10;

function commentText(comment: Comment): string {
  return `${linesOfComment(comment)}, ${comment.kind}: ${saidIn(comment).join("\n")}`;
}
