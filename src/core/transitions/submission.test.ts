import { describe, expect, test } from "vitest";
import {
  approval,
  choose,
  decided,
  noticesIn,
  planFile,
  planning,
  play,
  refusalsIn,
  reply,
  resultsOf,
  reviewing,
  said,
  settings,
  submission,
  typesOf,
  type Move,
} from "../../testing/core-fixtures.ts";
import type { Evidence } from "../plan/ledger.ts";
import { hashText } from "../plan/hash.ts";
import type { Comment } from "../verdict.ts";
import { pendingReview, planFlags } from "../selectors.ts";
import type { Session } from "../session.ts";

const change: Comment = { id: "c1", kind: "change", from: 2, to: 2, quote: "1. do it", text: "do it well" };
const question: Comment = { id: "c2", kind: "question", from: 1, to: 1, quote: "# Plan", text: "why?" };
const note: Comment = { id: "c3", kind: "note", from: 1, to: 1, quote: "# Plan", text: "nice" };
const text = "# Plan\n1. do it";
const revise = (feedback: string, more: object = {}): Move => decided({ kind: "revise", feedback, ...more });

describe("rejection", () => {
  test("R7.4 B3.3 stays in plan, and the feedback reaches the model in the tool result, quoted with its lines", () => {
    const { session, last } = play(reviewing(text), revise("Add a test.", { comments: [change, note] }));
    expect(session.permissions.mode.current).toBe("plan");
    expect(resultsOf(session)["exit"]).toEqual({
      kind: "revise",
      feedback: "Add a test.",
      comments: [
        { ...change, anchor: "kept" },
        { ...note, anchor: "kept" },
      ],
    });
    expect(typesOf(last)).toEqual(["close-review", "call-model"]);
    expect([session.plan.text, session.plans[0]!.status]).toEqual([text, "rejected"]);
  });

  test("B3.1 a resubmission is a revision with its hash, and shows the difference from what was seen last", () => {
    const { session } = play(reviewing(text), revise("more"), ...submission("# Plan\n1. test"));
    expect(pendingReview(session)).toMatchObject({ revision: 2, previous: text, plan: "# Plan\n1. test" });
    expect(session.plans[0]!.revisions.map(({ number, hash }) => [number, hash])).toEqual([
      [1, hashText(text)],
      [2, hashText("# Plan\n1. test")],
    ]);
  });

  test("B3.2 B19.1 unanswered comments stay open in the next revision and say where their text went; notes need no answer", () => {
    const comments = [change, question, note];
    const { session } = play(reviewing(text), revise("", { comments }), ...submission("intro\n# Plan\n1. test"));
    expect(pendingReview(session)?.comments).toEqual([
      { ...change, from: 3, to: 3, anchor: "changed", was: "1. do it", now: "1. test" },
      { ...question, from: 2, to: 2, anchor: "moved" },
    ]);
  });

  test("B3.2 resolved comments are gone for the model too, and a comment edited under its id is one", () => {
    const again = { ...question, text: "why, really?" };
    const { session } = play(
      reviewing(text),
      revise("", { comments: [change, question] }),
      ...submission("# Plan\n1. do it better", "exit2"),
      revise("ok", { resolved: ["c1"], comments: [again] }),
    );
    expect(resultsOf(session)["exit2"]).toEqual({
      kind: "revise",
      feedback: "ok",
      comments: [{ ...again, anchor: "kept" }],
    });
    expect(session.plan.comments).toEqual([again]);
  });
});

describe("the same plan again", () => {
  test("B4.2 is answered without a dialog with the open feedback; the third time ends the turn", () => {
    const rejected = play(reviewing(text), revise("Add a test.", { comments: [change] }));
    const second = play(rejected.session, ...submission(text, "e2"));
    expect(typesOf(second.last)).toEqual(["call-model"]);
    const comments = [{ ...change, anchor: "kept" }];
    expect(resultsOf(second.session)["e2"]).toEqual({
      kind: "unchanged",
      feedback: "Add a test.",
      comments,
      times: 2,
    });
    const third = play(second.session, ...submission(text, "e3"));
    expect(noticesIn(third.last)).toEqual(["plan-repeated"]);
    expect(typesOf(third.last)).toEqual(["notify"]);
    expect(resultsOf(third.session)["e3"]).toMatchObject({ kind: "unchanged", times: 3 });
    expect(third.session.permissions.mode.current).toBe("plan");
  });

  test("B4.2 a changed plan is shown", () => {
    expect(typesOf(play(reviewing(text), revise("more"), ...submission(`${text}!`)).last)).toEqual(["request-review"]);
  });

  test("B4.2 B3.2 after questions alone the same plan may come back", () => {
    const asked = play(reviewing(text), revise("", { comments: [question] }), ...submission(text));
    expect(typesOf(asked.last)).toEqual(["request-review"]);
    expect(pendingReview(asked.session)).toMatchObject({ previous: null, revision: 1 });
  });

  test("B4.2 a bare no without a word is a rejection all the same", () => {
    expect(typesOf(play(reviewing(text), revise(""), ...submission(text)).last)).toEqual(["call-model"]);
  });

  test("B4.2 words of the person after it open the dialog again", () => {
    const moves = [revise("more"), reply(), said("show it again"), ...submission(text)];
    expect(typesOf(play(reviewing(text), ...moves).last)).toEqual(["request-review"]);
  });

  test("B4.2 twenty tries after one rejection show no second dialog", () => {
    let session: Session = play(reviewing(text), revise("more")).session;
    const shown: string[] = [];
    for (let time = 0; time < 20 && session.turn.thinking !== null; time += 1) {
      const played = play(session, ...submission(text, `e${time}`));
      shown.push(...typesOf(played.effects).filter((type) => type === "request-review"));
      session = played.session;
    }
    expect([shown, session.turn.requests]).toEqual([[], 3]);
  });
});

