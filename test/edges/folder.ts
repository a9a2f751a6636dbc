/** A real folder for tests of files, gone when the test is over. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function realFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan edges ü-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
