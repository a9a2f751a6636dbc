import { describe, expect, test } from "vitest";
import {
  approval,
  choose,
  claimed,
  entriesOf,
  exits,
  finished,
  otherPlanFile,
  planFile,
  planning,
  play,
  reads,
  remindersOf,
  reply,
  reviewing,
  said,
  started,
  submission,
  type Move,
} from "../../testing/core-fixtures.ts";
import type { Reminder } from "./reminder.ts";
import { planFlags } from "../selectors.ts";

const full: Reminder = {
  type: "plan_mode",
  reminderType: "full",
  isSubAgent: false,
  planFilePath: planFile,
  planExists: false,
};
const sparse: Reminder = { ...full, reminderType: "sparse" };
const draft: Move = { type: "plan-saved", text: "# Draft", by: "model", at: 5 };

/** So many human turns, each answered in text. */
function turns(count: number): readonly Move[] {
  return Array.from({ length: count }, (_, index) => [reply(), said(`turn ${index}`)]).flat();
}

describe("how often", () => {
  test.each<[number, readonly Reminder[]]>([
    [0, [full]],
    [4, [full]],
    [5, [full, sparse]],
    [9, [full, sparse]],
    [10, [full, sparse, sparse]],
    [24, [full, sparse, sparse, sparse, sparse]],
    [25, [full, sparse, sparse, sparse, sparse, full]],
    [50, [full, sparse, sparse, sparse, sparse, full, sparse, sparse, sparse, sparse, full]],
  ])("R8.2 R8.3 after the first and %s more human turns", (count, reminders) => {
    expect(remindersOf(play(planning(), ...turns(count)).session)).toEqual(reminders);
  });

  test("R8.2 fifty tool calls get no second reminder", () => {
    const calls = Array.from({ length: 50 }, (_, index) => [reply(reads(`c${index}`)), finished(`c${index}`)]).flat();
    const { session } = play(planning(), ...calls);
    expect(remindersOf(session)).toEqual([full]);
    expect(session.turn.thinking).toBe(51);
  });

  test("R8.2 messages that waited are counted each", () => {
    const waiting = ["b", "c", "d", "e", "f"].map(said);
    expect(remindersOf(play(planning(), ...waiting, reply()).session)).toEqual([full, sparse]);
  });

  test.each<[string, readonly Move[]]>([
    ["an entry", [reply(), choose("default"), choose("plan"), said("again")]],
    ["a resume", [reply(), { type: "session-resumed", plan: null }, said("again")]],
    ["a resume in the middle of a request", [{ type: "session-resumed", plan: null }]],
  ])("R8.2 R8.3 the first request after %s carries a full one, and the count begins anew", (_, moves) => {
    const { session } = play(planning(), ...turns(5), ...moves);
    expect(remindersOf(session)).toEqual([full, sparse, full]);
    expect(remindersOf(play(session, ...turns(4)).session)).toEqual([full, sparse, full]);
    expect(remindersOf(play(session, ...turns(5)).session)).toEqual([full, sparse, full, sparse]);
  });

  test("R8.2 R14.1 the first request after a compaction carries a full one", () => {
    const compacted: Move = { type: "context-compacted", summary: "s", plan: null };
    const { session } = play(planning(), ...turns(5), reply(), compacted, said("again"));
    expect(remindersOf(session)).toEqual([full]);
    expect(remindersOf(play(session, ...turns(5)).session)).toEqual([full, sparse]);
  });

  test("R8.1 a reminder says whether the plan exists: blank does not count", () => {
    const blank: Move = { type: "plan-saved", text: " \n", by: "model", at: 5 };
    expect(remindersOf(play(planning(), blank, ...turns(5)).session)).toEqual([full, sparse]);
    const exists = { ...sparse, planExists: true };
    expect(remindersOf(play(planning(), draft, ...turns(5)).session)).toEqual([full, exists]);
  });

  test("R8.6 a subagent gets its own form", () => {
    const actor = { kind: "subagent", id: "a1", ownPlan: false, parent: "plan" } as const;
    const { session } = play(started({ mode: "plan", actor }), said("look"));
    expect(remindersOf(session)).toEqual([{ ...full, isSubAgent: true, planFilePath: null }]);
  });
});

describe("leaving", () => {
  const gone: Reminder = { type: "plan_mode_exit", planFilePath: planFile, planExists: false, approved: false };

  test("R8.5 one exit notice, then none", () => {
    const { session } = play(planning(), reply(), choose("default"), said("go"), reply(), said("on"));
    expect(remindersOf(session)).toEqual([full, gone]);
  });

  test("R8.5 B4.1 it says whether something was approved, and where the plan is", () => {
    expect(remindersOf(play(reviewing(), ...approval()).session).at(-1)).toEqual({
      ...gone,
      planExists: true,
      approved: true,
    });
    expect(remindersOf(play(planning(), draft, reply(), { type: "plan-left" }, said("go")).session).at(-1)).toEqual({
      ...gone,
      planExists: true,
    });
  });

  test("R8.5 R1.3 if the mode is plan again by then, nothing is said of leaving", () => {
    const { session } = play(planning(), reply(), choose("default"), choose("plan"), said("go"));
    expect(remindersOf(session)).toEqual([full, full]);
    expect(planFlags(session).needsPlanModeExitReminder).toBe(false);
  });

  test("R1.3 R8.5 entering and leaving before the model speaks leaves no reminders at all", () => {
    const { session } = play(started(), choose("plan"), choose("default"), said("hi"), reply());
    expect(entriesOf(session).map(({ kind }) => kind)).toEqual(["user", "assistant"]);
  });

  test("R1.3 R8.5 the same after plan mode was told and left: one exit notice, no more", () => {
    const toggled = [choose("default"), choose("plan"), choose("default"), said("go"), reply()];
    const { session } = play(planning(), reply(), ...toggled, choose("plan"), choose("default"), said("on"));
    expect(remindersOf(session)).toEqual([full, gone]);
  });

  test("R1.2 R7.5 the flags: set on leaving, cleared when told, and the slug", () => {
    const inPlan = planning();
    const slug = "calm-baking-otter";
    expect(planFlags(inPlan)).toEqual({
      needsPlanModeExitReminder: false,
      hasExitedPlanMode: false,
      planSlug: slug,
    });
    const left = play(inPlan, reply(), choose("default")).session;
    expect(planFlags(left)).toEqual({ needsPlanModeExitReminder: true, hasExitedPlanMode: true, planSlug: slug });
    const compacted = play(left, { type: "context-compacted", summary: "s", plan: null }).session;
    expect(planFlags(compacted)).toEqual(planFlags(left));
    expect(planFlags(play(compacted, said("go")).session)).toEqual({
      needsPlanModeExitReminder: false,
      hasExitedPlanMode: true,
      planSlug: slug,
    });
  });
});

