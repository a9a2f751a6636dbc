import { describe, expect, test } from "vitest";
import {
  answered,
  choose,
  classified,
  finished,
  noticesIn,
  person,
  planning,
  play,
  questionOf,
  reads,
  refusalsIn,
  reply,
  resultsOf,
  runs,
  start,
  typesOf,
  withAuto,
  working,
  writes,
  type Move,
} from "../../testing/core-fixtures.ts";
import { replay } from "../reduce.ts";
import { freshSession, type Session } from "../session.ts";

const auto = { mode: "auto", ...withAuto("not-during-plan") } as const;

/** So many classified commands, each a request of its own. */
function judged(answer: "allow" | "deny", count: number, from = 0): readonly Move[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `c${from + index}`;
    const first = [reply(runs(id)), classified(id, answer)];
    return answer === "allow" ? [...first, finished(id)] : first;
  }).flat();
}

function denied(id: string): readonly Move[] {
  return [reply(reads(id)), classified(id, "deny")];
}

/** A yes with "always allow". */
function always(callId: string, remember: string): Move {
  return (session) => ({
    type: "permission-answered",
    questionId: questionOf(session, callId)!,
    allowed: true,
    by: person,
    remember,
  });
}

describe("the classifier and its breaker", () => {
  test("R11.1 it decides what would be asked", () => {
    const asked = play(working(auto), reply(runs("c")));
    expect(asked.last).toEqual([
      {
        type: "classify",
        questionId: "q1",
        call: runs("c"),
        question: { kind: "command", reason: "make runs what the project says", part: "make" },
      },
    ]);
    expect(typesOf(play(asked.session, classified("c", "allow")).last)).toEqual(["run-tool"]);
    const unsure = play(asked.session, classified("c", "unsure"));
    expect(typesOf(unsure.last)).toEqual(["notify", "ask-permission"]);
    expect(unsure.last[0]).toEqual({ type: "notify", notice: { key: "auto-mode-unsure", reason: "because" } });
    expect(unsure.session.auto).toEqual(asked.session.auto);
    expect(resultsOf(play(asked.session, classified("c", "deny")).session)["c"]).toEqual({
      kind: "denied",
      denial: { code: "classifier", detail: "because", part: null },
    });
  });

  test("R11.1 R11.4 three denials in a row close the gate: default, rules back, the person told", () => {
    const rules = { allow: ["Bash(python:*)"], ask: [], deny: [] };
    const two = play(working({ ...auto, rules }), ...judged("deny", 2));
    expect(two.session.permissions.mode.current).toBe("auto");
    const three = play(two.session, ...judged("deny", 1, 2));
    expect([three.session.permissions.mode, three.session.auto.gateOpen]).toEqual([{ current: "default" }, false]);
    expect(three.session.permissions.rules.stripped).toBe(false);
    expect(noticesIn(three.last)).toEqual(["auto-mode-unavailable"]);
    expect(typesOf(three.last)).toContain("call-model");
  });

  test("R11.1 an allowed call begins the row anew, but not the count of the session", () => {
    const mixed = Array.from({ length: 9 }, (_, index) => [
      ...judged("deny", 2, index * 10),
      ...judged("allow", 1, index * 10 + 5),
    ]).flat();
    const before = play(working(auto), ...mixed, ...judged("deny", 1, 100));
    expect(before.session.auto).toMatchObject({ gateOpen: true, denials: 19, denialsInRow: 1 });
    const twenty = play(before.session, ...judged("deny", 1, 200));
    expect(twenty.session.auto).toMatchObject({ gateOpen: false, denials: 20 });
    expect(twenty.session.permissions.mode).toEqual({ current: "default" });
  });

  test("R11.1 once the breaker has closed the gate it stays closed for that session", () => {
    const tripped = play(working(auto), ...judged("deny", 3)).session;
    const reopened = play(tripped, { type: "auto-gate-changed", open: true });
    expect(reopened.session.auto.gateOpen).toBe(false);
    expect(refusalsIn(reopened.last)).toEqual(["auto-not-available"]);
    expect(refusalsIn(play(reopened.session, choose("auto")).last)).toEqual(["auto-not-available"]);
  });

  test("R11.1 a gate that was closed from outside may open again", () => {
    const closed = play(working(auto), { type: "auto-gate-changed", open: false });
    const open = play(closed.session, { type: "auto-gate-changed", open: true }, choose("auto"));
    expect(open.session.permissions.mode).toEqual({ current: "auto" });
  });

  test("R11.4 in plan the breaker works as if the setting were switched off", () => {
    const rules = { allow: [], ask: ["Read"], deny: [] };
    const session = planning({ rules, ...withAuto("during-plan") });
    const after = play(session, ...denied("a"), ...denied("b"), ...denied("c"));
    expect(after.session.permissions).toMatchObject({
      mode: { current: "plan", returnTo: "default" },
      autoActive: false,
    });
    expect(noticesIn(after.last)).toEqual(["auto-mode-off"]);
    expect(typesOf(play(after.session, reply(reads("d"))).last)).toEqual(["ask-permission"]);
  });

  test("B1.9 several classified calls: when the gate closes the others are asked of the person", () => {
    const reopened: Session = play(working(auto), ...judged("deny", 2)).session;
    const rules = { allow: [], ask: ["Read"], deny: [] };
    const asked = play(reopened, { type: "rules-changed", rules }, reply(reads("a"), reads("b")));
    expect(typesOf(asked.last)).toEqual(["classify", "classify"]);
    const closed = play(asked.session, classified("a", "deny"));
    expect(typesOf(closed.last)).toEqual(["notify", "withdraw-question", "ask-permission"]);
    expect(
      refusalsIn(
        play(closed.session, { type: "classifier-answered", questionId: "q4", answer: "allow", reason: "" }).last,
      ),
    ).toEqual(["unknown-question"]);
  });
});

