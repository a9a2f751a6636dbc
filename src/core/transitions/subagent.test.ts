import { describe, expect, test } from "vitest";
import {
  approval,
  choose,
  decided,
  enters,
  exits,
  planFile,
  play,
  plans,
  reads,
  refusalsIn,
  reply,
  resultsOf,
  runs,
  said,
  started,
  statesOf,
  typesOf,
  withAuto,
  writes,
} from "../../testing/core-fixtures.ts";
import type { Event, SessionStarted } from "../event.ts";
import type { Mode, WorkingMode } from "../mode.ts";
import { pendingReview } from "../selectors.ts";
import type { Session } from "../session.ts";
import type { Actor } from "../decide/situation.ts";

const slug = "calm-baking-otter";
const file = `${plans}/${slug}-agent-a1.md`;
const text = "# Plan\n1. do it";

function child(parent: Mode, ownPlan = false): Actor {
  return { kind: "subagent", id: "a1", ownPlan, parent };
}

function parentTo(mode: Mode): Event {
  return { type: "parent-mode-changed", mode };
}

/** A subagent started with `mode: plan` while its parent works. */
function ownPlanner(parent: WorkingMode, over: Partial<SessionStarted> = {}): Session {
  const actor = child(parent, true);
  return play(started({ actor, mode: "plan", plan: { slug, file }, ...over }), said("plan it")).session;
}

const submitted = [reply(exits()), { type: "plan-read", callId: "exit", text, at: 1 }] as const;

describe("under the parent's gate", () => {
  test.each<[Mode, Mode, Session["permissions"]["mode"]]>([
    ["plan", "default", { current: "plan", returnTo: "default" }],
    ["plan", "acceptEdits", { current: "plan", returnTo: "acceptEdits" }],
    ["default", "acceptEdits", { current: "default" }],
    ["acceptEdits", "bypassPermissions", { current: "acceptEdits" }],
    ["bypassPermissions", "acceptEdits", { current: "acceptEdits" }],
    ["default", "plan", { current: "plan", returnTo: "default" }],
  ])("B1.7 R2.5 a child of %s started in %s never has more", (parent, mode, expected) => {
    expect(started({ actor: child(parent), mode, bypassAvailable: true }).permissions.mode).toEqual(expected);
  });

  test.each<[string, Mode, Mode, Session["permissions"]["mode"]]>([
    ["enters plan with its parent", "acceptEdits", "plan", { current: "plan", returnTo: "acceptEdits" }],
    ["narrows with its parent", "acceptEdits", "default", { current: "default" }],
    ["does not widen with its parent", "default", "bypassPermissions", { current: "default" }],
  ])("B1.7 a child %s", (_, before, to, expected) => {
    const session = started({ actor: child(before), mode: before, bypassAvailable: true });
    expect(play(session, parentTo(to)).session.permissions.mode).toEqual(expected);
  });

  test("B1.7 what a child was asked about is judged again when its parent enters plan mode", () => {
    const session = play(started({ actor: child("default") }), said("go"), reply(writes("w"), reads("r"))).session;
    const planned = play(session, parentTo("plan"));
    expect(resultsOf(planned.session)["w"]).toMatchObject({ kind: "denied", denial: { code: "plan-write" } });
  });

  test("B1.7 a child follows its parent out of plan mode, never wider than it", () => {
    const session = play(started({ actor: child("acceptEdits"), mode: "acceptEdits" }), parentTo("plan")).session;
    expect(play(session, parentTo("default")).session.permissions.mode).toEqual({ current: "default" });
    expect(play(session, parentTo("bypassPermissions")).session.permissions.mode).toEqual({ current: "acceptEdits" });
  });

  test("B1.7 where the parent's narrower mode cannot be had, default follows, and nothing is refused", () => {
    const session = started({ actor: child("bypassPermissions"), mode: "bypassPermissions", bypassAvailable: true });
    const followed = play(session, parentTo("auto"));
    expect([followed.session.permissions.mode, refusalsIn(followed.effects)]).toEqual([{ current: "default" }, []]);
  });

  test("B1.7 R3.7 in plan mode a child writes its own plan file alone, never its parent's", () => {
    const session = ownPlanner("default");
    const { session: after, effects } = play(
      session,
      reply(writes("main", planFile, "elsewhere"), writes("own", file, "elsewhere")),
    );
    expect(resultsOf(after)).toEqual({
      main: { kind: "denied", denial: { code: "plan-write", detail: planFile, part: null, planFile: file } },
    });
    expect(typesOf(effects)).toEqual(["run-tool"]);
  });

  test("R6.4 EnterPlanMode in a subagent is an error", () => {
    const { session } = play(started({ actor: child("default") }), said("go"), reply(enters()));
    expect(resultsOf(session)["enter"]).toEqual({
      kind: "denied",
      denial: { code: "enter-in-agent", detail: null, part: null },
    });
  });

  test("R7.13 while the parent plans, leaving is denied", () => {
    const { session } = play(started({ actor: child("plan"), mode: "plan" }), said("go"), reply(exits()));
    expect(resultsOf(session)["exit"]).toEqual({
      kind: "denied",
      denial: { code: "exit-parent-planning", detail: null, part: null },
    });
  });
});

