import { describe, expect, test } from "vitest";
import {
  answered,
  approval,
  choose,
  claimed,
  decided,
  enters,
  noticesIn,
  planning,
  play,
  reads,
  refusalsIn,
  remindersOf,
  reply,
  resultsOf,
  reviewing,
  runs,
  said,
  settings,
  start,
  started,
  submission,
  typesOf,
  withAuto,
  working,
  writes,
  type Move,
} from "../../testing/core-fixtures.ts";
import type { Event } from "../event.ts";
import { isPlanning, type Mode } from "../mode.ts";
import { pendingReview, permissionContext, statusLabel } from "../selectors.ts";
import { freshSession, type Session } from "../session.ts";

const off: Event = { type: "plan-left" };
const cycle: Event = { type: "mode-cycled" };

describe("the permission context", () => {
  const rules = { allow: ["Bash", "Read"], ask: ["WebFetch"], deny: ["Read(.env)"] };
  test("R1.1 holds mode and rules, prePlanMode only in plan, stripped rules only while auto is active", () => {
    const session = started({ rules, ...withAuto("during-plan") });
    expect(permissionContext(session)).toEqual({ mode: "default", ...rules });
    expect(permissionContext(play(session, choose("plan")).session)).toEqual({
      mode: "plan",
      prePlanMode: "default",
      ...rules,
      allow: ["Read"],
      strippedDangerousRules: ["Bash"],
    });
  });

  test("R1.4 a mode change is never written to a settings file: it has no effect but notices", () => {
    const modes: readonly Mode[] = ["acceptEdits", "plan", "auto", "bypassPermissions", "default"];
    const session = started({ bypassAvailable: true, ...withAuto("during-plan") });
    const { effects } = play(session, ...modes.map(choose));
    expect(new Set(typesOf(effects))).toEqual(new Set(["notify"]));
  });
});

describe("ways in", () => {
  test.each<[string, Session, readonly Move[]]>([
    ["R2.1 by command", started(), [choose("plan"), said("go")]],
    ["R2.2 by Shift+Tab", started({ mode: "acceptEdits" }), [cycle, said("go")]],
    ["R2.4 by the start", started({ mode: "plan" }), [said("go")]],
  ])("%s the very first request carries the full reminder", (_, session, moves) => {
    const claim = {
      type: "plan-claimed",
      slug: "a-b-c",
      file: "/p/a-b-c.md",
      origin: { branch: null, commit: null },
    } as const;
    const { session: after, last } = play(session, ...moves, claim);
    expect(typesOf(last)).toEqual(["call-model"]);
    expect(remindersOf(after)).toEqual([
      { type: "plan_mode", reminderType: "full", isSubAgent: false, planFilePath: "/p/a-b-c.md", planExists: false },
    ]);
  });

  test("R2.3 by the model, where settings allow it without a question: the person is told", () => {
    const allowing = { settings: { ...settings, modelMayEnterPlan: "allow" } } as const;
    const { session, effects } = play(working(allowing), reply(enters()));
    expect(isPlanning(session.permissions)).toBe(true);
    expect(resultsOf(session)["enter"]).toEqual({ kind: "entered" });
    expect(noticesIn(effects)).toEqual(["plan-entered-by-model"]);
  });

  test("R6.6 the result is the bare fact; the workflow comes by the same reminder as on every way in", () => {
    const byModel = play(working(), reply(enters()), answered("enter", "yes"), claimed()).session;
    expect(resultsOf(byModel)["enter"]).toEqual({ kind: "entered" });
    expect(remindersOf(byModel)).toEqual(remindersOf(planning()));
  });

  test("R2.6 R1.3 entering from plan changes nothing", () => {
    const session = planning({ mode: "acceptEdits" });
    const again = play(session, choose("plan"));
    expect([again.session.permissions, again.session.notices, again.effects]).toEqual([
      session.permissions,
      session.notices,
      [],
    ]);
  });

  test("R2.2 Shift+Tab goes round and comes back, bypass only where it was allowed at start", () => {
    const session = started({ bypassAvailable: true, ...withAuto("not-during-plan") });
    const seen = [1, 2, 3, 4, 5].map((count) => {
      const moves = Array.from({ length: count }, () => cycle);
      return play(session, ...moves).session.permissions.mode.current;
    });
    expect(seen).toEqual(["acceptEdits", "plan", "auto", "bypassPermissions", "default"]);
  });

  test("R17.3 a mode that cannot be had is refused, the old one stays, and the person is told", () => {
    const session = started();
    const step = play(session, choose("bypassPermissions"));
    expect(step.session).toBe(session);
    expect(step.effects).toEqual([
      {
        type: "notify",
        notice: { key: "mode-refused", mode: "bypassPermissions", reason: "bypass-not-allowed-at-start" },
      },
      { type: "refuse", event: "mode-chosen", reason: "bypass-not-allowed-at-start" },
    ]);
  });
});

