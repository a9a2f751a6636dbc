import { describe, expect, test } from "vitest";
import {
  noticesIn,
  planFile,
  planning,
  play,
  reads,
  reply,
  resultsOf,
  reviewing,
  said,
  settings,
  statesOf,
  working,
  writes,
} from "../../testing/core-fixtures.ts";
import type { Event, Today } from "../event.ts";
import { pendingReview } from "../selectors.ts";
import type { Session } from "../session.ts";

function resumed(session: Session, today: Partial<Today> = {}): Event {
  const { actor, roots, reviewable } = session;
  const rules = { allow: [], ask: [], deny: [] };
  const facts: Today = {
    actor,
    roots,
    reviewable,
    rules,
    runners: ["Bash"],
    settings,
    autoOptedIn: false,
    bypass: "off",
    ...today,
  };
  return { type: "session-resumed", plan: session.plan.text, today: facts };
}

const choices = (session: Session) => JSON.stringify(pendingReview(session)?.choices);
const deny = { allow: [], ask: [], deny: ["Edit"] };
const allow = { allow: ["Edit"], ask: [], deny: [] };
const doubt = { why: "It was changed", id: "s1", plansDirectory: planFile.replace(/\/[^/]+$/, "") };

describe("today's rules on resume", () => {
  test("B1.15 a question that was open is judged by the rules of today, before anything runs", () => {
    const asked = play(working(), reply(writes("w"))).session;
    expect(statesOf(asked)).toEqual({ w: "asking" });
    expect(resultsOf(play(asked, resumed(asked, { rules: deny })).session)).toMatchObject({
      w: { kind: "denied", denial: { code: "rule" } },
    });
    expect(statesOf(play(asked, resumed(asked, { rules: allow })).session)).toEqual({ w: "running" });
    const same = play(asked, resumed(asked));
    expect([statesOf(same.session), same.session.counters]).toEqual([{ w: "asking" }, asked.counters]);
  });

  test("B1.15 R14.6 a read that runs again is judged by the rules of today", () => {
    const before = play(working(), reply(reads("r"))).session;
    const after = play(before, resumed(before, { rules: { allow: [], ask: [], deny: ["Read"] } })).session;
    expect(resultsOf(after)).toMatchObject({ r: { kind: "denied", denial: { code: "rule" } } });
  });

  test("R17.3 bypass ends where this start does not allow it, also behind plan mode, and is said", () => {
    const bypassing = play(working({ mode: "bypassPermissions", bypassAvailable: true }), reply()).session;
    const plain = play(bypassing, resumed(bypassing));
    expect(plain.session.permissions).toMatchObject({ mode: { current: "default" }, bypassAvailable: false });
    expect(noticesIn(plain.last)).toEqual(["bypass-unavailable"]);
    const planned = play(planning({ mode: "bypassPermissions", bypassAvailable: true }), reply()).session;
    const behind = play(planned, resumed(planned));
    expect(behind.session.permissions.mode).toEqual({ current: "plan", returnTo: "default" });
    expect(noticesIn(behind.last)).toEqual(["bypass-unavailable"]);
    const allowed = play(planned, resumed(planned, { bypass: "available" }));
    expect(allowed.session.permissions.mode).toEqual(planned.permissions.mode);
  });

  test("R17.3 the bypass flag on resume counts: at once, or where plan mode leads", () => {
    const before = play(working(), reply()).session;
    expect(play(before, resumed(before, { bypass: "on" })).session.permissions.mode.current).toBe("bypassPermissions");
    const planned = play(planning(), reply()).session;
    expect(play(planned, resumed(planned, { bypass: "on" })).session.permissions.mode).toEqual({
      current: "plan",
      returnTo: "bypassPermissions",
    });
  });

  test("B1.15 a plan that waits offers the modes of this start", () => {
    const before = reviewing("# Plan", { bypassAvailable: true });
    expect(choices(before)).toContain("bypassPermissions");
    expect(choices(play(before, resumed(before)).session)).not.toContain("bypassPermissions");
    expect(pendingReview(play(before, resumed(before)).session)).toMatchObject({ id: pendingReview(before)!.id });
  });

  test("B1.15 R11.3 auto mode ends where the person does not opt in any more", () => {
    const auto = { optedIn: true, gateOpen: true };
    const before = play(working({ mode: "auto", auto }), reply()).session;
    expect(play(before, resumed(before, { autoOptedIn: true })).session.permissions.mode.current).toBe("auto");
    expect(play(before, resumed(before)).session.permissions.mode.current).toBe("default");
  });
});

describe("a log that is not believed", () => {
  test.each<[string, () => Session]>([
    ["works", () => play(working({ mode: "acceptEdits" }), reply(writes("w"))).session],
    ["skips permissions", () => play(working({ mode: "bypassPermissions", bypassAvailable: true }), reply()).session],
    ["plans", () => play(planning(), reply(reads("r"))).session],
    ["waits for an approval", () => reviewing()],
    ["thinks", () => play(working(), reply(), said("more")).session],
  ])("B1.15 of a session that %s: plan mode, nothing goes on, and it is said", (_, before) => {
    const session = before();
    const { session: after, last } = play(session, resumed(session, { doubt, bypass: "on", rules: allow }));
    expect(after.permissions).toMatchObject({
      mode: { current: "plan", returnTo: "default" },
      bypassAvailable: false,
      rules: allow,
    });
    expect(after.turn).toMatchObject({ open: [], thinking: null, due: false, queued: [] });
    expect(last.map(({ type }) => type).filter((type) => type !== "notify")).toEqual([]);
    expect(noticesIn(last)).toContain("log-doubted");
  });

  test("B1.15 a plan file that lies elsewhere is not the session's", () => {
    const before = play(planning(), reply()).session;
    const here = play(before, resumed(before, { doubt })).session;
    expect(here.plan.file).toBe(planFile);
    const elsewhere = play(before, resumed(before, { doubt: { ...doubt, plansDirectory: "/plans" } })).session;
    expect(elsewhere.plan).toMatchObject({ file: null, text: null, claim: "none" });
  });
});