describe("always allow", () => {
  test("R17.2 adds the rule, has it saved, and the next call is not asked about", () => {
    const { session, last } = play(working(), reply(runs("c")), always("c", "Bash(make:*)"));
    expect(last).toEqual([
      { type: "save-rule", rule: "Bash(make:*)" },
      { type: "run-tool", call: runs("c") },
    ]);
    expect(typesOf(play(session, finished("c"), reply(runs("d"))).last)).toEqual(["run-tool"]);
  });

  test("R17.2 a rule that is there already is not saved again", () => {
    const rules = { allow: ["Bash(make:*)"], ask: ["Bash(make all)"], deny: [] };
    expect(typesOf(play(working({ rules }), reply(runs("c")), always("c", "Bash(make:*)")).last)).toEqual(["run-tool"]);
  });

  test("B1.1 B1.3 R17.2 in plan mode nothing is remembered", () => {
    const { session, last } = play(planning(), reply(runs("c")), always("c", "Bash(make:*)"));
    expect(typesOf(last)).toEqual(["run-tool"]);
    expect(session.permissions.rules.allow).toEqual([]);
  });

  test("R17.2 a no remembers nothing", () => {
    const no: Move = { type: "permission-answered", questionId: "q1", allowed: false, by: person, remember: "Bash" };
    const { session } = play(working(), reply(runs("c")), no);
    expect(session.permissions.rules.allow).toEqual([]);
  });

  test("R11.2 R17.2 a dangerous rule that is added while auto is active does not count until it ends", () => {
    const asked = play(working(auto), reply(runs("c")), classified("c", "unsure"), always("c", "Bash"));
    expect(typesOf(play(asked.session, finished("c"), reply(runs("d"))).last)).toEqual(["classify"]);
    const after = play(asked.session, finished("c"), choose("default"), reply(runs("d")));
    expect(typesOf(after.last)).toEqual(["run-tool"]);
  });
});

test("B1.9 a reason given with a no reaches the model", () => {
  const no: Move = { type: "permission-answered", questionId: "q1", allowed: false, by: person, reason: "use pnpm" };
  expect(resultsOf(play(working(), reply(writes("w")), no).session)["w"]).toEqual({
    kind: "denied",
    denial: { code: "declined", detail: "use pnpm", part: null },
  });
});

test("R1.5 replaying the log of a session with classified calls gives the same state", () => {
  const first = play(freshSession(), start(auto), { type: "user-said", text: "go" });
  const rest = play(first.session, ...judged("deny", 3), answered("none", "yes"));
  expect(replay(freshSession(), [...first.log, ...rest.log])).toEqual(rest.session);
});
