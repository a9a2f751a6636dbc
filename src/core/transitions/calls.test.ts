import { describe, expect, test } from "vitest";
import {
  answered,
  call,
  choose,
  classified,
  enters,
  exits,
  finished,
  noticesIn,
  planFile,
  planning,
  play,
  questionOf,
  reads,
  refusalsIn,
  reply,
  resultsOf,
  runs,
  said,
  start,
  statesOf,
  typesOf,
  withAuto,
  working,
  writes,
} from "../../testing/core-fixtures.ts";
import type { Effect } from "../effect.ts";
import { replay } from "../reduce.ts";
import { freshSession } from "../session.ts";

function ran(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === "run-tool" ? [effect.call.id] : []));
}

const planWrite = writes("p", planFile, "elsewhere");

describe("order", () => {
  test("R5.5 readers run side by side; a writer waits for all before it and holds up all after it", () => {
    const session = working({ mode: "acceptEdits" });
    const begun = play(session, reply(reads("r1"), reads("r2"), writes("w1"), reads("r3"), writes("w2")));
    expect(ran(begun.effects)).toEqual(["r1", "r2"]);
    const one = play(begun.session, finished("r1"));
    expect(ran(one.effects)).toEqual([]);
    const two = play(one.session, finished("r2"));
    expect(ran(two.effects)).toEqual(["w1"]);
    const three = play(two.session, finished("w1"));
    expect(ran(three.effects)).toEqual(["r3"]);
    const four = play(three.session, finished("r3"));
    expect(ran(four.effects)).toEqual(["w2"]);
    expect(play(four.session, finished("w2")).effects).toEqual([{ type: "call-model", request: 2 }]);
  });

  test("R5.5 B1.9 a writer is judged in the mode at its start, not at the reply", () => {
    const begun = play(working({ mode: "acceptEdits" }), reply(writes("w1"), writes("w2")));
    expect(ran(begun.effects)).toEqual(["w1"]);
    const after = play(begun.session, choose("plan"), finished("w1"));
    expect(ran(after.effects)).toEqual([]);
    expect(resultsOf(after.session)).toEqual({
      w1: { kind: "ran", output: "done", isError: false },
      w2: { kind: "denied", denial: { code: "plan-write", detail: "/repo/a.ts", part: null } },
    });
  });

  test("R5.5 what has begun goes on through a mode change", () => {
    const begun = play(working({ mode: "acceptEdits" }), reply(writes("w1")), choose("plan"));
    expect(statesOf(begun.session)).toEqual({ w1: "running" });
    expect(begun.last).toEqual([]);
  });

  test("R7.2 leaving waits for everything else of its turn", () => {
    const begun = play(planning(), reply(exits(), reads("r1"), planWrite));
    expect(statesOf(begun.session)).toEqual({ exit: "waiting", r1: "running", p: "waiting" });
    const read = play(begun.session, finished("r1"), finished("p"));
    expect(read.last).toEqual([{ type: "read-plan", callId: "exit", file: planFile }]);
  });

  test("R5.5 a call id that comes twice in a reply runs once", () => {
    expect(ran(play(working(), reply(reads("r"), reads("r"))).effects)).toEqual(["r"]);
  });

  test("B1.2 every call gets exactly one result, in plan mode too", () => {
    const { session } = play(planning(), reply(call("x", null), writes("w"), reads("r")), finished("r"));
    expect(resultsOf(session)).toEqual({
      x: { kind: "denied", denial: { code: "no-access", detail: null, part: null } },
      w: { kind: "denied", denial: { code: "plan-write", detail: "/repo/a.ts", part: null, planFile } },
      r: { kind: "ran", output: "done", isError: false },
    });
    expect(refusalsIn(play(session, finished("r")).effects)).toEqual(["unknown-call"]);
  });
});

