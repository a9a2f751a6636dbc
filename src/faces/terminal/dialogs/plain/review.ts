/** The approval by lines: the plan printed with its line numbers, every choice and comment typed. */
import type { ReviewRequest } from "../../../../core/plan/review.ts";
import { commentKinds, saidIn, type Choice, type Comment, type Verdict } from "../../../../core/verdict.ts";
import { safeText } from "../../view/safe-text.ts";
import type { RenewedChoices } from "../../renewed-choices.ts";
import type { Surface } from "../../overlays/surface.ts";
import { editing } from "../approval/approval.ts";
import { countOf } from "../../view/view-facts.ts";
import { noticesOf } from "../approval/notices.ts";
import { comparedWith, openedApproval, quoteOf, withChoices, type ApprovalState } from "../approval/state.ts";
import { choiceText, lostBy, verdictOf } from "../approval/verdict.ts";
import { differenceLines, unified } from "../difference.ts";
import { splitWord, type PlainDesk } from "./ask-lines.ts";
import { linesOfPlan } from "../../view/plan-lines.ts";
import { boxOf } from "../../keys/text-box.ts";

export interface PlainReview extends PlainDesk {
  readonly edit: Surface["edit"];
  readonly offers: RenewedChoices;
}

export async function plainReview(request: ReviewRequest, desk: PlainReview): Promise<Verdict | null> {
  let state = openedApproval(request);
  desk.print(planText(state));
  if (state.shows === "difference") desk.print(differenceText(state));
  desk.print(choicesText(state));
  const renewed = (now: ApprovalState): ApprovalState => withChoices(now, desk.offers.choices(request.id));
  const stop = desk.offers.watch(() => {
    const now = renewed(state);
    if (now !== state) desk.print(`${now.says}\n${choicesText(now)}`);
    state = now;
  });
  try {
    for (;;) {
      const line = await desk.ask("Your choice:");
      if (line === null) return null;
      const step = await performed(state, splitWord(line), desk);
      if ("answer" in step) return step.answer;
      state = renewed(step.state);
      if (step.says !== "") desk.print(step.says);
    }
  } finally {
    stop();
  }
}

type Outcome = { readonly answer: Verdict } | { readonly state: ApprovalState; readonly says: string };

async function performed(
  state: ApprovalState,
  { word, rest }: ReturnType<typeof splitWord>,
  desk: PlainReview,
): Promise<Outcome> {
  const { choices } = state.request;
  const byNumber = /^[1-9]\.?$/.test(word) ? choices[Number.parseInt(word, 10) - 1] : undefined;
  const choice = byNumber ?? choices.find((one) => choiceText(one).letter === word);
  if (choice !== undefined) return chosen(state, choice, { rest, desk });
  if (word === "q") return sure(state, "dismiss", { kind: "dismiss" });
  if (word === "d") return { state, says: differenceText(state) };
  if (word === "print") return { state, says: `${planText(state)}\n${choicesText(state)}` };
  if (word === "c") return commented(state, rest);
  if (word === "r") return settled(state, rest);
  if (word === "e") return edited(state, desk);
  return { state, says: `"${safeText(word.slice(0, 40))}" is no choice.\n${choicesText(state)}` };
}

async function chosen(
  state: ApprovalState,
  choice: Choice,
  { rest, desk }: { readonly rest: string; readonly desk: PlainReview },
): Promise<Outcome> {
  if (choice.kind === "revise") {
    const words = rest === "" ? await desk.ask("What should change? An empty line just keeps planning:") : rest;
    return words === null
      ? { answer: { kind: "dismiss" } }
      : { answer: verdictOf({ ...state, feedback: boxOf(words) }, choice) };
  }
  if (choice.kind === "approve" || choice.kind === "approve-fresh") {
    return { answer: verdictOf({ ...state, notes: boxOf(rest) }, choice) };
  }
  return sure(state, choice.kind, verdictOf(state, choice));
}

