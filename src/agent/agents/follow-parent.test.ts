import { expect, test } from "vitest";
import { enters, person, reads, reply, runs, said, started, working, writes } from "../../testing/core-fixtures.ts";
import { play } from "../../testing/core-fixtures.ts";
import type { Call } from "../../core/decide/access.ts";
import type { Event } from "../../core/event.ts";
import type { Mode } from "../../core/mode.ts";
import { reduce } from "../../core/reduce.ts";
import type { Session } from "../../core/session.ts";
import { answersFor, denialMeanwhile, followParent } from "./follow-parent.ts";
import type { Happening, LiveSession } from "../ports/handle.ts";

function child(parent: Mode): Session {
  return play(started({ actor: { kind: "subagent", id: "a1", ownPlan: false, parent } }), said("go")).session;
}

function parentAt(mode: Mode): Session {
  return started({ mode, bypassAvailable: true });
}

const make: Call = {
  id: "m",
  tool: "Bash",
  input: {},
  access: {
    kind: "command",
    command: "make",
    directory: "/repo",
    verdict: "unproven",
    reason: "unknown",
    sandboxed: true,
    network: false,
    files: null,
  },
  subjects: [],
};

test.each<[string, Call, string | null]>([
  ["a write", writes("w"), "plan-write"],
  ["a read", reads("r"), null],
  ["a command that would need the cage, which was not asked for", make, "nobody"],
  ["EnterPlanMode", enters(), "enter-in-agent"],
])("R5.5 B1.7 the parent plans already, the child has not heard yet: %s", (_, call, code) => {
  expect(denialMeanwhile(call, child("default"), parentAt("plan"))?.code ?? null).toBe(code);
});

test("B1.7 while the parent works, or when the child knows, the session's own judgement stands", () => {
  expect(denialMeanwhile(writes("w"), child("default"), parentAt("default"))).toBe(null);
  expect(denialMeanwhile(writes("w"), child("plan"), parentAt("plan"))).toBe(null);
});

test("B1.7 what the parent's events mean for a child, also those before it is there", () => {
  const told: Event[] = [];
  const parent = livingAt(parentAt("default"));
  const following = followParent(parent.live);
  const rules = { allow: ["Bash(ls)"], ask: [], deny: [] };
  parent.send({ type: "mode-chosen", mode: "plan" });
  following.begin((event) => told.push(event));
  parent.send({ type: "rules-changed", rules });
  parent.send({ type: "auto-gate-changed", open: true });
  parent.send({ type: "todos-written", todos: [] });
  parent.send({ type: "mode-chosen", mode: "bypassPermissions" });
  following.stop();
  parent.send({ type: "mode-chosen", mode: "plan" });
  expect(told).toEqual([
    { type: "parent-mode-changed", mode: "plan" },
    { type: "rules-changed", rules },
    { type: "auto-gate-changed", open: true },
    { type: "parent-mode-changed", mode: "bypassPermissions" },
  ]);
});

function livingAt(session: Session) {
  const listeners = new Set<(happening: Happening) => void>();
  let state = session;
  const live: LiveSession = {
    callId: "c",
    current: () => state,
    subscribe: (listener) => (listeners.add(listener), () => void listeners.delete(listener)),
    publish: () => undefined,
    send: async () => null,
  };
  const send = (event: Event): void => {
    const before = state;
    const { session: after, effects } = reduce(state, event);
    state = after;
    for (const listener of listeners) listener({ kind: "event", event, before, session: after, effects });
  };
  return { live, send };
}

const heard = (answer: object): readonly object[] => {
  const asked = play(working(), reply(runs("a"))).session;
  const event = { type: "permission-answered", questionId: "q1", by: person, ...answer } as Event;
  const { session, effects } = reduce(asked, event);
  return answersFor({ kind: "event", event, before: asked, session, effects });
};

test("B18.1 B18.2 what a person answers to a child for the session, or to stop, reaches its parent; nothing else does", () => {
  const rules = ["Bash(make all:*)"];
  expect(heard({ allowed: true, forSession: rules })).toEqual([{ type: "session-allowed", rules, by: person }]);
  expect(heard({ allowed: false, stop: true })).toEqual([{ type: "turn-cancelled" }]);
  for (const answer of [{ allowed: true }, { allowed: true, remember: rules }, { allowed: false, reason: "no" }])
    expect(heard(answer)).toEqual([]);
  expect(heard({ questionId: "gone", allowed: false, stop: true })).toEqual([]);
});
