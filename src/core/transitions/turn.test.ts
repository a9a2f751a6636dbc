import { describe, expect, test } from "vitest";
import {
  answered,
  approval,
  classified,
  choose,
  claimed,
  entriesOf,
  exits,
  finished,
  noticesIn,
  planFile,
  planning,
  play,
  reads,
  refusalsIn,
  reply,
  resultsOf,
  reviewing,
  runs,
  said,
  started,
  statesOf,
  submission,
  typesOf,
  withAuto,
  working,
  writes,
  type Move,
} from "../../testing/core-fixtures.ts";
import type { Comment } from "../verdict.ts";
import { isIdle, pendingReview } from "../selectors.ts";
import type { Session } from "../session.ts";

const cancel: Move = { type: "turn-cancelled" };

describe("cancelling", () => {
  const rules = { allow: [], ask: ["Read"], deny: [] };
  test.each<[string, Session, readonly string[]]>([
    ["thinking", working(), ["stop"]],
    ["a tool running", play(working(), reply(reads("c"))).session, ["stop"]],
    ["a question open", play(working(), reply(runs("c"))).session, ["stop", "withdraw-question"]],
    [
      "a classifier at work",
      play(working({ rules, mode: "auto", ...withAuto("during-plan") }), reply(reads("c"))).session,
      ["stop", "withdraw-question"],
    ],
    ["claiming a file", play(started({ mode: "plan" }), said("go")).session, ["stop"]],
    ["the plan being read", play(planning(), reply(exits("c"))).session, ["stop"]],
    ["a review open", reviewing(), ["stop", "close-review"]],
    ["an approval confirmed", play(reviewing(), approval()[0]!).session, ["stop", "close-review"]],
    ["an edit written", play(reviewing(), ...approval({ plan: "# Mine" })).session, ["stop", "close-review"]],
  ])(
    "B2.2 with %s: everything stops, each call has its result, nothing is approved, the mode stays",
    (_, before, effects) => {
      const { session, last } = play(before, cancel);
      expect(typesOf(last)).toEqual(effects);
      expect(isIdle(session)).toBe(true);
      expect(session.permissions).toEqual(before.permissions);
      for (const { call } of before.turn.open) expect(resultsOf(session)[call.id]).toEqual({ kind: "cancelled" });
      expect(session.plans.map(({ status }) => status)).not.toContain("approved");
      const late: readonly Move[] = [
        finished("c"),
        answered("c", "yes"),
        classified("c", "allow"),
        { type: "plan-read", callId: "exit", text: "# Plan\n1. do it", at: 1 },
        { type: "plan-written", callId: "exit" },
        { type: "model-replied", request: before.turn.requests, content: [], calls: [writes("w")] },
        ...approval(),
      ];
      for (const move of late) expect(play(session, move).session).toBe(session);
    },
  );

  test("B2.2 the next words of the person go on from there", () => {
    const { last, session } = play(reviewing(), cancel, said("rather so"));
    expect(typesOf(last)).toEqual(["call-model"]);
    expect(entriesOf(session).slice(-2)).toEqual([{ kind: "cancelled" }, { kind: "user", text: "rather so" }]);
  });

  test("B2.2 a claim that comes after the cancelling is kept, and starts nothing", () => {
    const { session, last } = play(started({ mode: "plan" }), said("go"), cancel, claimed());
    expect([session.plan.file, last]).toEqual([planFile, []]);
  });
});

