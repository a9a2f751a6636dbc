import { expect, test } from "vitest";
import { readTask } from "./task.ts";
import { cpuTime } from "../../../test/support/cpu-time.ts";

test("names, paths and quoted texts are told apart", () => {
  const task = readTask('fix(store): `readRawBody` in src/http/body.ts fails with "cannot read body of null"');
  expect(task.names.get("readrawbody")).toBe("readRawBody");
  expect(task.paths).toEqual(["src/http/body.ts"]);
  expect(task.phrases).toEqual(["cannot read body of null"]);
});

test("a quoted name weighs more than a plain word, a plain word more than a verb of change", () => {
  const { terms } = readTask("Improve the parser of `lexerState`");
  expect(terms.get("lexerstat") ?? 0).toBe(0);
  expect(terms.get("lexerstate")! > terms.get("pars")!).toBe(true);
  expect(terms.get("pars")! > terms.get("improv")!).toBe(true);
  expect(terms.has("the")).toBe(false);
});

test("words of the first line weigh more than those of the body", () => {
  const { terms } = readTask("Change the lantern\n\nIt also touches the window.");
  expect(terms.get("lantern")! > terms.get("window")!).toBe(true);
});

test("two neighbouring words are also looked for as one", () => {
  expect(readTask("open the log file").terms.has("logfile")).toBe(true);
});

test.each([
  ["Fix the flaky test of cart", "mentionsTests"],
  ["Update the README", "mentionsDocuments"],
  ["Run lint in CI", "mentionsSettings"],
] as const)("%s says what sort of file it means", (text, flag) => {
  expect(readTask(text)[flag]).toBe(true);
  expect(readTask("Fix the cart")[flag]).toBe(false);
});

test("an endless task is read up to a bound", () => {
  const start = cpuTime();
  readTask(`${"a.".repeat(500_000)}${"`".repeat(1000)}${"x/".repeat(500_000)}`);
  expect(cpuTime() - start).toBeLessThan(20_000);
});
