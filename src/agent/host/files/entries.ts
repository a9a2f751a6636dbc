/** What is in a folder, and whether a path leads anywhere, without a complaint: nothing where it cannot be looked at. */
import { readdirSync, type Dirent } from "node:fs";
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

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
