import { expect, test } from "vitest";
import { hashText } from "../../../core/plan/hash.ts";
import type { Session } from "../../../core/session.ts";
import {
  approval,
  choose,
  decided,
  person,
  planFile,
  planning,
  play,
  reads,
  reply,
  reviewing,
  started,
  submission,
} from "../../../testing/core-fixtures.ts";
import { requestOf, reviewState, type Shown } from "./review-state.ts";
import type { ReviewState } from "./wire.ts";

const first = "# Plan\n1. do it";
const comment = { id: "c", kind: "question", from: 2, to: 2, quote: "do it", text: "Why?" } as const;

function stateOf(session: Session, over: Partial<Shown> = {}): ReviewState {
  const request = requestOf(session);
  return reviewState({
    version: 7,
    session,
    request,
    files: [],
    live: true,
    answered: null,
    costUsd: null,
    ...over,
  });
}

test("B3.6 a plan under review: exactly the request's text, its hash, its choices and where it comes from", () => {
  const session = reviewing(first);
  const { request, plan, ...state } = stateOf(session);
  expect(state).toMatchObject({
    version: 7,
    text: first,
    hash: hashText(first),
    previous: null,
    comments: [],
    reply: null,
  });
  expect(request).toEqual({
    id: requestOf(session)!.id,
    hash: hashText(first),
    revision: 1,
    choices: requestOf(session)!.choices,
    agent: null,
    again: null,
  });
  expect(plan).toEqual({
    id: session.plans[0]!.id,
    title: "Plan",
    path: `~${planFile.slice("/home/me".length)}`,
    status: "submitted",
    project: session.roots.project,
    branch: null,
    commit: null,
  });
  expect(state.session).toEqual({ id: session.id, live: true });
});

test("B3.1 B3.2 sent back: nothing can be decided, the comments are placed; the next revision has the one before and the model's reply", () => {
  const back = play(reviewing(first), decided({ kind: "revise", feedback: "", comments: [comment] })).session;
  expect(stateOf(back)).toMatchObject({
    request: null,
    text: first,
    comments: [{ ...comment, anchor: "kept" }],
    plan: { status: "rejected" },
    decisions: [{ kind: "revise", by: person }],
    reply: null,
  });
  const second = "# Plan\n\nAll of it:\n1. do it";
  const again = play(back, ...submission(second)).session;
  expect(stateOf(again)).toMatchObject({
    text: second,
    previous: first,
    comments: [{ ...comment, from: 4, to: 4, anchor: "moved" }],
    request: { revision: 2 },
  });
  expect(stateOf(again).revisions.map(({ number, text }) => [number, text])).toEqual([
    [1, first],
    [2, second],
  ]);
});

test("B5.1 approved: the approved bytes are shown, whatever the draft that follows", () => {
  const approved = play(reviewing(first), ...approval()).session;
  expect(stateOf(approved)).toMatchObject({ request: null, text: first, plan: { status: "approved" } });
  const id = approved.plans[0]!.id;
  const anew = play(approved, choose("plan")).session;
  expect(stateOf(anew, { planId: id })).toMatchObject({ text: first, plan: { id } });
});

test("B2.1 an approval that is being confirmed, and a plan that is with the lead, cannot be answered here", () => {
  const confirming = play(reviewing(first), decided({ kind: "approve", hash: hashText(first) })).session;
  expect(stateOf(confirming).request).toBeNull();
  const teammate = { kind: "teammate", name: "a", team: "t", planRequired: true } as const;
  const withLead = play(planning({ actor: teammate }), ...submission(first)).session;
  expect([withLead.plan.awaiting?.plan, stateOf(withLead).request]).toEqual([first, null]);
});

test("R12.2 B2.6 a teammate's plan in its lead's session: submitted, by its own path, with nothing of the lead's own plan", () => {
  const session = reviewing(first);
  const own = requestOf(session)!;
  const request = { ...own, id: "plan_approval:bo@default:theirs:1", agent: "bo@default", plan: "# Theirs" };
  expect(stateOf(session, { request })).toMatchObject({
    text: "# Theirs",
    plan: {
      id: `bo@default ${planFile}`,
      title: "Theirs",
      path: `~${planFile.slice("/home/me".length)}`,
      status: "submitted",
    },
    request: { agent: "bo@default" },
    revisions: [],
    decisions: [],
    answers: [],
    reply: null,
  });
});

test("nothing planned yet is shown as nothing, and a draft as what it is", () => {
  expect(stateOf(started())).toMatchObject({
    text: "",
    hash: hashText(""),
    request: null,
    revisions: [],
    plan: { id: "" },
  });
  const drafted = play(planning(), reply(), { type: "plan-saved", text: "# Draft", by: "model", at: 1 }).session;
  expect(stateOf(drafted)).toMatchObject({ text: "# Draft", revisions: [], plan: { status: "draft", title: "Draft" } });
});

test("questions that the person answered are shown with their answers", () => {
  const answers = [{ question: "Which?", answer: "The first." }];
  const output = { content: [], answers: [...answers, { question: 1 }] };
  const { session } = play(planning(), reply(reads("r")), {
    type: "tool-finished",
    callId: "r",
    output,
    isError: false,
  });
  expect(stateOf(session).answers).toEqual(answers);
});
