/** What is in a folder, and whether a path leads anywhere, without a complaint: nothing where it cannot be looked at. */
import { lstatSync, readdirSync, statSync, type BigIntStats, type Dirent } from "node:fs";
import { stat } from "node:fs/promises";

export function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function namesIn(folder: string): readonly string[] {
  return entriesIn(folder).map(({ name }) => name);
}

export function statOf(path: string): BigIntStats | null {
  return lookedAt(statSync, path);
}

/** Of a link, not of what it leads to. */
export function linkOf(path: string): BigIntStats | null {
  return lookedAt(lstatSync, path);
}

/** A loop of links, a folder without rights and a file that is gone meanwhile are nothing to be seen. */
function lookedAt(look: typeof statSync, path: string): BigIntStats | null {
  try {
    return look(path, { bigint: true });
  } catch {
    return null;
  }
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
