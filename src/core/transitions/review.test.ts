import { describe, expect, test } from "vitest";
import {
  approval,
  choose,
  decided,
  noticesIn,
  person,
  planFile,
  planning,
  play,
  refusalsIn,
  reply,
  resultsOf,
  reviewing,
  said,
  statesOf,
  submission,
  typesOf,
  withAuto,
  type Move,
} from "../../testing/core-fixtures.ts";
import type { SessionStarted } from "../event.ts";
import type { WorkingMode } from "../mode.ts";
import { hashText } from "../plan/hash.ts";
import { pendingReview, permissionContext, planFlags } from "../selectors.ts";

const text = "# Plan\n1. do it";
const read = (content: string | null): Move => ({ type: "plan-read", callId: "exit", text: content, at: 21 });

describe("what is shown", () => {
  test("R7.1 R7.4 B2.1 the request freezes text, hash and mode revision, with the choices in order", () => {
    const { session, last } = play(planning(), ...submission(text));
    const request = {
      id: "s1-review-1",
      callId: "exit",
      planFile,
      plan: text,
      hash: hashText(text),
      modeRevision: 1,
      revision: 1,
      previous: null,
      comments: [],
      choices: [
        { kind: "approve", mode: "default", label: "each-edit" },
        { kind: "approve", mode: "acceptEdits", label: "accept-edits" },
        { kind: "approve-fresh", mode: "default" },
        { kind: "save" },
        { kind: "revise" },
        { kind: "abandon" },
      ],
      again: null,
      stale: [],
      changed: [],
      agent: null,
    };
    expect(last).toEqual([{ type: "request-review", request }]);
    expect(pendingReview(session)).toEqual(request);
  });

  test("R7.1 the plan comes from the file, whatever the model put into its call", () => {
    const call = {
      id: "exit",
      tool: "ExitPlanMode",
      input: { plan: "# Evil", extra: 1 },
      access: { kind: "exit-plan" },
      subjects: [],
    } as const;
    const { session } = play(planning(), reply(call), read(text));
    expect(pendingReview(session)?.plan).toBe(text);
  });

  test.each<[string, string | null]>([
    ["missing", null],
    ["empty", ""],
    ["white space", " \n\t"],
    ["invisible", "\u200b\u2060"],
  ])("R7.10 B2.3 a plan that is %s is never presented", (_, content) => {
    const { session, last } = play(planning(), ...submission(content));
    expect(resultsOf(session)["exit"]).toEqual({
      kind: "denied",
      denial: { code: "no-plan", detail: planFile, part: null },
    });
    expect(typesOf(last)).toEqual(["call-model"]);
  });
});

