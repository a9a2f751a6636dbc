import { expect, test } from "vitest";
import type { RefusedEvent } from "../../core/effect.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Answerer } from "../../core/verdict.ts";
import type { ReviewAnswer } from "../ports/ports.ts";
import { answerDesk, everyone, nobody } from "./persons.ts";

const request = { id: "r1", hash: "h" } as ReviewRequest;
const never = new AbortController().signal;

function surface(name: string) {
  return answerDesk({ user: "ada", surface: name });
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
  expect(await terminal.decide("r1", { kind: "dismiss" })).toEqual({
    reason: "already-answered",
    by: { user: "ada", surface: "page" },
  });
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

test("B8.5 questions that could not be shown anywhere have no answer; those that were left are dismissed", async () => {
  const asked = { id: "q1", questions: [{ question: "Which?", header: "Which", options: [], multiSelect: false }] };
  expect(await everyone(nobody(), nobody()).answer(asked, never)).toBeNull();
  const terminal = surface("terminal");
  const { signal, send, taken } = openQuestion();
  const both = everyone(nobody(), terminal).answer(asked, signal, send);
  terminal.leave();
  await both;
  expect(taken).toEqual([{ answer: { status: "dismissed" }, by: { user: "ada", surface: "terminal" } }]);
  expect(await terminal.answer(asked, never)).toBeNull();
});

test("B2.6 B8.5 the same questions are open on several surfaces: the first answer counts, the other hears whose it was", async () => {
  const [terminal, program] = [surface("terminal"), surface("program")];
  const { signal, send, taken } = openQuestion();
  const asked = everyone(terminal, program).answer({ id: "q1", questions: [] }, signal, send);
  const first = program.answered("q1", { status: "declined" });
  const second = terminal.answered("q1", { status: "dismissed" });
  expect([await first, await second, await asked]).toEqual([
    null,
    { reason: "already-answered", by: { user: "ada", surface: "program" } },
    null,
  ]);
  expect(taken).toEqual([{ answer: { status: "declined" }, by: { user: "ada", surface: "program" } }]);
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
  expect(await terminal.answered("q9", { status: "declined" })).toEqual({ reason: "unknown-request" });
});