describe("the other ways out of the dialog", () => {
  test("R7.4 R8.4 save for later leaves plan mode, starts nothing, and lets go of the file", () => {
    const { session, last } = play(reviewing(text, { mode: "acceptEdits" }), decided({ kind: "save" }));
    expect(session.permissions.mode).toEqual({ current: "acceptEdits" });
    expect(resultsOf(session)["exit"]).toEqual({ kind: "saved" });
    expect(typesOf(last)).toEqual(["close-review", "notify"]);
    expect(noticesIn(last)).toEqual(["left-without-approval"]);
    expect([session.plans[0]!.status, session.plan.file]).toEqual(["saved", null]);
    expect(session.plan.previous).toBe(planFile);
    expect(planFlags(session)).toMatchObject({ needsPlanModeExitReminder: true, hasExitedPlanMode: true });
  });

  test("R7.4 R3.3 abandon leaves plan mode, marks the plan and lets go of the file", () => {
    const { session, last } = play(reviewing(text), decided({ kind: "abandon" }));
    expect(session.permissions.mode).toEqual({ current: "default" });
    expect(resultsOf(session)["exit"]).toEqual({ kind: "abandoned" });
    expect(typesOf(last)).toEqual(["close-review", "notify"]);
    expect([session.plans[0]!.status, session.plan.file]).toEqual(["abandoned", null]);
  });

  test("R7.4 B2.2 Esc dismisses: the result says so, the turn ends, the mode stays plan", () => {
    const { session, last } = play(reviewing(text), decided({ kind: "dismiss" }));
    expect(session.permissions.mode.current).toBe("plan");
    expect(resultsOf(session)["exit"]).toEqual({ kind: "dismissed" });
    expect(typesOf(last)).toEqual(["close-review"]);
    expect(session.turn).toMatchObject({ thinking: null, open: [] });
    expect(typesOf(play(session, said("go on")).last)).toEqual(["call-model"]);
  });

  test("B4.1 choosing another mode takes the review back: the dialog closes, nothing is approved, the turn ends", () => {
    const { session, last } = play(reviewing(text), choose("acceptEdits"));
    expect(session.permissions.mode).toEqual({ current: "acceptEdits" });
    expect(resultsOf(session)["exit"]).toEqual({ kind: "withdrawn" });
    expect(last).toEqual([
      { type: "notify", notice: { key: "left-without-approval", mode: "acceptEdits" } },
      { type: "close-review", requestId: "s1-review-1", by: null },
    ]);
    expect(refusalsIn(play(session, ...approval()).effects)).toEqual(["unknown-request", "unknown-call"]);
  });

  test.each<[string, Session]>([
    ["being read", play(planning(), submission(text)[0]!).session],
    ["confirmed", play(reviewing(text), approval()[0]!).session],
    ["written", play(reviewing(text), ...approval({ plan: "# Mine" })).session],
  ])("B4.1 the same while the plan is %s: the late answer changes nothing", (_, session) => {
    const left = play(session, choose("default"));
    expect(resultsOf(left.session)["exit"]).toEqual({ kind: "withdrawn" });
    const late = play(
      left.session,
      { type: "plan-read", callId: "exit", text, at: 1 },
      { type: "plan-written", callId: "exit" },
    );
    expect([late.session, refusalsIn(late.effects)]).toEqual([left.session, ["unknown-call", "unknown-call"]]);
  });
});

describe("staleness", () => {
  test("B5.5 commit and hashes are kept at submission, and what changed since is shown with the next", () => {
    const first = play(planning(), ...submit("# A", "h1"));
    expect(first.session.plans[0]!.evidence).toEqual(evidence("h1"));
    expect(pendingReview(first.session)?.stale).toEqual([]);
    const second = play(first.session, revise("more"), ...submit("# B", "h2"));
    expect(pendingReview(second.session)?.stale).toEqual(["src/a.ts"]);
    expect(second.session.plans[0]!.evidence).toEqual(evidence("h2"));
  });
});

test("a plan without the template's headings is sent back once, and then shown", () => {
  const template = { settings: { ...settings, planTemplate: "## Rollback" } };
  const first = play(planning(template), ...submission("# Plan", "e1"));
  expect(resultsOf(first.session)["e1"]).toEqual({ kind: "sent-back", missing: ["Rollback"] });
  expect(typesOf(first.last)).toEqual(["call-model"]);
  expect(typesOf(play(first.session, ...submission("# Plan", "e2")).last)).toEqual(["request-review"]);
});

test("B5.5 at approval the person sees which of the plan's files changed since it was submitted", () => {
  expect(noticesIn(play(planning(), ...approvedWith("h1")).last)).toEqual([]);
  expect(play(planning(), ...approvedWith("h2")).last).toContainEqual({
    type: "notify",
    notice: { key: "plan-files-changed", files: ["src/a.ts"] },
  });
});

function evidence(hash: string): Evidence {
  return {
    commit: "abc",
    files: [
      { path: "src/a.ts", hash },
      { path: "src/new.ts", hash: null },
    ],
  };
}

function submit(plan: string, hash: string): readonly Move[] {
  const read: Move = { type: "plan-read", callId: "exit", text: plan, at: 10, evidence: evidence(hash) };
  return [submission(plan)[0]!, read];
}

/** Submitted with one look at the files, approved with another. */
function approvedWith(now: string): readonly Move[] {
  const read: Move = { type: "plan-read", callId: "exit", text: "# A", at: 11, evidence: evidence(now) };
  return [...submit("# A", "h1"), approval()[0]!, read];
}
