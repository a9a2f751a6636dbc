/** The dialogs by lines: printed once, answered by typed lines, the same answers. */
import { expect, test } from "vitest";
import type { PermissionAnswer } from "../../src/agent/ports/ports.ts";
import type { QuestionAnswer } from "../../src/core/questions.ts";
import type { ReviewRequest } from "../../src/core/plan/review.ts";
import { placeComments } from "../../src/core/plan/anchors.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { plainPerson } from "../../src/faces/terminal/dialogs/plain/plain.ts";
import type { LineTerminal } from "../../src/faces/terminal/dialogs/plain/ask-lines.ts";
import type { EditOutcome } from "../../src/faces/terminal/overlays/surface.ts";
import {
  comment,
  commandAsk,
  editAsk,
  enterAsk,
  oneQuestion,
  permissionOptions,
  review,
  smallPlan,
  threeQuestions,
} from "./requests.ts";

const by = { user: "ada", surface: "terminal" };
const { hash } = review();

test.each<[readonly string[], Verdict]>([
  [["1"], { kind: "approve", mode: "default", hash }],
  [["2 mind the 3 tests"], { kind: "approve", mode: "acceptEdits", hash, notes: "mind the 3 tests" }],
  [["f"], { kind: "approve", mode: "auto", fresh: true, hash }],
  [["7", "use 2 files"], { kind: "revise", feedback: "use 2 files" }],
  [["n use 2 files"], { kind: "revise", feedback: "use 2 files" }],
  [["s"], { kind: "save" }],
  [["x"], { kind: "abandon" }],
  [["q"], { kind: "dismiss" }],
  [["", "what", "99", "s"], { kind: "save" }],
  [
    ["c 3 question why so", "c 4-5 shorter", "c 999 x", "n", ""],
    {
      kind: "revise",
      feedback: "",
      comments: [
        { id: "review-1-c1", kind: "question", from: 3, to: 3, quote: "## Why", text: "why so" },
        {
          id: "review-1-c2",
          kind: "change",
          from: 4,
          to: 5,
          quote: "People cannot sign in with **OAuth** yet; see [the issue](https://example.org/12).\n",
          text: "shorter",
        },
      ],
    },
  ],
  [["c 3 so", "q", "q"], { kind: "dismiss" }],
])("R7.4 a plan is answered by the lines %j", async (lines, verdict) => {
  const { person } = typingLines(lines);
  expect(await person.review(review(), new AbortController().signal)).toEqual({ verdict, by });
});

test("B3.2 a comment is on a line that was printed, never on one behind the last", async () => {
  const { person, printed } = typingLines(["c 3 too far", "c 2 so", "n", ""]);
  const answer = await person.review(review({ plan: "# A\nb\n" }), new AbortController().signal);
  expect(printed.join("\n")).toContain("a line from 1 to 2");
  expect(answer?.verdict).toMatchObject({ comments: [{ from: 2, to: 2, quote: "b", text: "so" }] });
});

