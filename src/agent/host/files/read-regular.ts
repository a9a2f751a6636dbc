/** Reading a file that somebody else may have put there: a pipe or a device in its place is an error, and never holds us. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { FileError } from "./file-error.ts";

const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface ReadBounds {
  /** A larger one is refused. */
  readonly limit?: number;
  /** Never through a link at its end. */
  readonly direct?: boolean;
  /** One that others may read or write is refused, as is another person's; or others lose their rights to it. */
  readonly others?: "refused" | "shut-out";
}

/** Rejects as `readFile` does, and with FileError where it is no regular file or out of bounds. */
export async function readRegular(
  path: string | Buffer,
  { limit = Infinity, direct = false, others }: ReadBounds = {},
): Promise<Buffer> {
  const file = await open(path, direct ? flags | constants.O_NOFOLLOW : flags);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new FileError("not-a-file", String(path));
    if (others === "refused" && !isPrivate(found)) throw new FileError("not-private", String(path));
    if (found.size > limit) throw new FileError("too-large", String(path));
    if (others === "shut-out" && (found.mode & 0o077) !== 0) await file.chmod(0o600);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export async function readRegularText(path: string, bounds?: ReadBounds): Promise<string> {
  return (await readRegular(path, bounds)).toString("utf8");
}

/** Where there are no owners (Windows) every file is. */
function isPrivate({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}

/** At once; null where there is none that may be read. */
export function bytesAt(
  path: string,
  { limit = Infinity, direct = false }: Omit<ReadBounds, "others"> = {},
): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync(path, direct ? flags | constants.O_NOFOLLOW : flags);
    const found = fstatSync(file);
    return found.isFile() && found.size <= limit ? readFileSync(file) : null;
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export function textAt(...asked: Parameters<typeof bytesAt>): string | null {
  return bytesAt(...asked)?.toString("utf8") ?? null;
}
