/** B18: every answer to a question about a call, in every mode, and what follows from it. */
import { describe, expect, test } from "vitest";
import {
  choose,
  entriesOf,
  finished,
  person,
  planning,
  play,
  questionOf,
  reply,
  resultsOf,
  runs,
  said,
  settings,
  statesOf,
  typesOf,
  withAuto,
  working,
  writes,
  type Move,
} from "../testing/core-fixtures.ts";
import type { Call } from "./decide/access.ts";
import { offersFor } from "./decide/offers.ts";
import type { Event } from "./event.ts";
import type { WorkingMode } from "./mode.ts";
import { replay } from "./reduce.ts";
import { freshSession, type Session } from "./session.ts";

const answers = ["once", "session", "always", "no", "instead", "stop"] as const;
type Answer = (typeof answers)[number];

/** A call, a second one of its kind, and one that is of another kind. */
const kinds = {
  command: [runs("a"), runs("b", { command: "make all -j4" }), runs("c", { command: "make clean" })],
  edit: [writes("a"), writes("b", "/repo/src/other.ts"), writes("c", "/elsewhere/x.ts", "elsewhere")],
} as const;
type Kind = keyof typeof kinds;

function answer(call: Call, given: Answer): Move {
  return (session) => {
    const open = session.turn.open.find((one) => one.call.id === call.id)!;
    const question = "question" in open.state ? open.state.question : ({ kind: "enter-plan" } as const);
    const { session: forSession, always: remember } = offersFor(call, question, session);
    const how = {
      once: { allowed: true },
      session: { allowed: true, forSession },
      always: { allowed: true, remember },
      no: { allowed: false },
      instead: { allowed: false, reason: "use make" },
      stop: { allowed: false, stop: true },
    } as const;
    return {
      type: "permission-answered",
      questionId: questionOf(session, call.id) ?? "none",
      by: person,
      ...how[given],
    };
  };
}

const isYes = (given: Answer): boolean => given === "once" || given === "session" || given === "always";

/** In which modes a person is asked about it. */
const modes = { command: ["default", "acceptEdits"], edit: ["default"] } as const;
const rows = (["command", "edit"] as const).flatMap((kind) =>
  modes[kind].flatMap((mode) => answers.map((given) => [kind, mode, given] as const)),
);

describe.each(rows)("B18.1 B18.2 a question about a %s in %s, answered %s", (kind, mode, given) => {
  const [first, second, other] = kinds[kind];
  const asked = (): Session => play(working({ mode }), reply(first)).session;

  test("the call runs, is refused, or ends the turn", () => {
    const { session, last } = play(asked(), answer(first, given));
    const kept = given === "always" ? ["save-rule"] : [];
    if (isYes(given)) expect([typesOf(last), statesOf(session)]).toEqual([[...kept, "run-tool"], { a: "running" }]);
    else expect(typesOf(last)).toEqual(given === "stop" ? ["stop"] : ["call-model"]);
    const detail = given === "instead" ? "use make" : null;
    const denial = { kind: "denied", denial: { code: "declined", detail, part: null } };
    expect(resultsOf(session)).toEqual(isYes(given) ? {} : { a: denial });
    expect(entriesOf(session).at(-1)?.kind === "cancelled").toBe(given === "stop");
  });

  test("a stop gives the person the floor: nothing is due, and their next words are heard", () => {
    const { session } = play(asked(), answer(first, given));
    expect(session.turn.thinking === null && session.turn.open.length === 0 && !session.turn.due).toBe(
      given === "stop",
    );
    if (given === "stop") expect(typesOf(play(session, said("do that")).last)).toEqual(["call-model"]);
  });

  test("the next of its kind is asked about unless it was answered for that, anything else always", () => {
    const session = after(given, first, asked());
    const isKnown = given === "session" || (given === "always" && kind === "command");
    expect(statesOf(play(session, reply(second)).session)).toEqual({ b: isKnown ? "running" : "asking" });
    expect(statesOf(play(session, reply(other)).session)).toEqual({ c: "asking" });
  });

  test("none of it opens plan mode, and after it nothing more is open than before", () => {
    const before = after(given, first, asked());
    const planned = play(before, choose("plan"), ...claimedIn(before));
    const tried = play(planned.session, reply(second)).session;
    expect(statesOf(tried)).not.toEqual({ b: "running" });
    if (kind === "edit")
      expect(resultsOf(tried)["b"]).toMatchObject({ kind: "denied", denial: { code: "plan-write" } });
  });

  test("B1.15 what was for the session ends with it: resumed, it is asked about again", () => {
    const before = after(given, first, asked());
    const { allow, ask, deny } = before.permissions.rules;
    const again = play(before, resumed(before, { allow, ask, deny })).session;
    expect(again.permissions.rules.session).toBeUndefined();
    const isKept = given === "always" && kind === "command";
    const next = again.turn.thinking === null ? play(again, said("go on")).session : again;
    expect(statesOf(play(next, reply(second)).session)).toEqual({ b: isKept ? "running" : "asking" });
  });

  test("R1.5 the log gives the same session", () => {
    const { session, log } = play(working({ mode }), reply(first), answer(first, given));
    const whole = play(freshSession(), start(mode), said("Refactor auth"));
    expect(replay(whole.session, JSON.parse(JSON.stringify(log)) as Event[])).toEqual(session);
  });
});

