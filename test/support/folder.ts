/** A real folder for tests of files, gone when the test is over. */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { remove } from "./remove.ts";

export function realFolder(name = " edges ü"): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `groundplan${name}-`)));
  onTestFinished(() => remove(folder));
  return folder;
}