describe("EnterPlanMode among other calls", () => {
  const turn = reply(reads("r"), writes("w"), enters(), runs("c", { verdict: "writes" }));

  test("B1.9 R2.3 it goes first, everything else is held, and judged in plan mode after a yes", () => {
    const asked = play(working({ mode: "acceptEdits" }), turn);
    expect(typesOf(asked.last)).toEqual(["ask-permission"]);
    expect(statesOf(asked.session)).toEqual({ r: "waiting", w: "waiting", enter: "asking", c: "waiting" });
    const yes = play(asked.session, answered("enter", "yes"));
    expect(ran(yes.effects)).toEqual(["r"]);
    expect(noticesIn(yes.effects)).toEqual(["plan-entered-by-model"]);
    const done = play(yes.session, finished("r"));
    expect(Object.entries(resultsOf(done.session)).map(([id, { kind }]) => [id, kind])).toEqual([
      ["enter", "entered"],
      ["r", "ran"],
      ["w", "denied"],
      ["c", "denied"],
    ]);
    expect(done.last).toEqual([{ type: "claim-plan", task: "Refactor auth" }]);
  });

  test("R6.3 after a no the result says so and the work goes on in the old mode", () => {
    const no = play(working({ mode: "acceptEdits" }), turn, answered("enter", "no"), finished("r"));
    expect(resultsOf(no.session)["enter"]).toEqual({
      kind: "denied",
      denial: { code: "enter-declined", detail: null, part: null },
    });
    expect(ran(no.last)).toEqual(["w"]);
    expect(no.session.permissions.mode).toEqual({ current: "acceptEdits" });
  });

  test("B1.9 a second one in the turn is told that plan mode is on already", () => {
    const twice = play(working(), reply(enters("e1"), enters("e2")), answered("e1", "yes"));
    expect(resultsOf(twice.session)["e2"]).toEqual({
      kind: "denied",
      denial: { code: "already-planning", detail: null, part: null },
    });
  });

  test("R6.3 the person enters by hand while the question is open: the question is taken back", () => {
    const asked = play(working(), reply(enters()));
    const questionId = questionOf(asked.session, "enter")!;
    const chosen = play(asked.session, choose("plan"));
    expect(chosen.last[0]).toEqual({ type: "withdraw-question", questionId });
    expect(resultsOf(chosen.session)["enter"]).toEqual({
      kind: "denied",
      denial: { code: "already-planning", detail: null, part: null },
    });
  });

  test("R11.4 the classifier never answers for EnterPlanMode", () => {
    const asked = play(working({ mode: "auto", ...withAuto("during-plan") }), reply(enters()));
    expect(typesOf(asked.last)).toEqual(["ask-permission"]);
  });
});