describe("words and turns", () => {
  test("R8.2 what is said while the model is busy waits, and is delivered before the next request", () => {
    const busy = play(working(), said("also"), said("and"));
    expect([busy.effects, busy.session.turn.queued]).toEqual([[], ["also", "and"]]);
    const { session, last } = play(busy.session, reply());
    expect(last).toEqual([{ type: "call-model", request: 2 }]);
    expect(entriesOf(session).map((entry) => (entry.kind === "user" ? entry.text : entry.kind))).toEqual([
      "Refactor auth",
      "assistant",
      "also",
      "and",
    ]);
  });

  test("R8.2 during tool calls it waits for their results", () => {
    const { session, last } = play(working(), reply(reads("r")), said("also"), finished("r"));
    expect(typesOf(last)).toEqual(["call-model"]);
    expect(entriesOf(session).map(({ kind }) => kind)).toEqual(["user", "assistant", "result", "user"]);
  });

  test("B4.3 a turn in plan mode that ends in text leaves a one-line hint, not a loop", () => {
    const { session, last } = play(planning(), reply());
    expect(last).toEqual([{ type: "notify", notice: { key: "turn-ended-in-text" } }]);
    expect(isIdle(session)).toBe(true);
  });

  test("B4.3 outside of plan mode there is no hint", () => {
    expect(play(working(), reply()).last).toEqual([]);
  });

  test("B2.2 a model error is shown and approves nothing", () => {
    const { session, last } = play(planning(), { type: "model-failed", request: 1, error: "overloaded" });
    expect(last).toEqual([{ type: "notify", notice: { key: "model-failed", error: "overloaded" } }]);
    expect([isIdle(session), session.permissions.mode.current]).toEqual([true, "plan"]);
  });

  test("R1.5 one model request at a time, whatever is said", () => {
    const moves = [said("a"), choose("plan"), said("b"), choose("default"), said("c")];
    expect(typesOf(play(working(), ...moves).effects)).not.toContain("call-model");
  });
});

describe("snapshots of the plan", () => {
  test("R14.2 the model's writes keep the text, a person's own edit is a revision at once", () => {
    const drafted = play(planning(), { type: "plan-saved", text: "# Draft", by: "model", at: 5 }).session;
    expect([drafted.plan.text, drafted.plans[0]!.revisions]).toEqual(["# Draft", []]);
    const edited = play(drafted, { type: "plan-saved", text: "# Mine", by: "person", at: 6 }).session;
    expect(edited.plans[0]!.revisions).toMatchObject([{ number: 1, text: "# Mine", by: "person", at: 6 }]);
  });

  test("B3.1 the same text submitted after that is no second revision", () => {
    const edited = play(planning(), { type: "plan-saved", text: "# Mine", by: "person", at: 6 }).session;
    expect(play(edited, ...submission("# Mine")).session.plans[0]!.revisions.length).toBe(1);
  });
});

test("R5.5 R11.4 calls of one reply are settled one by one and the model speaks once", () => {
  const { session, effects } = play(working(), reply(reads("a"), reads("b")), finished("b"), said("x"), finished("a"));
  expect([statesOf(session), noticesIn(effects), refusalsIn(effects)]).toEqual([{}, [], []]);
  expect(typesOf(effects).filter((type) => type === "call-model")).toEqual(["call-model"]);
});

test("B3.2 comments between two reviews stay open in the next revision, until they are resolved; notes need no answer", () => {
  const question = { id: "q", kind: "question", from: 1, to: 1, quote: "# Plan", text: "Why?" } as const;
  const note = { id: "n", kind: "note", from: 1, to: 1, quote: "# Plan", text: "Nice." } as const;
  const said = play(planning(), commented([question, note], [])).session;
  const shown = play(said, ...submission("New.\n# Plan")).session;
  expect(pendingReview(shown)?.comments).toEqual([{ ...question, from: 2, to: 2, anchor: "moved" }]);
  const settled = play(planning(), commented([question], []), commented([], ["q"]), ...submission("# Plan")).session;
  expect(pendingReview(settled)?.comments).toEqual([]);
  const elsewhere: Move = { type: "plan-commented", file: "/elsewhere.md", comments: [question], resolved: [] };
  expect(refusalsIn(play(planning(), elsewhere).effects)).toEqual(["plan-path"]);
});

function commented(comments: readonly Comment[], resolved: readonly string[]): Move {
  return { type: "plan-commented", file: planFile, comments, resolved };
}