test("R17.3 a start in a mode that cannot be had falls back to default, and the person is told", () => {
  const { session, effects } = play(freshSession(), start({ mode: "bypassPermissions" }));
  expect(session.permissions.mode).toEqual({ current: "default" });
  expect(effects).toEqual([
    {
      type: "notify",
      notice: { key: "mode-refused", mode: "bypassPermissions", reason: "bypass-not-allowed-at-start" },
    },
  ]);
});

describe("always a way out", () => {
  const states: readonly [string, Session][] = [
    ["idle", play(planning(), reply()).session],
    ["before the first word", play(started(), choose("plan")).session],
    ["claiming a file", play(started(), choose("plan"), said("go")).session],
    [
      "no file to be had",
      play(started(), choose("plan"), said("go"), { type: "plan-claim-failed", error: "e" }).session,
    ],
    ["thinking", planning()],
    ["a tool running", play(planning(), reply(reads("r"))).session],
    ["a question open", play(planning(), reply(runs("c"))).session],
    ["the plan being read", play(planning(), submission("# P")[0]!).session],
    ["under review", reviewing()],
    ["confirming", play(reviewing(), approval()[0]!).session],
    ["writing an edit", play(reviewing(), ...approval({ plan: "# Mine" })).session],
    ["rejected", play(reviewing(), decided({ kind: "revise", feedback: "no" })).session],
    ["dismissed", play(reviewing(), decided({ kind: "dismiss" })).session],
    ["over bypass", planning({ mode: "bypassPermissions", bypassAvailable: true })],
    [
      "over auto whose gate closed",
      play(planning({ mode: "auto", ...withAuto("during-plan") }), { type: "auto-gate-changed", open: false }).session,
    ],
  ];
  test.each(states)(
    "B4.1 from a session that is %s, one action leads out, without an approval, and says so",
    (_, session) => {
      expect(isPlanning(session.permissions)).toBe(true);
      for (const action of [off, choose("default"), choose("acceptEdits")]) {
        const { session: left, effects } = play(session, action);
        expect(isPlanning(left.permissions)).toBe(false);
        expect(noticesIn(effects)).toContain("left-without-approval");
        expect(left.plans.some(({ status }) => status === "approved")).toBe(false);
      }
      expect(isPlanning(play(session, cycle).session.permissions)).toBe(false);
    },
  );

  test("B4.1 the model is told that nothing was approved", () => {
    const { session } = play(reviewing(), off, said("go on"));
    expect(remindersOf(session).at(-1)).toMatchObject({ type: "plan_mode_exit", approved: false, planExists: true });
  });

  test("B4.1 leaving in the middle of a turn: the next call is judged in the new mode", () => {
    const { last } = play(planning({ mode: "acceptEdits" }), off, reply(writes("w")));
    expect(typesOf(last)).toEqual(["run-tool"]);
  });
});

