/** Finds programs on a cleaned PATH, and the real paths of what exists. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** An executable of this name on a cleaned PATH, or null. */
export function findProgram(name: string, path: string): string | null {
  const found = path
    .split(":")
    .filter((entry) => isAbsolute(entry))
    .map((entry) => join(entry, name))
    .find((file) => isExecutable(file));
  return found ?? null;
}

/** The real path of what exists, in a list; nothing for what does not. */
export function realPaths(path: string): string[] {
  try {
    return path === "" ? [] : [realpathSync(path)];
  } catch {
    return [];
  }
}

/** An empty file is no program, though a shell would run it. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    const found = statSync(file);
    return found.isFile() && found.size > 0;
  } catch {
    return false;
  }
}
