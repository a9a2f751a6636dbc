/** What a hook takes for `node:fs/promises` answers as that does, and loads it only where it must. */
import { constants, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import * as whole from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { realFolder } from "../../test/support/folder.ts";
import { hookFiles } from "./hook-files.ts";

type Files = typeof whole;

test("looks are answered as the module itself answers them, without it", async () => {
  const { folder, files, load } = hookFolder();
  for (const name of ["file", "folder", "link", "lost", "none", "file/below", "no\0name"])
    for (const look of ["lstat", "stat", "readlink", "readdir", "access", "realpath"] as const) {
      const by = (module: Files) => told((module[look] as (path: string) => Promise<unknown>)(join(folder, name)));
      expect([name, look, await by(files)]).toEqual([name, look, await by(whole)]);
    }
  expect(load).not.toHaveBeenCalled();
});

test("a file that is not there is missed without the module", async () => {
  const { folder, files, load } = hookFolder();
  await expect(files.open(join(folder, "none"), plainReading)).rejects.toMatchObject({ code: "ENOENT" });
  expect(load).not.toHaveBeenCalled();
});

test.each([
  ["one that is there", "file", constants.O_RDONLY | constants.O_NONBLOCK],
  ["a lost link that may not be followed", "lost", constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW],
  ["one below a file", "file/below", constants.O_RDONLY | constants.O_NONBLOCK],
  ["one that is made", "new", "wx"],
])("opening %s is left to the module", async (_, name, flags) => {
  const { folder, files, load } = hookFolder();
  const opened = await files.open(join(folder, name), flags).catch((error: NodeJS.ErrnoException) => error.code);
  const other = hookFolder().folder;
  const expected = await whole.open(join(other, name), flags).catch((error: NodeJS.ErrnoException) => error.code);
  expect(typeof opened).toBe(typeof expected);
  for (const file of [opened, expected]) if (typeof file === "object") await file.close();
  if (typeof opened === "string") expect(opened).toBe(expected);
  expect(load).toHaveBeenCalled();
});

test("everything else is the module's own", () => {
  expect(hookFolder().files.rename).toBe(whole.rename);
});

const plainReading = constants.O_RDONLY | constants.O_NONBLOCK;

function hookFolder() {
  const folder = realFolder("-hook-files");
  mkdirSync(join(folder, "folder"));
  writeFileSync(join(folder, "file"), "x");
  symlinkSync("file", join(folder, "link"));
  symlinkSync("nowhere", join(folder, "lost"));
  const load = vi.fn(() => whole as unknown as Record<string, unknown>);
  return { folder, load, files: hookFiles(load) as Files };
}

/** A time of the last look may differ, and so may the words of an error from one Node to the next: its code counts. */
async function told(answer: Promise<unknown>): Promise<unknown> {
  try {
    const found = await answer;
    return typeof found === "object" && found !== null && "ino" in found ? found.ino : found;
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code };
  }
}
