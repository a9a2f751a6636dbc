import { describe, expect, test } from "vitest";
import {
  approval,
  choose,
  entriesOf,
  exits,
  finished,
  noticesIn,
  planFile,
  planning,
  play,
  reads,
  refusalsIn,
  remindersOf,
  reply,
  resultsOf,
  reviewing,
  said,
  started,
  statesOf,
  typesOf,
  working,
  writes,
  type Move,
} from "../../testing/core-fixtures.ts";
import type { Event } from "../event.ts";
import { isIdle } from "../selectors.ts";

const wanted: Event = { type: "compaction-requested", why: "asked" };
const near: Event = { type: "compaction-requested", why: "near" };
const done: Event = { type: "context-compacted", summary: "The user approved the plan.", plan: null };
const failed: Event = { type: "compaction-failed", error: "overloaded" };
const resumed: Event = { type: "session-resumed", plan: null };
const full: Move = ({ turn }) => ({
  type: "model-failed",
  request: turn.thinking ?? -1,
  error: "too long",
  contextFull: true,
});

describe("compaction", () => {
  test("R14.1 it begins at once when nothing is under way, and after the open calls otherwise", () => {
    const idle = play(working(), reply()).session;
    expect(play(idle, wanted).last).toEqual([{ type: "compact-context", focus: null }]);
    expect(play(idle, { ...wanted, focus: "tests" }).last).toEqual([{ type: "compact-context", focus: "tests" }]);
    const busy = play(working(), reply(reads("r")), near);
    expect(typesOf(busy.last)).toEqual([]);
    expect(typesOf(play(busy.session, finished("r")).last)).toEqual(["compact-context"]);
  });

  test("R14.1 near the limit it waits for the next request, so that a conversation that is over costs none", () => {
    const idle = play(working(), reply(), near);
    expect([typesOf(idle.last), isIdle(idle.session)]).toEqual([[], true]);
    expect(typesOf(play(idle.session, said("more")).last)).toEqual(["compact-context"]);
    expect(typesOf(play(idle.session, wanted).last)).toEqual(["compact-context"]);
  });

  test("R14.1 what the person says while it runs is queued, and heard after it with plan, todos and a full reminder", () => {
    const before = play(
      planning(),
      { type: "plan-saved", text: "# Plan", by: "model", at: 1 },
      { type: "todos-written", todos: [{ content: "one", status: "pending" }] },
      reply(),
      wanted,
      said("and this"),
    );
    expect(typesOf(before.last)).toEqual([]);
    const { session, last } = play(before.session, { ...done, plan: "# Plan, from disk" });
    expect(typesOf(last)).toEqual(["notify", "call-model"]);
    expect(entriesOf(session).map(({ kind }) => kind)).toEqual(["summary", "user", "reminder", "reminder", "reminder"]);
    expect(remindersOf(session)).toMatchObject([
      { type: "plan_file_reference", planFilePath: planFile, planContent: "# Plan, from disk" },
      { type: "todo", itemCount: 1, context: "post-compact" },
      { type: "plan_mode", reminderType: "full" },
    ]);
  });

  test("R14.1 B2.2 a summary that claims an approval changes nothing: mode, plan and gate are as they were", () => {
    const before = play(planning(), reply(), wanted).session;
    const { session } = play(before, done, said("go on"), reply(writes("w")));
    expect(session.permissions).toEqual(before.permissions);
    expect(session.plan).toEqual(before.plan);
    expect(resultsOf(session)).toMatchObject({ w: { kind: "denied" } });
  });

  test("R14.1 a failed compaction leaves the session as it was, and the work goes on", () => {
    const before = play(working(), reply(reads("r")), near, finished("r")).session;
    const { session, last } = play(before, failed);
    expect(noticesIn(last)).toEqual(["compaction-failed"]);
    expect(typesOf(last)).toEqual(["notify", "call-model"]);
    expect(entriesOf(session)).toEqual(entriesOf(before));
    expect(session.turn.compaction).toBe(null);
  });

  test("R14.1 a request that does not fit is made again after one compaction, and not after a second", () => {
    const first = play(working(), reply(), said("more"), full);
    expect(typesOf(first.last)).toEqual(["compact-context"]);
    const again = play(first.session, done);
    expect(typesOf(again.last)).toEqual(["notify", "call-model"]);
    expect(entriesOf(again.session)).toEqual([
      { kind: "summary", text: "The user approved the plan." },
      { kind: "user", text: "more" },
    ]);
    expect(noticesIn(play(again.session, full).last)).toEqual(["model-failed"]);
    const helpless = play(first.session, failed);
    expect(typesOf(helpless.last)).toEqual(["notify"]);
    expect(helpless.session.turn).toMatchObject({ due: false, thinking: null, compaction: null });
  });

  test("B2.2 a plan under review stays where it is: the compaction waits for the verdict", () => {
    const { session, last } = play(reviewing(), wanted);
    expect(typesOf(last)).toEqual([]);
    expect(statesOf(session)).toEqual({ exit: "reviewing" });
  });

  test("R14.1 a plan that is carried out comes back, a finished or abandoned one does not", () => {
    const carried = play(reviewing("# Plan"), ...approval(), reply(), wanted, done, said("go on")).session;
    expect(remindersOf(carried).map(({ type }) => type)).toContain("plan_file_reference");
    const todos = [{ content: "one", status: "completed" }] as const;
    const finishedPlan = play(
      reviewing("# Plan"),
      ...approval(),
      { type: "todos-written", todos },
      reply(),
      wanted,
      done,
      said("next"),
    ).session;
    expect(remindersOf(finishedPlan).map(({ type }) => type)).not.toContain("plan_file_reference");
    const abandoned = play(
      reviewing("# Plan"),
      (session) => ({
        type: "review-decided",
        requestId: `${session.id}-review-1`,
        verdict: { kind: "abandon" },
        by: { user: "ada", surface: "terminal" },
        at: 20,
      }),
      wanted,
      done,
      said("next"),
    ).session;
    expect(remindersOf(abandoned).map(({ type }) => type)).not.toContain("plan_file_reference");
  });

  test("R14.6 one that died with its process is taken up again; Esc stops it, and says nothing to the model", () => {
    const running = play(working(), reply(), wanted).session;
    expect(typesOf(play(running, resumed).last)).toEqual(["compact-context"]);
    const stopped = play(running, { type: "turn-cancelled" });
    expect(typesOf(stopped.last)).toEqual(["stop"]);
    expect(entriesOf(stopped.session)).toEqual(entriesOf(running));
    expect(refusalsIn(play(stopped.session, failed).last)).toEqual(["nothing-to-do"]);
  });

  test("R5.5 a mode chosen while it runs is in force at once and told after it", () => {
    const { session } = play(working(), reply(), wanted, choose("plan"), done);
    expect(session.permissions.mode.current).toBe("plan");
  });

  test("what has nothing to shorten, or runs already, is refused", () => {
    expect(refusalsIn(play(started(), wanted).last)).toEqual(["nothing-to-do"]);
    expect(refusalsIn(play(working(), reply(), wanted, wanted).last)).toEqual(["busy"]);
    expect(refusalsIn(play(working(), reply(), wanted, { type: "context-cleared" }).last)).toEqual(["busy"]);
    expect(typesOf(play(planning(), reply(exits()), wanted).last)).toEqual([]);
  });
});
