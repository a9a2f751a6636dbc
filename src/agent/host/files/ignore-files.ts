/** Ignore files that are none: a pipe in the place of one holds up every program that reads it, git and ripgrep among them. */
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Looks where such programs look first: in the folder, and in those above it up to the repository. Never throws. */
export async function hasBlockingIgnore(folder: string): Promise<boolean> {
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  if (found.some((one) => one !== null && !one.isFile() && !one.isDirectory())) return true;
  const isTop = dirname(folder) === folder || (await stat(join(folder, ".git")).catch(() => null)) !== null;
  return !isTop && hasBlockingIgnore(dirname(folder));
}

const names = [".gitignore", ".ignore", ".rgignore", join(".git", "info", "exclude")];