describe("entering again", () => {
  const again = [choose("plan"), said("next")];
  const here: Reminder = { type: "plan_mode_reentry", planFilePath: planFile };
  const exists = { ...full, planExists: true };

  test("R8.4 B5.1 after an approval: a new file, and the reminder names the earlier one", () => {
    const approved = play(reviewing(), ...approval(), reply(), ...again);
    expect(approved.last).toEqual([{ type: "claim-plan", task: "next" }]);
    const { session } = play(approved.session, claimed(otherPlanFile));
    expect(remindersOf(session).slice(-2)).toEqual([
      { type: "plan_mode_reentry", planFilePath: otherPlanFile, previousPlanPath: planFile },
      { ...full, planFilePath: otherPlanFile },
    ]);
    expect(planFlags(session).hasExitedPlanMode).toBe(false);
  });

  test.each<[string, readonly Move[]]>([
    ["a draft", [draft, reply(), choose("default")]],
    [
      "a rejected plan",
      [
        ...submission("# Draft"),
        {
          type: "review-decided",
          requestId: "s1-review-1",
          verdict: { kind: "revise", feedback: "no" },
          by: { user: "a", surface: "t" },
          at: 1,
        },
        reply(),
        choose("default"),
      ],
    ],
  ])("R8.4 with %s the file is kept, and the re-entry comes first, once", (_, moves) => {
    const { session, last } = play(planning(), ...moves, ...again);
    expect(last).toEqual([{ type: "call-model", request: expect.any(Number) }]);
    expect(remindersOf(session).slice(-2)).toEqual([here, exists]);
    const more = play(session, ...turns(5)).session;
    expect(remindersOf(more).filter(({ type }) => type === "plan_mode_reentry")).toEqual([here]);
  });

  test("R8.4 a saved plan is never written again: a new file, and the reminder names the saved one", () => {
    const by = { user: "a", surface: "t" };
    const save = { type: "review-decided", requestId: "s1-review-1", verdict: { kind: "save" }, by, at: 1 } as const;
    const saved = play(reviewing(), save, ...again);
    expect(saved.last).toEqual([{ type: "claim-plan", task: "next" }]);
    const { session } = play(saved.session, claimed(otherPlanFile));
    expect(remindersOf(session).slice(-2)).toEqual([
      { type: "plan_mode_reentry", planFilePath: otherPlanFile, previousPlanPath: planFile },
      { ...full, planFilePath: otherPlanFile },
    ]);
    expect(session.plans.map(({ file, status }) => [file, status])).toEqual([
      [planFile, "saved"],
      [otherPlanFile, "draft"],
    ]);
  });

  test("R8.4 R3.3 an abandoned plan is let go of: a new file, and nothing of the old one", () => {
    const { session } = play(
      reviewing(),
      {
        type: "review-decided",
        requestId: "s1-review-1",
        verdict: { kind: "abandon" },
        by: { user: "a", surface: "t" },
        at: 1,
      },
      ...again,
      claimed(otherPlanFile),
    );
    expect(remindersOf(session)).toEqual([full, { ...full, planFilePath: otherPlanFile }]);
  });

  test("R8.4 without anything written there is nothing to come back to", () => {
    const { session } = play(planning(), reply(), choose("default"), ...again);
    expect(remindersOf(session)).toEqual([full, full]);
  });
});

test("R8.7 after leaving, a new entry tries again for a file", () => {
  const failed = play(started(), choose("plan"), said("go"), { type: "plan-claim-failed", error: "full" }, reply());
  const again = play(failed.session, choose("default"), choose("plan"), said("again"));
  expect(again.last).toEqual([{ type: "claim-plan", task: "again" }]);
});

test("R8.7 where no plan file can be had the call goes out in the strictest state, and the person is told", () => {
  const { session, last } = play(started(), choose("plan"), said("go"), {
    type: "plan-claim-failed",
    error: "disk full",
  });
  expect(last).toEqual([
    { type: "notify", notice: { key: "plan-file-unavailable", error: "disk full" } },
    { type: "call-model", request: 1 },
  ]);
  expect(remindersOf(session)).toEqual([{ ...full, planFilePath: null }]);
  expect(session.permissions.mode.current).toBe("plan");
  const denied = play(session, reply(exits()));
  expect(entriesOf(denied.session).find(({ kind }) => kind === "result")).toEqual({
    kind: "result",
    callId: "exit",
    tool: "ExitPlanMode",
    outcome: { kind: "denied", denial: { code: "no-plan", detail: null, part: null } },
  });
});
