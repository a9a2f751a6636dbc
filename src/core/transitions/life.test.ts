import { describe, expect, test } from "vitest";
import {
  answered,
  approval,
  choose,
  claimed,
  decided,
  entriesOf,
  otherPlanFile,
  planFile,
  planning,
  play,
  refusalsIn,
  remindersOf,
  reply,
  resultsOf,
  reviewing,
  said,
  start,
  started,
  submission,
  working,
  writes,
  type Move,
} from "../../testing/core-fixtures.ts";
import type { Event } from "../event.ts";
import { isIdle, pendingReview, planFlags } from "../selectors.ts";
import { freshSession, type Session } from "../session.ts";

const compacted: Event = { type: "context-compacted", summary: "so far", plan: null };
const todos = [{ content: "one", status: "pending" }] as const;
const draft: Move = { type: "plan-saved", text: "# Draft", by: "model", at: 5 };

describe("compaction", () => {
  test("R14.1 R13.2 while planning: plan and todos are given again, the mode stays, a full reminder follows", () => {
    const { session } = play(
      planning(),
      draft,
      { type: "todos-written", todos },
      reply(),
      { ...compacted, plan: "# From disk" },
      said("go on"),
    );
    expect(session.permissions.mode).toEqual({ current: "plan", returnTo: "default" });
    expect(entriesOf(session)).toEqual([
      { kind: "summary", text: "so far" },
      { kind: "user", text: "go on" },
      {
        kind: "reminder",
        reminder: { type: "plan_file_reference", planFilePath: planFile, planContent: "# From disk" },
      },
      { kind: "reminder", reminder: { type: "todo", content: todos, itemCount: 1, context: "post-compact" } },
      {
        kind: "reminder",
        reminder: {
          type: "plan_mode",
          reminderType: "full",
          isSubAgent: false,
          planFilePath: planFile,
          planExists: true,
        },
      },
    ]);
    const later = play(session, reply(), said("more")).session;
    expect(remindersOf(later)).toEqual(remindersOf(session));
  });

  test("R14.1 after an approval the approved plan is given again", () => {
    const { session } = play(reviewing(), ...approval(), reply(), compacted, said("go on"));
    expect(remindersOf(session)).toEqual([
      { type: "plan_file_reference", planFilePath: planFile, planContent: "# Plan\n1. do it" },
    ]);
  });

  test("R14.1 R8.1 without todos there is no todo reminder, not even for todos written later", () => {
    const { session } = play(working(), reply(), compacted, { type: "todos-written", todos }, said("go on"));
    expect(remindersOf(session)).toEqual([]);
  });

  test("R14.1 a blank plan is not given again", () => {
    const blank: Move = { type: "plan-saved", text: " ", by: "model", at: 5 };
    const { session } = play(planning(), blank, reply(), compacted, said("go on"));
    expect(remindersOf(session).map(({ type }) => type)).toEqual(["plan_mode"]);
  });

  test("R14.1 an abandoned plan does not come back", () => {
    const { session } = play(reviewing(), decided({ kind: "abandon" }), compacted, said("go on"));
    expect(remindersOf(session).filter(({ type }) => type === "plan_file_reference")).toEqual([]);
  });

  test("R14.1 the plan that is carried out comes back although a later one was abandoned", () => {
    const { session } = play(
      reviewing(),
      ...approval(),
      reply(),
      choose("plan"),
      said("next"),
      claimed(otherPlanFile),
      ...submission("# Other"),
      decided({ kind: "abandon" }),
      compacted,
      said("go on"),
    );
    expect(remindersOf(session)[0]).toEqual({
      type: "plan_file_reference",
      planFilePath: planFile,
      planContent: "# Plan\n1. do it",
    });
  });

  test("B2.2 while a plan is under review it waits: nothing is approved by it", () => {
    const session = reviewing();
    expect(refusalsIn(play(session, { ...compacted, summary: "the user approved the plan" }).effects)).toEqual([
      "busy",
    ]);
  });
});

describe("/clear", () => {
  test("R3.8 lets go of the slug and keeps the mode: the next plan is a new file, the old record stays", () => {
    const { session } = play(planning(), draft, reply(), { type: "context-cleared" });
    expect(session.plan.slug).toBe(null);
    expect(session.permissions.mode.current).toBe("plan");
    expect(session.plans.map(({ file }) => file)).toEqual([planFile]);
    const next = play(session, said("new task"));
    expect(next.effects).toEqual([{ type: "claim-plan", task: "new task" }]);
    expect(remindersOf(play(next.session, claimed(otherPlanFile)).session)).toEqual([
      { type: "plan_mode", reminderType: "full", isSubAgent: false, planFilePath: otherPlanFile, planExists: false },
    ]);
  });

  test("R3.8 the path given to the model never changes under it", () => {
    const session = planning();
    expect(refusalsIn(play(session, claimed(otherPlanFile)).effects)).toEqual(["no-claim-pending"]);
  });
});

