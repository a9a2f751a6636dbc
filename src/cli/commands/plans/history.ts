/** A plan's revisions, each with what was decided and said on it beside it (B2.7, B3.1). */
import type { LoadedPlan, ToldDecision } from "../../../agent/library/load-plan.ts";
import { decisionWords, linesOfComment, saidSince, toldRevisions } from "../../../agent/library/told-revisions.ts";
import { saidIn, type Comment } from "../../../core/verdict.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { timeOn } from "./age.ts";
import type { PlansRequest } from "./request.ts";
import { counted, oneLine, type OutputScreen, type OutputStyle } from "./screen.ts";

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
  const own = makeVisible(words).trim();
  return [
    [`  ${decisionWords[kind]}`, momentOf(request, decision, who)],
    ...(own === "" ? [] : [["", own] as const]),
    ...comments.map((comment): HeaderRow => ["", commentText(comment, request)]),
  ];
}

/** How many comments are open, and the words of those that no decision has told. */
export function openRows(loaded: LoadedPlan, request: PlansRequest): readonly HeaderRow[] {
  if (loaded.comments.length === 0) return [];
  const told = saidSince(loaded).map((comment): HeaderRow => ["", commentText(comment, request)]);
  return [["open", counted(loaded.comments.length, "comment")], ...told];
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

/** With the lines that it is about: they stand in the text that it was said of, which need not be the one that is shown. */
function commentText(comment: Comment, { screen }: PlansRequest): string {
  const { kind, quote, suggestion } = comment;
  const said = saidIn(comment).filter((words) => words.trim() !== "");
  const about = `${linesOfComment(comment)}, ${suggestion === undefined ? kind : "suggestion"}`;
  const marked = (mark: string, style: OutputStyle, lines: readonly string[]): readonly string[] =>
    lines.map((line) => screen.paint(style, `${mark} ${line}`));
  const lines =
    suggestion === undefined
      ? marked(">", "dim", beginningOf(linesIn(quote), screen))
      : [...marked("-", "red", linesIn(quote)), ...marked("+", "green", linesIn(suggestion))];
  return [makeVisible([about, ...(said.length === 0 ? [] : [said.join("\n")])].join(": ")).trim(), ...lines].join("\n");
}

function linesIn(text: string): readonly string[] {
  return text === "" ? [] : makeVisible(text).split("\n");
}

/** For a person so much as tells which lines are meant. */
function beginningOf(lines: readonly string[], { isTerminal }: OutputScreen): readonly string[] {
  return isTerminal && lines.length > mostQuoted
    ? [...lines.slice(0, mostQuoted - 1), `… ${lines.length - mostQuoted + 1} more lines`]
    : lines;
}

const mostQuoted = 4;
