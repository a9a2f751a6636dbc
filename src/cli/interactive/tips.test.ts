import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { tipIsDue } from "./tips.ts";
import { openState } from "../../program/state-file.ts";
import { remove } from "../../../test/support/remove.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) remove(folder);
});

test("R15.4 a tip is shown in the first session and at most once in 20, also across processes", async () => {
  const configHome = mkdtempSync(join(tmpdir(), "groundplan-tips-"));
  folders.push(configHome);
  const shown: number[] = [];
  for (let session = 1; session <= 45; session += 1) {
    const state = openState({ configHome, now: () => 0, warn: () => undefined });
    if (await tipIsDue("shift-tab", state)) shown.push(session);
  }
  expect(shown).toEqual([1, 21, 41]);
});
