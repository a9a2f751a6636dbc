import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answerStore, reviewsFolder, type AnswerStore, type KeptAnswer } from "./kept-answers.ts";
import { remove } from "../../../test/support/remove.ts";

let home: string;
let told: string[];
let store: AnswerStore;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "groundplan-kept-"));
  told = [];
  store = answerStore(home, "s1", (line) => void told.push(line));
});
afterEach(() => remove(home));

const by = { user: "ada", surface: "browser" };
const approval: KeptAnswer = {
  requestId: "s1-review-1",
  file: "/plans/a.md",
  hash: "0".repeat(64),
  verdict: { kind: "approve", hash: "0".repeat(64) },
  by,
  at: 5,
};
const folder = () => join(reviewsFolder(home, "s1"), "answers");

test("R14.7 what is kept comes back as it was, and only this person can read it", async () => {
  const name = (await store.keep(approval))!;
  expect(await store.list()).toEqual([{ ...approval, name }]);
  expect([folder(), join(folder(), name)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  expect((await Promise.all([store.drop(name), store.drop(name)])).toSorted()).toEqual([false, true]);
  expect(await store.list()).toEqual([]);
});

test("B2.6 of two answers to one request the first stands, however close they come; words stand beside each other", async () => {
  const abandon: KeptAnswer = { ...approval, verdict: { kind: "abandon" }, at: 8 };
  const names = await Promise.all([approval, abandon, abandon].map((answer) => store.keep(answer)));
  expect(names.filter((name) => name !== null)).toHaveLength(1);
  const words: KeptAnswer = { ...approval, requestId: null, verdict: { kind: "revise", feedback: "More." }, at: 6 };
  await store.keep(words);
  await store.keep({ ...words, at: 7 });
  const kept = await store.list();
  expect(kept.map(({ requestId }) => requestId)).toEqual(["s1-review-1", null, null]);
  expect(readdirSync(folder())).toHaveLength(3);
  await store.drop(kept[0]!.name);
  expect(await store.keep(abandon)).not.toBeNull();
});

test("there is nothing where nothing was kept, and other sessions' answers are theirs", async () => {
  expect(await store.list()).toEqual([]);
  await answerStore(home, "s2", () => undefined).keep(approval);
  expect(await store.list()).toEqual([]);
  expect(reviewsFolder(home, "../../etc")).toBe(join(home, "reviews", "______etc"));
});

const whole = JSON.stringify({ v: 1, ...approval });
test.each<[string, string, number]>([
  ["cut off", whole.slice(0, -5), 0o600],
  ["empty", "", 0o600],
  ["of a newer program", whole.replace('"v":1', '"v":2'), 0o600],
  ["of another shape", JSON.stringify({ v: 1, ...approval, verdict: { kind: "approve" } }), 0o600],
  ["a verdict that is none", JSON.stringify({ v: 1, ...approval, verdict: { kind: "yes" } }), 0o600],
  ["readable or writable by others", whole, 0o666],
])("B2.2 an answer that is %s counts for nothing, is told and removed", async (_, text, mode) => {
  mkdirSync(folder(), { recursive: true });
  const path = join(folder(), "000000000000005-abcdef.json");
  writeFileSync(path, text);
  chmodSync(path, mode);
  expect(await store.list()).toEqual([]);
  expect(told).toEqual([`an answer that was kept for this session cannot be read and was removed: ${path}`]);
  expect(readdirSync(folder())).toEqual([]);
});

test("B2.2 a link in its place counts for nothing; other files are left alone", async () => {
  mkdirSync(folder(), { recursive: true });
  const elsewhere = join(home, "elsewhere.json");
  writeFileSync(elsewhere, whole, { mode: 0o600 });
  symlinkSync(elsewhere, join(folder(), "000000000000005-abcdef.json"));
  writeFileSync(join(folder(), "notes.txt"), "mine");
  expect(await store.list()).toEqual([]);
  expect([readdirSync(folder()), statSync(elsewhere).isFile()]).toEqual([["notes.txt"], true]);
});
