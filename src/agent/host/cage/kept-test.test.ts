import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFolder } from "../../../../test/support/folder.ts";
import { writeProgram } from "../../../../test/support/write-program.ts";
import { keptTests, type TestPlace } from "./kept-test.ts";
import type { Rung } from "./types.ts";

const passed: Rung = {
  kind: "caged",
  name: "landlock-perl",
  program: "/usr/bin/perl",
  selfTest: { passed: true, failures: [], durationMs: 1 },
  passedOver: ["bubblewrap is not installed"],
};
const failed: Rung = { kind: "none", reason: "nothing holds", advice: "" };
const kept = { name: "landlock-perl", passedOver: ["bubblewrap is not installed"] };
const hour = 60 * 60 * 1000;

/** With a test that was passed and kept at the time 0. */
async function afterTest(rung: Rung = passed) {
  const home = join(realFolder(), "home");
  const root = realFolder();
  const place: TestPlace = { home, root, environment: { PATH: "/usr/bin:/bin", HOME: root }, now: () => 0 };
  await keptTests(place).keep(rung);
  const file = join(home, "cages", readdirSync(join(home, "cages"))[0]!);
  const recall = (other: Partial<TestPlace> = {}) => keptTests({ ...place, ...other }).recall();
  return { place, home, root, file, recall };
}

test("a test that was passed is kept for a day, for this person alone", async () => {
  const { file, home, recall } = await afterTest();
  expect([statSync(file), statSync(join(home, "cages")), statSync(home)].map(({ mode }) => mode & 0o777)).toEqual([
    0o600, 0o700, 0o700,
  ]);
  expect(recall()).toEqual(kept);
  expect(recall({ now: () => 23 * hour })).toEqual(kept);
  expect(recall({ now: () => 24 * hour })).toBe(null);
  expect(recall({ now: () => -1 })).toBe(null);
});

test("one that failed is known for minutes, and never counts as passed", async () => {
  const { place, recall } = await afterTest(failed);
  expect(recall()).toBe(null);
  expect(keptTests(place).isKnownToFail()).toBe(true);
  expect(keptTests({ ...place, now: () => hour }).isKnownToFail()).toBe(false);
});

test("it is another one's where anything that it depends on is other", async () => {
  const { recall, place } = await afterTest();
  const bin = join(realFolder(), "bin");
  mkdirSync(bin);
  writeProgram(join(bin, "bwrap"), "#!/bin/sh\n");
  const path = `${bin}:/usr/bin:/bin`;
  const environments = [
    { ...place.environment, GROUNDPLAN_WITHOUT_RUNGS: "bubblewrap" },
    { ...place.environment, PATH: path },
    { ...place.environment, HOME: "/" },
    { ...place.environment, TMPDIR: bin },
  ];
  for (const environment of environments) expect([environment, recall({ environment })]).toEqual([environment, null]);
  expect(recall({ root: bin })).toBe(null);
  const withProgram = { ...place, environment: { ...place.environment, PATH: path } };
  await keptTests(withProgram).keep(passed);
  expect(keptTests(withProgram).recall()).toEqual(kept);
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\nexec other\n");
  expect(keptTests(withProgram).recall()).toBe(null);
});

test("one that others could have written, that is a link, damaged or under another name does not count", async () => {
  const { file, home, place, recall } = await afterTest();
  const text = readFileSync(file, "utf8");
  chmodSync(file, 0o620);
  expect(recall()).toBe(null);
  chmodSync(file, 0o602);
  expect(recall()).toBe(null);
  chmodSync(file, 0o600);
  for (const folder of [home, join(home, "cages")]) {
    chmodSync(folder, 0o777);
    expect(recall()).toBe(null);
    chmodSync(folder, 0o700);
  }
  expect(recall()).toEqual(kept);
  const forged = [
    "",
    "{",
    text.replace("landlock-perl", "something"),
    text.replace(/"key":"./, '"key":"x'),
    text.replace("}", ',"more":1}'),
    `${text}${" ".repeat(20_000)}`,
  ];
  for (const other of forged) {
    writeFileSync(file, other);
    expect([other.slice(0, 200), recall()]).toEqual([other.slice(0, 200), null]);
  }
  writeFileSync(file, text);
  expect(recall()).toEqual(kept);
  renameSync(file, join(home, "moved"));
  symlinkSync(join(home, "moved"), file);
  expect(recall()).toBe(null);
  await keptTests(place).keep(passed);
  expect(recall()).toEqual(kept);
});

test.skipIf(process.getuid?.() !== 0)("another person's does not count", async () => {
  const { file, recall } = await afterTest();
  chownSync(file, 65_534, 65_534);
  expect(recall()).toBe(null);
});

test("where it cannot be kept nothing is said, and the next one tests again", async () => {
  const { place } = await afterTest();
  const nowhere = keptTests({ ...place, home: "/dev/null/home" });
  await nowhere.keep(passed);
  expect(nowhere.recall()).toBe(null);
});