describe("approval", () => {
  test.each<[string, Partial<SessionStarted>, WorkingMode | undefined, WorkingMode]>([
    ["each edit", {}, "default", "default"],
    ["accept edits", {}, "acceptEdits", "acceptEdits"],
    ["the earlier mode", { mode: "acceptEdits" }, undefined, "acceptEdits"],
    ["another than the earlier mode", { mode: "acceptEdits" }, "default", "default"],
    ["skip permissions, allowed at start", { bypassAvailable: true }, "bypassPermissions", "bypassPermissions"],
    [
      "bypass as the earlier mode",
      { bypassAvailable: true, mode: "bypassPermissions" },
      undefined,
      "bypassPermissions",
    ],
    ["auto as the earlier mode", { mode: "auto", ...withAuto("not-during-plan") }, undefined, "auto"],
  ])("R7.4 R7.5 %s", (_, over, mode, to) => {
    const { session, effects } = play(reviewing(text, over), ...approval(mode === undefined ? {} : { mode }));
    expect(session.permissions.mode).toEqual({ current: to });
    expect(permissionContext(session)).not.toHaveProperty("prePlanMode");
    expect(planFlags(session).hasExitedPlanMode).toBe(true);
    expect(resultsOf(session)["exit"]).toEqual({
      kind: "approved",
      plan: text,
      file: planFile,
      edited: false,
      notes: null,
      fresh: false,
    });
    expect(effects).toEqual([
      { type: "read-plan", callId: "exit", file: planFile },
      { type: "close-review", requestId: "s1-review-1", by: person },
      { type: "call-model", request: 2 },
    ]);
  });

  test("R17.3 R7.4 skipping permissions that were not allowed at start cannot be approved", () => {
    const session = reviewing();
    const step = play(session, approval({ mode: "bypassPermissions" })[0]!);
    expect([step.session, refusalsIn(step.effects)]).toEqual([session, ["mode-not-available"]]);
  });

  test("R7.6 with the gate closed meanwhile: default, the warning, and an auto-exit notice where auto was used", () => {
    const before = reviewing(text, { mode: "auto", ...withAuto("during-plan") });
    const { session, effects } = play(before, { type: "auto-gate-changed", open: false }, ...approval());
    expect(session.permissions.mode).toEqual({ current: "default" });
    expect(noticesIn(effects)).toEqual(["auto-mode-off", "auto-mode-gate-plan-exit-fallback"]);
    expect(session.plans[0]!.decisions.map(({ mode }) => mode)).toEqual(["default"]);
  });

  test("R11.2 R7.5 stripped rules come back on leaving, and are stripped again when going back to auto", () => {
    const rules = { allow: ["Bash", "Read"], ask: [], deny: [] };
    const inPlan = reviewing(text, { rules, ...withAuto("during-plan") });
    expect(permissionContext(inPlan)).toEqual({
      mode: "plan",
      prePlanMode: "default",
      allow: ["Read"],
      ask: [],
      deny: [],
      strippedDangerousRules: ["Bash"],
    });
    expect(permissionContext(play(inPlan, ...approval()).session)).toEqual({ mode: "default", ...rules });
    const auto = reviewing(text, { rules, mode: "auto", ...withAuto("not-during-plan") });
    expect(permissionContext(auto).allow).toEqual(["Bash", "Read"]);
    expect(permissionContext(play(auto, ...approval()).session)).toEqual({
      mode: "auto",
      allow: ["Read"],
      ask: [],
      deny: [],
      strippedDangerousRules: ["Bash"],
    });
  });

  test("B3.3 notes go along with an approval", () => {
    const { session } = play(reviewing(), ...approval({ notes: "mind the tests" }));
    expect(resultsOf(session)["exit"]).toMatchObject({ kind: "approved", notes: "mind the tests" });
  });

  test("B3.4 R7.4 fresh context: a linked session starts from the plan, and nothing goes on here", () => {
    const { session, last } = play(reviewing(), ...approval({ fresh: true, mode: "acceptEdits", notes: "n" }));
    expect(last).toEqual([
      { type: "close-review", requestId: "s1-review-1", by: person },
      { type: "start-linked-session", planFile, plan: text, mode: "acceptEdits", notes: "n" },
    ]);
    expect([session.turn.thinking, session.turn.due]).toEqual([null, false]);
  });

  test("B5.1 the approved plan is let go of: nothing of this session writes it again", () => {
    const { session } = play(reviewing(), ...approval());
    expect(session.plan.file).toBe(null);
    expect(session.plan.approved).toEqual({ file: planFile, text, hash: hashText(text) });
    expect(refusalsIn(play(session, { type: "plan-saved", text: "x", by: "model", at: 1 }).effects)).toEqual([
      "plan-path",
    ]);
  });
});

