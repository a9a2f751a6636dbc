import { expect, test } from "vitest";
import type { RefusedEvent } from "../../core/effect.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Answerer } from "../../core/verdict.ts";
import type { ReviewAnswer } from "../ports/ports.ts";
import { answerDesk, everyone, nobody } from "./persons.ts";

const request = { id: "r1", hash: "h" } as ReviewRequest;
const never = new AbortController().signal;

function surface(name: string) {
  return answerDesk({ by: { user: "ada", surface: name }, onQuestion: () => undefined });
}

/** A session with one open question: the first answer is taken, and closes it; the others hear whose it was. */
function openQuestion() {
  const closed = new AbortController();
  const taken: { by: Answerer | null }[] = [];
  const send = async (answer: { readonly by: Answerer | null }): Promise<RefusedEvent | null> => {
    const [first] = taken;
    if (first !== undefined) return { reason: "already-answered", ...(first.by === null ? {} : { by: first.by }) };
    taken.push(answer);
    closed.abort();
    return null;
  };
  return { signal: closed.signal, send, taken };
}

test("B2.6 the same request is open on several surfaces: the first answer counts, the other hears whose it was", async () => {
  const [terminal, page] = [surface("terminal"), surface("page")];
  const { signal, send, taken } = openQuestion();
  const asked = everyone(terminal, page).review(request, signal, send);
  const first = page.decide("r1", { kind: "approve", hash: "h" });
  const second = terminal.decide("r1", { kind: "dismiss" });
  expect([await first, await second, await asked]).toEqual([
    null,
    { reason: "already-answered", by: { user: "ada", surface: "page" } },
    null,
  ]);
  expect(taken).toEqual([{ verdict: { kind: "approve", hash: "h" }, by: { user: "ada", surface: "page" } }]);
  expect(await terminal.decide("r1", { kind: "dismiss" })).toEqual({ reason: "unknown-request" });
});

test("B2.1 an answer that does not count leaves the question open: that surface is asked again, the same words are no answer", async () => {
  const verdicts = ["other", "h", "h"].map((hash) => ({ kind: "approve", hash }) as const);
  const sent: string[] = [];
  const by = { user: "ada", surface: "terminal" };
  const person = { ...nobody(), review: async () => ({ verdict: verdicts[sent.length]!, by }) };
  const send = async ({ verdict }: NonNullable<ReviewAnswer>): Promise<RefusedEvent> => {
    sent.push(verdict.kind === "approve" ? verdict.hash : "");
    return { reason: "other-hash" };
  };
  expect(await everyone(person, nobody()).review(request, never, send)).toBeNull();
  expect(sent).toEqual(["other", "h"]);
});

test("B2.6 a surface where nobody is does not answer for the others", async () => {
  const terminal = surface("terminal");
  const { signal, send, taken } = openQuestion();
  const both = everyone(nobody(), terminal);
  const asked = both.permit({ id: "q1", call: {} as never, question: { kind: "enter-plan" } }, signal, send);
  expect(await terminal.permitted("q1", { allowed: true })).toBeNull();
  await asked;
  expect(taken).toEqual([{ allowed: true, by: { user: "ada", surface: "terminal" } }]);
  expect(await everyone(nobody(), nobody()).review(request, never)).toBeNull();
});

test("B8.5 a question that could not be shown anywhere says so; one that was dismissed too", async () => {
  const questions = [{ question: "Which?", header: "Which", options: [], multiSelect: false }];
  expect(await everyone(nobody(), nobody()).answer(questions, never)).toEqual({ status: "not-shown" });
  const terminal = surface("terminal");
  const asked = everyone(nobody(), terminal).answer(questions, never);
  terminal.leave();
  expect(await asked).toEqual({ status: "dismissed" });
  expect(await terminal.answer(questions, never)).toEqual({ status: "not-shown" });
});

test("B2.2 a withdrawn question is answered by nobody", async () => {
  const terminal = surface("terminal");
  const withdrawn = new AbortController();
  const answer = everyone(terminal).review(request, withdrawn.signal);
  withdrawn.abort();
  expect(await answer).toBeNull();
});

test("B2.1 an answer that names nothing that waits is not taken", async () => {
  const terminal = surface("terminal");
  expect(await terminal.decide("r9", { kind: "dismiss" })).toEqual({ reason: "unknown-request" });
  expect(await terminal.permitted("q9", { allowed: true })).toEqual({ reason: "unknown-request" });
  expect(terminal.answered("ask9", { status: "declined" })).toBe(false);
});

test("R16.1 an answer that comes before the question is asked counts, once, for what was told and not taken back", async () => {
  const desk = surface("test");
  const { signal, send, taken } = openQuestion();
  const ask = { id: "q1" } as Parameters<typeof desk.permit>[0];
  const unknown = { reason: "unknown-request" };
  expect(await desk.permitted("q1", { allowed: true })).toEqual(unknown);
  desk.expect("permission", "q1");
  expect(await desk.decide("q1", { kind: "dismiss" })).toEqual(unknown);
  expect(await desk.permitted("q1", { allowed: true })).toBeNull();
  expect(await desk.permitted("q1", { allowed: false })).toEqual(unknown);
  await desk.permit(ask, signal, send);
  expect(taken).toMatchObject([{ allowed: true }]);
  desk.expect("permission", "q2");
  desk.forget("permission", "q2");
  expect(await desk.permitted("q2", { allowed: true })).toEqual(unknown);
  const next = openQuestion();
  desk.expect("permission", "q3");
  expect(await desk.permitted("q3", { allowed: false })).toBeNull();
  desk.leave();
  await desk.permit({ ...ask, id: "q3" }, next.signal, next.send);
  expect(next.taken).toMatchObject([{ allowed: false, by: { user: "ada" } }]);
  expect(await desk.permit({ ...ask, id: "q4" }, never)).toMatchObject({ allowed: false, by: null });
});