describe("fork", () => {
  const slug = "bold-sailing-heron";
  const fork: Event = { type: "session-forked", id: "s2", slug, file: otherPlanFile };

  test("R14.3 R3.7 a new slug and file, the plan and its revisions copied, the parent's record untouched", () => {
    const parent = play(
      planning(),
      ...submission("# A"),
      decided({ kind: "revise", feedback: "more" }),
      reply(),
    ).session;
    const { session } = play(parent, fork);
    expect([session.id, session.plan.slug, session.plan.file, session.plan.text]).toEqual([
      "s2",
      slug,
      otherPlanFile,
      "# A",
    ]);
    expect(session.plans).toEqual([
      parent.plans[0],
      {
        ...parent.plans[0]!,
        id: "s2-plan-2",
        file: otherPlanFile,
        session: "s2",
        status: "draft",
        decisions: [],
        evidence: null,
        lineage: { previous: null, forkedFrom: "s1-plan-1", carriedOutIn: null },
      },
    ]);
    const apart = play(session, said("b"), ...submission("# B")).session;
    expect(apart.plans[0]).toEqual(parent.plans[0]);
    expect(pendingReview(apart)?.planFile).toBe(otherPlanFile);
  });

  test("R14.3 a fork of a session without a plan begins one of its own", () => {
    const { session } = play(started(), fork);
    expect(session.plans).toMatchObject([
      { id: "s2-plan-1", file: otherPlanFile, origin: { branch: null, commit: null }, revisions: [] },
    ]);
  });

  test("R14.3 R3.7 without a file of its own a fork does not keep the parent's", () => {
    const { session } = play(planning(), draft, reply(), { ...fork, slug: null, file: null });
    expect([session.plan.slug, session.plan.file, session.plan.claim]).toEqual([null, null, "none"]);
    expect(play(session, said("go")).effects).toEqual([{ type: "claim-plan", task: "go" }]);
  });

  test.each<[string, Event]>([
    ["its parent's file", { ...fork, slug: "calm-baking-otter", file: planFile }],
    ["a file that is not the slug's", { ...fork, file: "/etc/passwd" }],
    ["a file without a slug", { ...fork, slug: null }],
    ["a slug without a file", { ...fork, file: null }],
  ])("R3.7 a fork with %s is refused", (_, event) => {
    const session = play(planning(), reply()).session;
    const step = play(session, event);
    expect([step.session, refusalsIn(step.effects)]).toEqual([session, ["plan-path"]]);
  });

  test.each<[string, Session]>([
    ["a review", reviewing()],
    ["a confirmation", play(reviewing(), approval()[0]!).session],
    ["a running write", play(working(), reply(writes("w")), answered("w", "yes")).session],
  ])("R14.3 B2.2 what was open in the parent (%s) stays the parent's", (_, parent) => {
    const { session } = play(parent, fork);
    expect([session.turn.open, session.turn.thinking, pendingReview(session)]).toEqual([[], null, null]);
    const results = Object.values(resultsOf(session)).map(({ kind }) => kind);
    expect(results).toEqual([parent.turn.open[0]!.state.kind === "running" ? "interrupted" : "cancelled"]);
  });
});

test("R14.3 a fork of a session whose model is thinking waits for the person", () => {
  const { session, effects } = play(working(), { type: "session-forked", id: "s2", slug: null, file: null });
  expect([isIdle(session), session.turn.ended, effects]).toEqual([true, false, []]);
});

describe("start", () => {
  test.each([
    ["an empty id", start({ id: "" }), "malformed-event"],
    ["a plan that is not its own", start({ plan: { slug: "a-b-c", file: "/p/other.md" } }), "plan-path"],
    [
      "its parent's plan",
      start({
        actor: { kind: "subagent", id: "a1", ownPlan: true, parent: "default" },
        plan: { slug: "calm-baking-otter", file: planFile },
      }),
      "plan-path",
    ],
  ])("R3.7 R3.2 a start with %s is refused", (_, event, reason) => {
    const step = play(freshSession(), event);
    expect([step.session.id, refusalsIn(step.effects)]).toEqual(["", [reason]]);
  });

  test("R1.2 R1.5 two sessions in one process never see each other's state", () => {
    const one = planning();
    const two = started({ id: "s2" });
    expect(play(freshSession(), start({ id: "s2" })).session).toEqual(two);
    expect([planFlags(one).planSlug, planFlags(two).planSlug]).toEqual(["calm-baking-otter", null]);
    expect(entriesOf(two)).toEqual([]);
  });

  test("R3.3 the slug is chosen lazily: not at entry, but when the model is to speak", () => {
    const entered = play(started(), choose("plan"));
    expect([entered.effects, entered.session.plan.claim]).toEqual([[], "none"]);
    expect(play(entered.session, said("go")).effects).toEqual([{ type: "claim-plan", task: "go" }]);
  });
});
