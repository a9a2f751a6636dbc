import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { sessionFiles } from "./session-files.ts";
import { remove } from "../../test/support/remove.ts";

const folder = mkdtempSync(join(tmpdir(), "groundplan-open-"));
afterEach(() => remove(folder));

test("R14.5 a log that somebody wrote to since it was read is not gone on with, and is free again", async () => {
  const sealer = { seal: (line: string, seal: string) => ({ line, seal }) } as never;
  const path = join(folder, "a.jsonl");
  writeFileSync(path, "one\n");
  appendFileSync(path, "two\n");
  const files = sessionFiles({ home: folder, folder, sealer, tell: () => undefined });
  expect(await files.open("a", 4)).toEqual({
    problem: "Session a was changed by another process just now. Resume it again.",
    exitCode: 1,
  });
  const opened = await files.open("a", 8);
  if ("problem" in opened) throw new Error(opened.problem);
  await files.close();
});