/** The turn goes on to where the model may call again. */
function after(given: Answer, first: Call, asked: Session): Session {
  const { session } = play(asked, answer(first, given));
  if (given === "stop") return play(session, said("go on")).session;
  return isYes(given) ? play(session, finished(first.id)).session : session;
}

function start(mode: WorkingMode): Event {
  return play(freshSession(), (): Event => ({ ...startedIn(mode) })).log[0]!;
}

function startedIn(mode: WorkingMode): Event {
  return {
    type: "session-started",
    id: "s1",
    at: 1,
    actor: { kind: "main" },
    roots: { project: "/repo", home: "/home/me" },
    mode,
    bypassAvailable: false,
    reviewable: true,
    rules: { allow: [], ask: [], deny: [] },
    runners: ["Bash", "PowerShell", "Agent"],
    settings,
    auto: { optedIn: false, gateOpen: false },
  };
}

function claimedIn(session: Session): readonly Move[] {
  return session.turn.thinking === null ? [said("plan it")] : [];
}

function resumed(
  { actor, roots, reviewable }: Session,
  rules: { allow: readonly string[]; ask: readonly string[]; deny: readonly string[] },
): Event {
  const today = {
    actor,
    roots,
    reviewable,
    rules,
    runners: ["Bash"],
    settings,
    autoOptedIn: false,
    bypass: "off",
  } as const;
  return { type: "session-resumed", plan: null, today };
}

const remembered: Move = (session) => ({
  type: "permission-answered",
  questionId: questionOf(session, "a") ?? "none",
  allowed: true,
  by: person,
  forSession: ["Bash", "Edit(**)"],
  remember: ["Bash", "Edit(**)"],
});

test.each(["command", "edit"] as const)("B18.2 in plan mode a %s is remembered for nothing", (kind: Kind) => {
  const [first] = kinds[kind];
  const asked = play(planning(), reply(first)).session;
  const { session, effects } = play(asked, remembered);
  expect(session.permissions.rules).toEqual(asked.permissions.rules);
  expect(typesOf(effects)).not.toContain("save-rule");
});

test("B18.2 auto mode sets aside what was allowed for the session and would run anything", () => {
  const wide = ["Bash(npx vitest:*)", "Bash(make all:*)"];
  const allowed: Event = { type: "session-allowed", rules: [...wide, "Bash(tsc --noEmit:*)"], by: person };
  const { session } = play(working(withAuto("not-during-plan")), allowed, choose("auto"));
  const run = (command: string) => statesOf(play(session, reply(runs("b", { command }))).session)["b"];
  expect([run("npx vitest run"), run("tsc --noEmit -p .")]).toEqual(["classifying", "running"]);
});

test("B18.2 what an agent's question allowed for the session holds at once, but not in plan mode", () => {
  const allowed: Event = { type: "session-allowed", rules: ["Bash(make all:*)"], by: person };
  const asking = play(working(), reply(runs("a"))).session;
  const { session, last } = play(asking, allowed);
  expect([statesOf(session), typesOf(last)]).toEqual([{ a: "running" }, ["withdraw-question", "run-tool"]]);
  expect(play(planning(), allowed).session.permissions.rules.session).toBeUndefined();
});

test("B18.1 questions of the model's are closed with the turn", () => {
  const questions = [{ question: "Which?", header: "x", options: [], multiSelect: false }];
  const call: Call = { id: "q", tool: "Ask", input: {}, access: { kind: "ask-user", questions }, subjects: [] };
  const asked = play(working(), reply(call)).session;
  const closed: Event = {
    type: "question-answered",
    questionId: "q1",
    answer: { status: "dismissed" },
    by: person,
    stop: true,
  };
  const { session, last } = play(asked, closed);
  expect(last).toEqual([{ type: "stop" }, { type: "close-questions", id: "q1", by: person }]);
  expect([resultsOf(session), session.turn.due]).toEqual([{ q: { kind: "cancelled" } }, false]);
});

describe("B18.4 acceptEdits", () => {
  test.each([
    ["touch a", { files: "project" }, "running"],
    ["rm a", { files: "project" }, "running"],
    ["rm -rf src", { files: "project", harsh: true }, "asking"],
    ["rm ../a", { files: "elsewhere" }, "asking"],
    ["rm .git/x", { files: "guarded" }, "asking"],
    ["make", { files: null }, "asking"],
  ] as const)("%s", (command, over, state) => {
    const call = runs("a", { command, verdict: "writes", ...over });
    expect(statesOf(play(working({ mode: "acceptEdits" }), reply(call)).session)).toEqual({ a: state });
  });
});
