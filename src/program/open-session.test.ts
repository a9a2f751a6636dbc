import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openSession } from "./open-session.ts";

const folder = mkdtempSync(join(tmpdir(), "groundplan-open-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("R14.5 a log that somebody wrote to since it was read is not gone on with, and is free again", async () => {
  const sealer = { seal: (line: string, seal: string) => ({ line, seal }) } as never;
  const path = join(folder, "a.jsonl");
  writeFileSync(path, "one\n");
  appendFileSync(path, "two\n");
  const refused = await openSession({ folder, sealer, size: 4 }, "a");
  expect(refused).toEqual({
    problem: "Session a was changed by another process just now. Resume it again.",
    exitCode: 1,
  });
  const opened = await openSession({ folder, sealer, size: 8 }, "a");
  if ("problem" in opened) throw new Error(opened.problem);
  await opened.log.close();
  await opened.lock.release();
});