/** Asks once more where words of the person would be lost. */
function sure(state: ApprovalState, what: Choice["kind"] | "dismiss", answer: Verdict): Outcome {
  const lost = lostBy(state, what);
  if (lost.length === 0 || state.doubted === what) return { answer };
  return { state: { ...state, doubted: what }, says: `This loses ${lost.join(" and ")}: type it again to go on.` };
}

/** "12 question why so" or "3-5 shorter". */
function commented(state: ApprovalState, typed: string): Outcome {
  const match = /^(\d+)(?:-(\d+))?\s+(?:(change|question|note)\s+)?([\s\S]*\S)\s*$/i.exec(typed);
  const last = linesOfPlan(state.plan).length;
  const [from, to] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])];
  if (match === null || from < 1 || to < from || to > last) {
    return { state, says: `Type: c, a line from 1 to ${last}, perhaps ${commentKinds.join(", ")}, and your words.` };
  }
  const kind = (match[3]?.toLowerCase() ?? "change") as Comment["kind"];
  const id = `${state.request.id}-c${state.made + 1}`;
  const comment: Comment = { id, kind, from, to, quote: quoteOf(state.plan, from, to), text: match[4]! };
  const says = `Kept: ${kind} on line ${from}. ${countOf(state.comments.length + 1, "comment")} so far; n sends them.`;
  return { state: { ...state, comments: [...state.comments, comment], made: state.made + 1 }, says };
}

function settled(state: ApprovalState, typed: string): Outcome {
  const comment = state.request.comments[Number(typed) - 1];
  if (comment === undefined) return { state, says: "Type: r and the number of an open comment." };
  return { state: { ...state, resolved: [...state.resolved, comment.id] }, says: "Settled." };
}

async function edited(state: ApprovalState, desk: PlainReview): Promise<Outcome> {
  const after = await editing(state, (text, file) => desk.edit(text, file));
  if (after.plan === state.plan) return { state, says: safeText(after.says ?? "") };
  return { state: after, says: `Edited: approving approves this text.\n${differenceText(after)}` };
}

function planText(state: ApprovalState): string {
  const { request, plan } = state;
  const whose =
    request.agent === null ? "Plan for your approval" : `Plan of agent ${safeText(request.agent)} for your approval`;
  const lines = linesOfPlan(plan);
  const notices = noticesOf(state).map(([, text]) => safeText(text));
  const open = request.comments.map((comment, index) => {
    const { kind, from, anchor } = comment;
    const place = anchor === "gone" ? "its text is gone" : `line ${from}${anchor === "moved" ? ", moved" : ""}`;
    return `Open comment ${index + 1} (${kind}, ${place}): ${safeText(saidIn(comment).join("\n"))}`;
  });
  const title = `${whose}, revision ${request.revision}: ${safeText(request.planFile)}`;
  const size = `${countOf(lines.length, "line")}, ${countOf(plan.length, "character")}.`;
  const numbered = lines.map((line, index) => `${index + 1}: ${safeText(line)}`);
  return [title, size, ...notices, ...open, "", ...numbered, "", "End of the plan."].join("\n");
}

function differenceText(state: ApprovalState): string {
  const base = comparedWith(state);
  if (base === null) return "This is the first revision: there is nothing to compare it with.";
  if (base === state.plan) return "Nothing changed since you last saw it.";
  return `Difference, minus is old and plus is new:\n${safeText(unified(differenceLines(base, state.plan)))}`;
}

function choicesText({ request }: ApprovalState): string {
  const choices = request.choices.map(
    (choice, index) => `${index + 1} or ${choiceText(choice).letter}: ${choiceText(choice).label}`,
  );
  const more = [
    "Words behind a yes or a no go along: 2 mind the tests",
    "c 4 question why so: comment on line 4 (change, question or note)",
    ...(request.comments.length > 0 ? ["r 1: open comment 1 is settled"] : []),
    "d: difference, e: edit, print: the plan again, q: dismiss",
  ];
  return [...choices, ...more].join("\n");
}
