import { expect, test } from "vitest";
import type { ReviewRequest } from "../../core/plan/review.ts";
import { answerDesk, firstOf, nobody } from "./persons.ts";

const request = { id: "r1", hash: "h" } as ReviewRequest;
const never = new AbortController().signal;

function surface(name: string) {
  return answerDesk({ by: { user: "ada", surface: name }, onQuestion: () => undefined });
}

test("B2.6 the same request is open on several surfaces: the first answer counts, the others close", async () => {
  const [terminal, page] = [surface("terminal"), surface("page")];
  const answer = firstOf(terminal, page).review(request, never);
  expect(page.decide("r1", { kind: "approve", hash: "h" })).toBe(true);
  expect(await answer).toEqual({ verdict: { kind: "approve", hash: "h" }, by: { user: "ada", surface: "page" } });
  expect(terminal.decide("r1", { kind: "dismiss" })).toBe(false);
});

test("B2.6 a surface where nobody is does not answer for the others", async () => {
  const terminal = surface("terminal");
  const both = firstOf(nobody(), terminal);
  const answer = both.permit({ id: "q1", call: {} as never, question: { kind: "enter-plan" } }, never);
  terminal.permitted("q1", { allowed: true });
  expect(await answer).toMatchObject({ allowed: true, by: { surface: "terminal" } });
  expect(await firstOf(nobody(), nobody()).review(request, never)).toBeNull();
});

test("B8.5 a question that could not be shown anywhere says so; one that was dismissed too", async () => {
  const questions = [{ question: "Which?", header: "Which", options: [], multiSelect: false }];
  expect(await firstOf(nobody(), nobody()).answer(questions, never)).toEqual({ status: "not-shown" });
  const terminal = surface("terminal");
  const asked = firstOf(nobody(), terminal).answer(questions, never);
  terminal.leave();
  expect(await asked).toEqual({ status: "dismissed" });
  expect(await terminal.answer(questions, never)).toEqual({ status: "not-shown" });
});

test("B2.2 a withdrawn question is answered by nobody", async () => {
  const terminal = surface("terminal");
  const withdrawn = new AbortController();
  const answer = firstOf(terminal).review(request, withdrawn.signal);
  withdrawn.abort();
  expect(await answer).toBeNull();
});

test("B2.1 an answer that names nothing that waits is not taken", () => {
  const terminal = surface("terminal");
  expect(terminal.decide("r9", { kind: "dismiss" })).toBe(false);
  expect(terminal.permitted("q9", { allowed: true })).toBe(false);
  expect(terminal.answered("ask9", { status: "declined" })).toBe(false);
});

test("R16.1 an answer that comes before the question is asked counts, once, for what was told and not taken back", async () => {
  const desk = answerDesk({ by: { user: "ada", surface: "test" }, onQuestion: () => undefined });
  const { signal } = new AbortController();
  const ask = { id: "q1" } as Parameters<typeof desk.permit>[0];
  expect(desk.permitted("q1", { allowed: true })).toBe(false);
  desk.expect("q1");
  expect(desk.permitted("q1", { allowed: true })).toBe(true);
  expect(desk.permitted("q1", { allowed: false })).toBe(false);
  expect(await desk.permit(ask, signal)).toMatchObject({ allowed: true });
  desk.expect("q2");
  desk.forget("q2");
  expect(desk.permitted("q2", { allowed: true })).toBe(false);
  desk.expect("q3");
  expect(desk.permitted("q3", { allowed: false })).toBe(true);
  desk.leave();
  expect(await desk.permit({ ...ask, id: "q3" }, signal)).toMatchObject({ allowed: false, by: { user: "ada" } });
  expect(await desk.permit({ ...ask, id: "q4" }, signal)).toMatchObject({ allowed: false, by: null });
});
