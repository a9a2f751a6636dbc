/** What is in a folder, at once and without a complaint: nothing where it cannot be read. */
import { readdirSync, type Dirent } from "node:fs";

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
