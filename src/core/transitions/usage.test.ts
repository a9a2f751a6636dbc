import { expect, test } from "vitest";
import { play, reads, refusalsIn, reply, said, started } from "../../testing/core-fixtures.ts";
import type { Event } from "../event.ts";
import { noUsage } from "../usage.ts";

const usage = { inputTokens: 5, outputTokens: 4, cacheReadTokens: 3, cacheWriteTokens: 2, requests: 7 };
const finished = (more: object = { usage }): Event => ({
  type: "tool-finished",
  callId: "r",
  output: "",
  isError: false,
  ...more,
});
const asked = started({ mode: "plan", settings: { ...started().settings, maxPlanningTokens: 10 } });
const claimed = {
  type: "plan-claimed",
  slug: "p",
  file: "/plans/p.md",
  origin: { branch: null, commit: null },
} as const;

test("B7.3 what an agent used is added to the session's total and to planning, and can reach the budget", () => {
  const { session, effects } = play(asked, said("go"), claimed, reply(reads("r")), finished());
  expect(session.usage).toEqual({ total: usage, planning: usage });
  expect(effects).toContainEqual({ type: "notify", notice: { key: "planning-budget", used: 14, limit: 10 } });
});

test("B7.3 it counts also when the call was stopped; without it such an end is refused", () => {
  const stopped = [said("go"), claimed, reply(reads("r")), { type: "turn-cancelled" }] as const;
  const late = play(asked, ...stopped, finished());
  expect([late.session.usage.total, refusalsIn(late.effects)]).toEqual([usage, []]);
  const plain = play(asked, ...stopped, finished({}));
  expect([plain.session.usage.total, refusalsIn(plain.effects)]).toEqual([noUsage, ["unknown-call"]]);
});

test("R14.5 a usage that is none is refused", () => {
  const { effects } = play(asked, said("go"), claimed, reply(reads("r")), finished({ usage: { inputTokens: 1 } }));
  expect(refusalsIn(effects)).toEqual(["malformed-event"]);
});
