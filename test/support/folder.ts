/** A real folder for tests of files, gone when the test is over. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function realFolder(name = " edges ü"): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `groundplan${name}-`)));
  onTestFinished(() => remove(folder));
  return folder;
}

/** What cannot be removed yet goes at the end of the run. */
export function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    return;
  }
}
