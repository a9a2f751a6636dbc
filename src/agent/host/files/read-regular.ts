/** Reading a file that somebody else may have put there: a pipe or a device in its place is an error, and never holds us. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { FileError } from "./file-error.ts";

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface ReadBounds {
  /** A larger one is refused. */
  readonly limit?: number;
  /** Never through a link at its end. */
  readonly direct?: boolean;
}

/** Rejects as `readFile` does, and where it is no regular file. */
export async function readRegular(
  path: string | Buffer,
  { limit = Infinity, direct = false }: ReadBounds = {},
): Promise<Buffer> {
  const file = await open(path, direct ? flags | constants.O_NOFOLLOW : flags);
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > limit) throw new FileError("not-a-file", String(path));
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export async function readRegularText(path: string, bounds?: ReadBounds): Promise<string> {
  return (await readRegular(path, bounds)).toString("utf8");
}

/** At once; null where there is none that may be read. */
export function textAt(path: string, { limit = Infinity, direct = false }: ReadBounds = {}): string | null {
  let file: number | undefined;
  try {
    file = openSync(path, direct ? flags | constants.O_NOFOLLOW : flags);
    const found = fstatSync(file);
    return found.isFile() && found.size <= limit ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