describe("with a plan of its own", () => {
  test("R7.13 R2.5 the person is asked, the request labelled with the agent, at most the parent's mode offered", () => {
    const { session, last } = play(ownPlanner("acceptEdits"), ...submitted);
    expect(typesOf(last)).toEqual(["request-review"]);
    expect(pendingReview(session)).toMatchObject({ agent: "a1", planFile: file, plan: text });
    expect(pendingReview(session)?.choices).toEqual([
      { kind: "approve", mode: "default", label: "each-edit" },
      { kind: "approve", mode: "acceptEdits", label: "accept-edits" },
      { kind: "save" },
      { kind: "revise" },
      { kind: "abandon" },
    ]);
  });

  test("B3.1 B2.7 its plan has a record too: revisions and decisions are kept", () => {
    const { session } = play(ownPlanner("default"), ...submitted, decided({ kind: "revise", feedback: "more" }));
    expect(session.plans).toMatchObject([
      { file, session: "s1", status: "rejected", revisions: [{ number: 1, text }], decisions: [{ kind: "revise" }] },
    ]);
  });

  test.each<[WorkingMode, WorkingMode | undefined, WorkingMode]>([
    ["default", undefined, "default"],
    ["acceptEdits", "acceptEdits", "acceptEdits"],
    ["acceptEdits", "default", "default"],
  ])("R7.13 under %s an approval for %s leads the child alone to %s", (parent, mode, to) => {
    const { session } = play(ownPlanner(parent), ...submitted, ...approval(mode === undefined ? {} : { mode }));
    expect(session.permissions.mode).toEqual({ current: to });
  });

  test("R7.13 more than the parent has cannot be approved", () => {
    const session = play(ownPlanner("default"), ...submitted).session;
    const step = play(session, approval({ mode: "acceptEdits" })[0]!);
    expect([step.session, refusalsIn(step.last)]).toEqual([session, ["mode-not-available"]]);
  });

  test.each<[string, Event | ReturnType<typeof decided>]>([
    ["saved", decided({ kind: "save" })],
    ["abandoned", decided({ kind: "abandon" })],
    ["left by hand", { type: "plan-left" }],
  ])("R7.13 B1.7 a plan that is %s leads back to the parent's mode at most", (_, move) => {
    const session = play(ownPlanner("acceptEdits", { returnTo: "acceptEdits" }), ...submitted).session;
    const { session: after } = play(session, parentTo("default"), move);
    expect(after.permissions.mode).toEqual({ current: "default" });
  });

  test("R7.13 B1.7 it keeps its plan mode when its parent leaves", () => {
    const session = play(ownPlanner("default"), parentTo("plan"), parentTo("default")).session;
    expect(session.permissions.mode.current).toBe("plan");
  });

  test("R7.13 B1.7 when the parent begins to plan, the open review closes and leaving is denied", () => {
    const session = play(ownPlanner("default"), ...submitted).session;
    const { session: after, last } = play(session, parentTo("plan"));
    expect(last).toEqual([
      { type: "close-review", requestId: "s1-review-1", by: null },
      { type: "call-model", request: 2 },
    ]);
    expect(resultsOf(after)["exit"]).toEqual({
      kind: "denied",
      denial: { code: "exit-parent-planning", detail: null, part: null },
    });
    expect(refusalsIn(play(after, ...approval()).effects)).toEqual(["unknown-request", "unknown-call"]);
    expect(after.permissions.mode.current).toBe("plan");
  });
});

test("B1.7 R11.3 a child with auto in plan is brought in step like its parent", () => {
  const session = started({ actor: child("plan"), mode: "default", ...withAuto("during-plan") });
  expect([session.permissions.mode.current, session.permissions.autoActive]).toEqual(["plan", true]);
  expect(statesOf(play(session, said("x"), reply(runs("c"))).session)).toEqual({ c: "asking" });
  expect(refusalsIn(play(session, choose("plan")).effects)).toEqual([]);
});
