/** The person at the terminal: dialogs in turn, answers with a name, closed from outside without an answer. */
import { expect, test } from "vitest";
import { terminalPerson } from "../../src/faces/terminal/person.ts";
import { emulator, key } from "./emulator.ts";
import { commandAsk, oneQuestion, permissionOptions, review } from "./requests.ts";

const by = { user: "ada", surface: "terminal" };

test("reviews, permissions and questions are asked one after the other, each answer has a name", async () => {
  const terminal = emulator();
  const person = terminalPerson(terminal.host, terminal.surface, permissionOptions);
  const { signal } = new AbortController();
  const verdict = person.review(review(), signal);
  await terminal.until("Approve this plan?");
  await terminal.press("2");
  const allowed = person.permit(commandAsk("npm test"), signal);
  await terminal.until("Run this command?");
  const answer = person.answer({ id: "q1", questions: oneQuestion }, signal);
  await terminal.press("y");
  await terminal.until("Which library");
  await terminal.press("1");
  expect(await verdict).toEqual({ verdict: { kind: "approve", mode: "acceptEdits", hash: review().hash }, by });
  expect(await allowed).toEqual({ allowed: true, by });
  expect(await answer).toEqual({
    answer: { status: "answered", answers: { "Which library should format the dates?": "date-fns" } },
    by,
  });
});

test("B2.6 what was answered elsewhere closes here, without an answer", async () => {
  const terminal = emulator();
  const person = terminalPerson(terminal.host, terminal.surface, permissionOptions);
  const closing = new AbortController();
  const verdict = person.review(review(), closing.signal);
  const allowed = person.permit(commandAsk("npm test"), closing.signal);
  const answer = person.answer({ id: "q1", questions: oneQuestion }, closing.signal);
  await terminal.until("Approve this plan?");
  closing.abort();
  expect([await verdict, await allowed, await answer]).toEqual([null, null, null]);
  expect((await terminal.screen()).join("").trim()).toBe("(input)");
  await terminal.send("1", key.enter);
  const late = await person.review(review(), closing.signal);
  expect(late).toBeNull();
});

test("B2.4 the second of two dialogs counts its own time", async () => {
  const terminal = emulator();
  const person = terminalPerson(terminal.host, terminal.surface, permissionOptions);
  const { signal } = new AbortController();
  const first = person.permit(commandAsk("npm test"), signal);
  await terminal.until("npm test");
  const second = person.permit(commandAsk("rm -rf dist"), signal);
  await terminal.press("y", "y", key.enter);
  expect(await first).toEqual({ allowed: true, by });
  await terminal.until("rm -rf dist");
  await terminal.press(key.escape);
  expect(await second).toEqual({ allowed: false, stop: true, by });
});
