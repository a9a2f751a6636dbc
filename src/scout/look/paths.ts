/** What a path says by itself: its folder, its name without the ending, whether it stands for its folder. */
import { posix } from "node:path";

/** Empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function withoutEnding(path: string): string {
  return path.replace(/(?:\.d)?\.\w+$/, "");
}

export function bareName(path: string): string {
  return withoutEnding(posix.basename(path));
}

/** Whether a file of that bare name stands for its folder. */
export function isIndex(name: string): boolean {
  return /^(?:index|__init__|mod|lib|main|package)$/.test(name);
}
