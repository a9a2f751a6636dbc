/** Reading a file that somebody else may have put there: a pipe or a device in its place is an error, and never holds us. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { FileError } from "./file-error.ts";

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Rejects as `readFile` does, and where it is no regular file. */
export async function readRegular(path: string): Promise<Buffer> {
  const file = await open(path, flags);
  try {
    if (!(await file.stat()).isFile()) throw new FileError("not-a-file", path);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export async function readRegularText(path: string): Promise<string> {
  return (await readRegular(path)).toString("utf8");
}

export function readRegularTextSync(path: string): string {
  const file = openSync(path, flags);
  try {
    if (!fstatSync(file).isFile()) throw new FileError("not-a-file", path);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
