import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadLog } from "./log-reader.ts";
import { openSealer, type Sealer } from "./log-seal.ts";
import { openLog } from "./log.ts";
import { remove } from "../../../test/support/remove.ts";

let folder = "";
let path = "";
let sealer: Sealer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "groundplan-seal-"));
  path = join(folder, "s.jsonl");
  sealer = await openSealer(folder);
});
afterEach(() => remove(folder));

async function write(...words: readonly string[]): Promise<void> {
  const log = await openLog(path, sealer);
  for (const text of words) await log.append({ at: 1, event: { type: "user-said", text } });
  await log.close();
}

const lines = (): string[] => readFileSync(path, "utf8").trimEnd().split("\n");
const broken = async (by: Sealer = sealer): Promise<number | null> => (await loadLog(path, by)).broken;

describe("a sealed log", () => {
  test("is whole over many writers, long lines and lines that were cut off", async () => {
    await write("a", "é".repeat(200_000), "c");
    appendFileSync(path, '{"v":1,"seal":"00000000000000000000000000000000","at":1,"eve');
    await write("d");
    appendFileSync(path, "half a line");
    await write("e", "f");
    const { entries, problems, broken: found } = await loadLog(path, sealer);
    expect([entries.length, problems.length, found]).toEqual([6, 2, null]);
  });

  test.each<[string, (all: string[]) => string[], number]>([
    ["a word changed", (all) => all.with(1, all[1]!.replace('"b"', '"B"')), 2],
    ["a line taken out", (all) => all.toSpliced(1, 1), 2],
    ["two lines exchanged", (all) => [all[0]!, all[2]!, all[1]!], 2],
    ["a line twice", (all) => [...all, all[2]!], 4],
    ["a line without a seal", (all) => [...all, '{"v":1,"at":1,"event":{"type":"user-said","text":"x"}}'], 4],
    ["the beginning cut off", (all) => all.slice(1), 1],
    ["a space put in", (all) => all.with(2, all[2]!.replace('"at":1', '"at": 1')), 3],
  ])("shows %s", async (_, change, line) => {
    await write("a", "b", "c");
    writeFileSync(path, `${change(lines()).join("\n")}\n`);
    expect(await broken()).toBe(line);
  });

  test("of another key is not believed, and going on does not mend it", async () => {
    await write("a");
    rmSync(join(folder, "log.key"));
    const other = await openSealer(folder);
    expect(await broken(other)).toBe(1);
    sealer = other;
    await write("b");
    expect(await broken(other)).toBe(1);
  });
});

test("R14.7 the key is this person's alone, made once by many that start at once", async () => {
  const home = join(folder, "home");
  const sealers = await Promise.all(Array.from({ length: 8 }, () => openSealer(home)));
  const seals = sealers.map((one) => one.seal('{"v":1,"at":1}', "").seal);
  expect(new Set(seals).size).toBe(1);
  const key = join(home, "log.key");
  expect(statSync(key).mode & 0o777).toBe(0o600);
  chmodSync(key, 0o644);
  await openSealer(home);
  expect(statSync(key).mode & 0o777).toBe(0o600);
});