test("R7.4 the whole plan is printed with its numbers, its size, its choices and its notices, nothing hidden", async () => {
  const request: Partial<ReviewRequest> = {
    plan: `${smallPlan}\n\u001B[2Jx`,
    previous: smallPlan,
    revision: 2,
    stale: ["a.ts"],
    comments: placeComments([comment], smallPlan),
  };
  const { person, printed } = typingLines(["r 1", "d", "n ok"]);
  const answer = await person.review(review(request), new AbortController().signal);
  expect(answer).toEqual({ verdict: { kind: "revise", feedback: "ok", resolved: ["old-1"] }, by });
  const text = printed.join("\n");
  for (const part of [
    "1: # Add a login page",
    "27: \\u{1b}[2Jx",
    "27 lines",
    "1 or y: Approve, ask before each edit",
    "a.ts",
    "Hidden",
    "Open comment 1 (change, line 9)",
    "+\\u{1b}[2Jx",
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain("\u001B");
});

test("R7.4 an edit comes back with its difference and is approved", async () => {
  const { person, printed } = typingLines(["e", "y"], (text) => ({ kind: "edited", text: `${text}\nmore` }));
  const answer = await person.review(review(), new AbortController().signal);
  expect(answer).toEqual({ verdict: { kind: "approve", mode: "default", hash, plan: `${smallPlan}\nmore` }, by });
  expect(printed.join("\n")).toContain("+more");
});

test("B2.4 lines typed before the question could be read do not answer it", async () => {
  const terminal = lineTerminal(["1", "1", "s"], [0, 399, 400]);
  const person = plainPerson(terminal, { ...permissionOptions, edit: async () => ({ kind: "unchanged" }) });
  expect(await person.review(review(), new AbortController().signal)).toEqual({ verdict: { kind: "save" }, by });
  expect(terminal.printed.filter((text) => text.includes("not counted"))).toHaveLength(2);
});

test("B2.2 no more lines, or a question taken back: nothing is approved", async () => {
  const ended = typingLines([]).person;
  const { signal } = new AbortController();
  expect(await ended.review(review(), signal)).toEqual({ verdict: { kind: "dismiss" }, by });
  expect(await ended.permit(commandAsk("npm test"), signal)).toBeNull();
  expect(await ended.answer({ id: "q1", questions: oneQuestion }, signal)).toEqual({
    answer: { status: "dismissed" },
    by,
    stop: true,
  });
  const closed = AbortSignal.abort();
  const { person, printed } = typingLines(["1", "1", "1"]);
  expect(await person.review(review(), closed)).toBeNull();
  expect(printed).toEqual([]);
});

test.each<[string, readonly string[], PermissionAnswer]>([
  ["yes", ["y"], { allowed: true, by }],
  ["no", [""], { allowed: false, by }],
  ["no with words", ["n use make"], { allowed: false, reason: "use make", by }],
  ["no, and stop", ["q"], { allowed: false, stop: true, by }],
  ["for this session", ["s"], { allowed: true, forSession: ["Bash(npm test:*)"], by }],
  ["always", ["a", "y"], { allowed: true, remember: ["Bash(npm test:*)"], by }],
  ["always, another rule", ["a", "Bash(npm *)", "y"], { allowed: true, remember: ["Bash(npm *)"], by }],
  ["always, one that is not understood", ["a", "Bash(npm * x)", "y", "", ""], { allowed: false, by }],
  ["always, taken back", ["a", "", "n"], { allowed: false, by }],
])("R17.2 a command is answered by lines: %s", async (_, lines, answer) => {
  const { person } = typingLines(lines);
  expect(await person.permit(commandAsk("npm test"), new AbortController().signal)).toEqual(answer);
});

test("R6.3 entering plan mode and an edit are asked in words", async () => {
  const { person, printed } = typingLines(["y", "n", "n"]);
  const { signal } = new AbortController();
  expect(await person.permit(enterAsk, signal)).toEqual({ allowed: true, by });
  expect(await person.permit(editAsk("  return sum;", "  return 2;"), signal)).toEqual({ allowed: false, by });
  expect(await person.permit(commandAsk("a && rm b", { part: "rm b" }), signal)).toEqual({ allowed: false, by });
  const text = printed.join("\n");
  expect(text).not.toContain("\u001B");
  expect(text).toContain("The part that decided: rm b");
  for (const part of ["Enter plan mode?", "explore", "-   return sum;", "+   return 2;"]) expect(text).toContain(part);
});

test.each<[string, readonly string[], QuestionAnswer]>([
  [
    "numbers and words",
    ["1", "next to src, 2 files", "1,3", "y only once"],
    answered("next to src, 2 files", "Firefox, Safari", "only once"),
  ],
  ["declined", ["1", "x"], { status: "declined" }],
  ["dismissed", ["1", "q"], { status: "dismissed" }],
  ["not sent", ["1", "1", "1", "no"], { status: "dismissed" }],
  ["nothing answered", ["", "", "", "y"], { status: "dismissed" }],
])("B8.5 questions are answered by lines: %s", async (_, lines, answer) => {
  const { person } = typingLines(lines);
  expect(await person.answer({ id: "q1", questions: threeQuestions }, new AbortController().signal)).toEqual({
    answer,
    by,
    ...(answer.status === "dismissed" ? { stop: true } : {}),
  });
});

function answered(where: string, which: string, notes: string): QuestionAnswer {
  const [dates, tests, browsers] = threeQuestions.map(({ question }) => question) as [string, string, string];
  return { status: "answered", answers: { [dates]: "date-fns", [tests]: where, [browsers]: which }, notes };
}

function typingLines(lines: readonly string[], edit: (text: string) => EditOutcome = () => ({ kind: "unchanged" })) {
  const terminal = lineTerminal(
    lines,
    lines.map(() => 1_000),
  );
  const person = plainPerson(terminal, { ...permissionOptions, edit: async (text) => edit(text) });
  return { person, printed: terminal.printed };
}

/** Each line comes after so many milliseconds. */
function lineTerminal(
  lines: readonly string[],
  after: readonly number[],
): LineTerminal & { readonly printed: string[] } {
  const printed: string[] = [];
  let now = 0;
  let next = 0;
  return {
    printed,
    print: (text) => void printed.push(text),
    now: () => now,
    async line() {
      now += after[next] ?? 0;
      next += 1;
      return lines[next - 1] ?? null;
    },
  };
}