describe("approval means what was shown", () => {
  test("B2.1 the file changed meanwhile: nothing is approved, the new text is shown with the difference", () => {
    const { session, last } = play(reviewing(), approval()[0]!, read("# Other"));
    expect(session.permissions.mode.current).toBe("plan");
    expect(typesOf(last)).toEqual(["close-review", "notify", "request-review"]);
    expect(noticesIn(last)).toEqual(["plan-changed-during-review"]);
    expect(pendingReview(session)).toMatchObject({
      id: "s1-review-2",
      plan: "# Other",
      hash: hashText("# Other"),
      previous: text,
      again: "changed",
      revision: 2,
    });
    const late = play(session, {
      type: "review-decided",
      requestId: "s1-review-1",
      verdict: { kind: "save" },
      by: person,
      at: 1,
    });
    expect(refusalsIn(late.effects)).toEqual(["unknown-request"]);
  });

  test.each([null, " "])("B2.1 B2.3 the file was emptied meanwhile (%j): nothing is approved or shown", (content) => {
    const { session, last } = play(reviewing(), approval()[0]!, read(content));
    expect(session.permissions.mode.current).toBe("plan");
    expect(resultsOf(session)["exit"]).toMatchObject({ kind: "denied", denial: { code: "no-plan" } });
    expect(typesOf(last)).toEqual(["close-review", "notify", "call-model"]);
  });

  test("R7.7 an edited plan is written before anything else, and is the revision that is approved", () => {
    const writing = play(reviewing(), ...approval({ plan: "# Mine" }));
    expect(writing.last).toEqual([{ type: "write-plan", callId: "exit", file: planFile, text: "# Mine" }]);
    expect([writing.session.permissions.mode.current, statesOf(writing.session)]).toEqual([
      "plan",
      { exit: "writing-plan" },
    ]);
    const { session } = play(writing.session, { type: "plan-written", callId: "exit" });
    expect(session.permissions.mode).toEqual({ current: "default" });
    expect(resultsOf(session)["exit"]).toMatchObject({ kind: "approved", plan: "# Mine", edited: true });
    expect(session.plans[0]!.revisions.map(({ number, hash, by }) => ({ number, hash, by }))).toEqual([
      { number: 1, hash: hashText(text), by: "model" },
      { number: 2, hash: hashText("# Mine"), by: "person" },
    ]);
    expect(session.plans[0]!.decisions.map(({ hash }) => hash)).toEqual([hashText("# Mine")]);
  });

  test("R7.7 an edit that changes nothing is no edit", () => {
    const { session } = play(reviewing(), ...approval({ plan: text }));
    expect(resultsOf(session)["exit"]).toMatchObject({ kind: "approved", edited: false });
  });

  test("R7.7 B2.1 an edit that cannot be written approves nothing: the old dialog closes, the plan is shown again", () => {
    const { session, last } = play(reviewing(), ...approval({ plan: "# Mine" }), {
      type: "plan-written",
      callId: "exit",
      error: "disk full",
    });
    expect(last.map((effect) => (effect.type === "close-review" ? effect.requestId : effect.type))).toEqual([
      "notify",
      "s1-review-1",
      "request-review",
    ]);
    expect(session.permissions.mode.current).toBe("plan");
    expect(pendingReview(session)).toMatchObject({ id: "s1-review-2", plan: text, again: "write-failed" });
  });

  test.each<[string, Move, string | undefined]>([
    ["Ctrl-C", { type: "turn-cancelled" }, "cancelled"],
    ["Esc", decided({ kind: "dismiss" }), "dismissed"],
    ["a message instead of an answer", said("wait"), undefined],
    ["another mode", choose("default"), "withdrawn"],
    ["/plan off", { type: "plan-left" }, "withdrawn"],
  ])("B2.2 R7.4 %s is not an approval", (_, move, outcome) => {
    const { session, effects } = play(reviewing(), move);
    expect(resultsOf(session)["exit"]?.kind).toBe(outcome);
    expect(typesOf(effects)).not.toContain("call-model");
    expect(session.plans[0]!.status).not.toBe("approved");
  });
});

test("B2.7 the audit says who, on which surface, when, which hash and which mode", () => {
  const { session } = play(
    planning(),
    ...submission(text),
    decided({ kind: "revise", feedback: "more" }),
    ...submission(`${text}\n2. test`),
    ...approval({ mode: "acceptEdits" }),
  );
  expect(session.plans[0]!.decisions).toEqual([
    { kind: "revise", by: person, at: 20, hash: hashText(text), mode: "plan" },
    { kind: "approve", by: person, at: 20, hash: hashText(`${text}\n2. test`), mode: "acceptEdits" },
  ]);
});