describe("settings and gate while planning", () => {
  const rules = { allow: ["Bash", "Read"], ask: [], deny: [] };

  test("R11.3 the setting takes effect at once, in both directions, without leaving plan mode", () => {
    const session = planning({ rules, ...withAuto("not-during-plan") });
    const on = play(session, changed(true));
    expect(permissionContext(on.session)).toMatchObject({
      mode: "plan",
      allow: ["Read"],
      strippedDangerousRules: ["Bash"],
    });
    const out = play(on.session, changed(false));
    expect(permissionContext(out.session)).toEqual({ mode: "plan", prePlanMode: "default", ...rules });
    expect(noticesIn(out.last)).toEqual(["settings-changed", "auto-mode-off"]);
    expect(remindersOf(play(out.session, reply(), said("x")).session)).toContainEqual({ type: "auto_mode_exit" });
  });

  test("R11.3 still on: rules that come meanwhile are stripped too", () => {
    const session = planning({ rules, ...withAuto("during-plan") });
    const more = { ...rules, allow: ["Bash(python:*)", "Read", "Bash(ls:*)"] };
    const { session: after } = play(session, { type: "rules-changed", rules: more }, changed(true));
    expect(permissionContext(after)).toMatchObject({
      allow: ["Read", "Bash(ls:*)"],
      strippedDangerousRules: ["Bash(python:*)"],
    });
  });

  test("R11.3 never over bypass", () => {
    const over = { mode: "bypassPermissions", bypassAvailable: true, ...withAuto("not-during-plan") } as const;
    expect(play(planning(over), changed(true)).session.permissions.autoActive).toBe(false);
  });

  test("R11.3 opting out counts as off", () => {
    const session = planning({ rules, ...withAuto("during-plan") });
    expect(play(session, changed(true, false)).session.permissions).toMatchObject({ autoActive: false });
  });

  test.each<[string, Event]>([
    ["opting out", changed(false, false)],
    ["the gate", { type: "auto-gate-changed", open: false }],
  ])("R11.3 %s takes auto from the plan that is shown, and its dialog is told", (_, event) => {
    const before = reviewing("# Plan", { mode: "auto", ...withAuto("not-during-plan") });
    expect(JSON.stringify(pendingReview(before)?.choices)).toContain('"auto"');
    const { session, last } = play(before, event);
    const choices = pendingReview(session)!.choices;
    expect(JSON.stringify(choices)).not.toContain('"auto"');
    expect(last.filter(({ type }) => type === "reoffer-review")).toEqual([
      { type: "reoffer-review", requestId: pendingReview(before)!.id, choices },
    ]);
    expect(play(session, event).last.filter(({ type }) => type === "reoffer-review")).toEqual([]);
    expect(play(session, ...approval()).session.permissions.mode.current).toBe("default");
  });

  test("R2.7 from auto without plan-auto: an auto-exit notice is due, and not when auto is back before the model speaks", () => {
    const auto = started({ mode: "auto", ...withAuto("not-during-plan") });
    const entered = play(auto, choose("plan"));
    expect(noticesIn(entered.effects)).toEqual(["auto-mode-off"]);
    expect(entered.session.notices.autoExitDue).toBe(true);
    const back = play(entered.session, choose("auto"), said("hi"));
    expect([remindersOf(back.session), back.session.notices.autoExitDue]).toEqual([[], false]);
  });

  test("R11.4 when the gate closes in auto: default, with the notice for the person and for the model", () => {
    const { session, effects } = play(
      started({ mode: "auto", ...withAuto("during-plan") }),
      { type: "auto-gate-changed", open: false },
      said("hi"),
    );
    expect(session.permissions.mode).toEqual({ current: "default" });
    expect(noticesIn(effects)).toEqual(["auto-mode-unavailable"]);
    expect(remindersOf(session)).toEqual([{ type: "auto_mode_exit" }]);
    expect(remindersOf(play(session, reply(), said("on")).session)).toEqual([{ type: "auto_mode_exit" }]);
  });
});

test.each<[Mode, string]>([
  ["plan", "⏸ plan mode on (shift+tab to cycle)"],
  ["default", ""],
  ["acceptEdits", "⏵⏵ accept edits on (shift+tab to cycle)"],
  ["auto", "⏵⏵ auto mode on (shift+tab to cycle)"],
  ["bypassPermissions", "⏵⏵ bypass permissions on (shift+tab to cycle)"],
])("R15.1 the status line in %s", (mode, label) => {
  expect(statusLabel(started({ mode, bypassAvailable: true, ...withAuto("during-plan") }))).toBe(label);
});

test("R13.2 leaving plan mode neither clears nor moves the todos", () => {
  const todos = [{ content: "one", status: "pending" }] as const;
  const { session } = play(reviewing(), { type: "todos-written", todos }, ...approval());
  expect(session.todos).toEqual(todos);
  expect(refusalsIn(play(session, off).effects)).toEqual(["not-planning"]);
});

function changed(useAutoModeDuringPlan: boolean, autoOptedIn = true): Event {
  return { type: "settings-changed", settings: { ...settings, useAutoModeDuringPlan }, autoOptedIn };
}

describe("what a pass through the modes says", () => {
  test("B4.1 nothing, where nothing happened in plan mode; the first way out of a plan mode at work says so, once", () => {
    const session = started({ ...withAuto("during-plan") });
    const passes = Array.from({ length: 8 }, () => cycle);
    expect(noticesIn(play(session, ...passes).effects)).toEqual([]);
    const planned = planning();
    expect(noticesIn(play(planned, cycle, ...passes).effects)).toEqual(["left-without-approval"]);
    expect(noticesIn(play(planned, off).effects)).toEqual(["left-without-approval"]);
  });
});