describe("questions and mode changes", () => {
  test("B1.9 R5.5 entering plan takes the question on a write back, and the late yes is for nothing", () => {
    const asked = play(working(), reply(writes("w")));
    const questionId = questionOf(asked.session, "w")!;
    const late = { type: "permission-answered", questionId, allowed: true, by: null } as const;
    const planned = play(asked.session, choose("plan"));
    expect(planned.last.slice(0, 1)).toEqual([{ type: "withdraw-question", questionId }]);
    expect(resultsOf(planned.session)["w"]).toEqual({
      kind: "denied",
      denial: { code: "plan-write", detail: "/repo/a.ts", part: null },
    });
    const answer = play(planned.session, late);
    expect([refusalsIn(answer.last), ran(answer.effects)]).toEqual([["unknown-question"], []]);
  });

  test("B1.9 a change between working modes asks anew or no longer", () => {
    const asked = play(working(), reply(writes("w")));
    const accepted = play(asked.session, choose("acceptEdits"));
    expect(accepted.last).toEqual([
      { type: "withdraw-question", questionId: "q1" },
      { type: "run-tool", call: writes("w") },
    ]);
  });

  test("B1.3 B1.9 a yes to an unproven command belongs to its mode revision: after leaving and entering it is asked anew", () => {
    const asked = play(planning(), reply(runs("c")));
    expect(asked.last).toEqual([
      {
        type: "ask-permission",
        questionId: "q1",
        call: runs("c"),
        question: {
          kind: "unproven",
          command: "make all",
          directory: "/repo",
          reason: "make runs what the project says",
          part: "make",
        },
        modeRevision: 1,
      },
    ]);
    const toggled = play(asked.session, choose("default"), choose("plan"));
    expect(questionOf(toggled.session, "c")).toBe("q3");
    expect(
      refusalsIn(
        play(toggled.session, { type: "permission-answered", questionId: "q1", allowed: true, by: null }).last,
      ),
    ).toEqual(["unknown-question"]);
    expect(ran(play(toggled.session, answered("c", "yes")).effects)).toEqual(["c"]);
  });

  test("B1.9 choosing the mode that is on leaves the question as it is", () => {
    const asked = play(working(), reply(writes("w"))).session;
    expect(play(asked, choose("default"))).toMatchObject({ session: { turn: asked.turn }, effects: [] });
  });

  test("B1.3 a yes counts once: the same command is asked about again", () => {
    const again = play(planning(), reply(runs("c1")), answered("c1", "yes"), finished("c1"), reply(runs("c2")));
    expect(typesOf(again.last)).toEqual(["ask-permission"]);
  });

  test("B1.3 R5.2 with nobody to ask an unproven command is denied, with the reason and the part", () => {
    const { session } = play(planning(), reply(runs("c")), {
      type: "permission-answered",
      questionId: "q1",
      allowed: false,
      by: null,
    });
    expect(resultsOf(session)["c"]).toMatchObject({ kind: "denied", denial: { code: "plan-command-unproven" } });
  });

  test("R5.6 a deny rule that came while the question was open holds when the yes arrives", () => {
    const rules = { allow: [], ask: [], deny: ["Edit"] };
    const late = play(working(), reply(writes("w")), { type: "rules-changed", rules }, answered("w", "yes"));
    expect(resultsOf(late.session)["w"]).toEqual({
      kind: "denied",
      denial: { code: "rule", detail: "Edit", part: null },
    });
  });

  test("R11.4 in plan with auto active a classified read is judged again when auto goes off", () => {
    const rules = { allow: [], ask: ["Read"], deny: [] };
    const asked = play(planning({ rules, ...withAuto("during-plan") }), reply(reads("r")));
    expect(typesOf(asked.last)).toEqual(["classify"]);
    const off = play(asked.session, { type: "auto-gate-changed", open: false });
    expect(typesOf(off.last)).toEqual(["notify", "withdraw-question", "ask-permission"]);
    expect(refusalsIn(play(off.session, classified("r", "allow")).last)).toEqual(["unknown-question"]);
  });
});

describe("hooks in plan mode", () => {
  const hook = { answer: "allow", reason: "sure" } as const;
  test("B1.1 a hook's allow that the gate does not follow is ignored, and the person hears of it", () => {
    const denied = play(planning(), reply({ ...writes("w"), hook }));
    expect(denied.effects.filter(({ type }) => type === "notify")).toEqual([
      { type: "notify", notice: { key: "hook-allow-ignored", tool: "Write" } },
    ]);
    const asked = play(planning(), reply({ ...runs("c"), hook }));
    expect(noticesIn(asked.effects)).toEqual(["hook-allow-ignored"]);
  });

  test("B1.1 where nothing was ignored nothing is said", () => {
    expect(noticesIn(play(planning(), reply({ ...reads("r"), hook })).effects)).toEqual([]);
  });
});

test("R7.3 ExitPlanMode outside of plan mode is refused and counted", () => {
  const { session } = play(working(), reply(exits()));
  expect(resultsOf(session)["exit"]).toEqual({
    kind: "denied",
    denial: { code: "exit-not-planning", detail: null, part: null },
  });
  expect(session.counters.exitsOutsidePlan).toBe(1);
});

test("R1.5 the fold of the events is the state", () => {
  const moves = [reply(reads("r"), enters()), answered("enter", "yes"), finished("r"), said("also this")];
  const first = [start({ mode: "acceptEdits" }), said("Refactor auth")];
  const { session, log } = play(replay(freshSession(), first), ...moves);
  expect(replay(freshSession(), [...first, ...log])).toEqual(session);
});
