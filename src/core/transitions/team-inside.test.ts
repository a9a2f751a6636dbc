import { describe, expect, test } from "vitest";
import {
  claimed,
  decided,
  enters,
  planning,
  play,
  refusalsIn,
  reply,
  resultsOf,
  submission,
  working,
  type Move,
} from "../../testing/core-fixtures.ts";
import { hashText } from "../plan/hash.ts";
import type { Actor } from "../decide/situation.ts";

const required: Actor = { kind: "teammate", name: "bo", team: "default", planRequired: true };
const free: Actor = { ...required, planRequired: false };
const text = "# Plan\n1. do it";

function granted(more: object = {}): Move {
  return decided({ kind: "approve", hash: hashText(text), ...more }, "lead-answered");
}

/** The session that a teammate works inside of. */
function above(mode: "plan" | "acceptEdits" | "default"): Move {
  return { type: "parent-mode-changed", mode };
}

describe("a teammate inside of another session", () => {
  const inside: Actor = { ...required, parent: "acceptEdits" };

  test.each([
    ["acceptEdits", "acceptEdits", []],
    ["auto", "plan", ["mode-not-available"]],
  ] as const)("B1.7 R12.2 granted %s under acceptEdits: %s", (mode, after, refused) => {
    const session = play(planning({ actor: inside }), ...submission(text), reply()).session;
    const step = play(session, granted({ mode }));
    expect([step.session.permissions.mode.current, refusalsIn(step.last)]).toEqual([after, refused]);
  });

  test("B1.7 while the session above plans, nothing is granted, and nobody leaves by itself", () => {
    const session = play(planning({ actor: inside }), ...submission(text), reply(), above("plan")).session;
    expect(refusalsIn(play(session, granted()).last)).toEqual(["mode-not-available"]);
    const later = play(session, above("acceptEdits"), granted());
    expect(later.session.permissions.mode.current).toBe("default");
    const edited = { type: "plan-written", callId: "exit" } as const;
    const meanwhile = play(session, above("acceptEdits"), granted({ plan: "# Less" }), above("plan"), edited);
    expect(meanwhile.session.permissions.mode.current).toBe("plan");
    const freed = play(meanwhile.session, above("acceptEdits"), granted({ plan: "# Less" }));
    expect(freed.session.plan.approved?.text).toBe("# Less");
    const own = play(working({ actor: { ...free, parent: "default" } }), reply(enters()), claimed(), above("plan"));
    const left = play(own.session, ...submission(text)).session;
    expect(resultsOf(left)["exit"]).toMatchObject({ kind: "denied", denial: { code: "exit-parent-planning" } });
  });

  test("B1.7 it plans when the session above begins to, and works again when that is over; its own plan mode stays", () => {
    const held = play(working({ actor: { ...free, parent: "default" } }), above("plan"));
    expect(held.session.permissions.mode.current).toBe("plan");
    expect(play(held.session, above("default")).session.permissions.mode).toEqual({ current: "default" });
    const own = play(planning({ actor: inside }), above("plan"), above("default"));
    expect(own.session.permissions.mode.current).toBe("plan");
  });
});
