import { expect, test } from "vitest";
import type { AgentHappening, Happening } from "../../../agent/ports/handle.ts";
import type { Effect } from "../../../core/effect.ts";
import type { Event } from "../../../core/event.ts";
import { noUsage } from "../../../core/usage.ts";
import { choose, planning, play, started } from "../../../testing/core-fixtures.ts";
import { phaseAfter, type Phase } from "./phase.ts";

const inPlan = planning();

function event(happened: Event, effects: readonly Effect[] = []): Happening {
  return { kind: "event", event: happened, before: inPlan, session: inPlan, effects };
}

function agent(name: string, news: AgentHappening["news"]): Happening {
  return { kind: "agent", id: "a1", agent: name, callId: "c1", news };
}

const saved: Event = { type: "plan-saved", text: "# Plan", by: "model", at: 1 };
const begun = { kind: "started", description: "look", model: "m" } as const;
const done = { kind: "finished", status: "done", usage: noUsage } as const;
const question: Effect = {
  type: "ask-questions",
  call: { id: "q", tool: "AskUserQuestion", input: {}, access: { kind: "ask-user" }, subjects: [] },
  asked: { id: "q1", questions: [] },
};
const revise: Event = {
  type: "review-decided",
  requestId: "r",
  verdict: { kind: "revise", feedback: "no" },
  by: { user: "ada", surface: "terminal" },
  at: 2,
};

test.each<[string, readonly Happening[], Phase | null]>([
  ["entering plan mode explores", [event({ type: "mode-chosen", mode: "plan" })], "explore"],
  ["a Plan agent designs", [event(saved), agent("Plan", begun)], "design"],
  ["what it designed is reviewed", [agent("Plan", begun), agent("Plan", done)], "review"],
  ["a question after the design reviews", [agent("Plan", begun), event({ type: "mode-cycled" }, [question])], "review"],
  ["a question while exploring still explores", [event({ type: "mode-cycled" }, [question])], "explore"],
  ["writing the plan finalizes", [agent("Plan", done), event(saved)], "finalize"],
  ["a plan sent back is reviewed", [event(saved), event(revise)], "review"],
  ["exploring again is exploring", [event(saved), agent("Explore", begun)], "explore"],
])("R15.6 %s", (_, happenings, phase) => {
  expect(happenings.reduce<Phase | null>((now, happening) => phaseAfter(now, happening), "explore")).toBe(phase);
});

test("R15.6 submitting the plan is the exit, and outside of plan mode there is no phase", () => {
  const written = play(inPlan, saved).session;
  const submit: Effect = { type: "submit-plan", request: {} as never };
  const submitted: Happening = { kind: "event", event: saved, before: written, session: written, effects: [submit] };
  expect(phaseAfter("finalize", submitted)).toBe("exit");
  const left = play(inPlan, choose("default")).session;
  expect(
    phaseAfter("exit", { kind: "event", event: choose("default"), before: inPlan, session: left, effects: [] }),
  ).toBe(null);
  expect(
    phaseAfter(null, { kind: "event", event: choose("default"), before: started(), session: started(), effects: [] }),
  ).toBe(null);
});
