import { expect, test } from "vitest";
import { untilAborted } from "../../../agent/answers/ask-surface.ts";
import { createBell } from "../desks/desk.ts";
import { inTime } from "./in-time.ts";

const never = new Promise<string>(() => undefined);

test("B2.6 what comes is told, an error too; what never comes is given up in time, or soon after the end", async () => {
  const patient = { answerMs: 1_000_000, lastMs: 1_000_000 };
  expect(await inTime(Promise.resolve("taken"), createBell(), patient)).toBe("taken");
  await expect(inTime(Promise.reject(new Error("broken")), createBell(), patient)).rejects.toThrow("broken");
  expect(await inTime(never, createBell(), { ...patient, answerMs: 1 })).toBe(null);
  const bell = createBell();
  const asked = inTime(never, bell, { ...patient, lastMs: 1 });
  bell.ring();
  bell.end("ended");
  expect(await asked).toBe(null);
});

test("B2.6 an answer that is under way when the program ends still arrives", async () => {
  const bell = createBell();
  const arrival = new AbortController();
  const answer = untilAborted(arrival.signal).then(() => "taken");
  const asked = inTime(answer, bell, { answerMs: 1_000_000, lastMs: 1_000_000 });
  bell.end("decided");
  arrival.abort();
  expect(await asked).toBe("taken");
});
