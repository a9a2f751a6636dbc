/** Points that are old, or too many, go; those of a session that is open stay. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { lockSession } from "../host/files/lock.ts";
import { createSweeper, sweepPoints } from "./sweep.ts";

const day = 24 * 60 * 60 * 1000;
const now = 1_700_000_000_000;

function pointsOf(home: string, id: string, { age, size }: { readonly age: number; readonly size: number }): string {
  const folder = join(home, "sessions", "project", `${id}.undo`);
  mkdirSync(join(folder, "git"), { recursive: true });
  writeFileSync(join(folder, "git", "index"), Buffer.alloc(size));
  for (const path of [join(folder, "git", "index"), folder])
    utimesSync(path, (now - age * day) / 1000, (now - age * day) / 1000);
  return folder;
}

test("B15.4 what is older than 30 days goes, then the oldest until the rest is within its bound; open sessions stay", async () => {
  const home = realFolder("sweep");
  const fresh = pointsOf(home, "fresh", { age: 1, size: 600 });
  const older = pointsOf(home, "older", { age: 5, size: 600 });
  const small = pointsOf(home, "small", { age: 6, size: 100 });
  const past = pointsOf(home, "past", { age: 31, size: 10 });
  const open = pointsOf(home, "open", { age: 40, size: 10 });
  const locking = await lockSession(join(home, "sessions", "project", "open.jsonl.lock"));
  expect(await sweepPoints(home, { now, days: 30, bytes: 1000 })).toEqual([older, past]);
  expect([fresh, older, small, past, open].map((path) => existsSync(path))).toEqual([true, false, true, false, true]);
  if (locking.kind === "held") await locking.lock.release();
});

test("B15.4 what is written is counted over sessions: the sweep comes when it is much, not only once a day", async () => {
  const home = realFolder("sweep-due");
  const first = createSweeper(home);
  await first(10, null);
  const swept = (): string => readFileSync(join(home, "undo-swept"), "utf8");
  const [begun] = swept().split("\n");
  expect(Number(begun)).toBeGreaterThan(now);
  const past = pointsOf(home, "past", { age: 40, size: 10 });
  await first(30 * 1024 * 1024, null);
  await createSweeper(home)(30 * 1024 * 1024, null);
  expect([existsSync(past), swept().split("\n").length]).toEqual([true, 4]);
  await createSweeper(home)(30 * 1024 * 1024, null);
  expect([existsSync(past), swept().split("\n").length]).toEqual([false, 2]);
});
