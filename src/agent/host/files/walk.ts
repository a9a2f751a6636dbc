/** Walks a folder as ripgrep does: hidden files too, `.git` and what `.gitignore` names not, links not followed. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import ignore, { type Ignore } from "ignore";
import { exists } from "./entries.ts";
import { readRegularText } from "./read-regular.ts";

/** Regular files below `root`; `root` itself when it is one. */
export async function* walkFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  const start = await stat(root).catch(() => null);
  if (start?.isFile() === true) yield root;
  if (start?.isDirectory() !== true) return;
  const above = await rulesAbove(root);
  const pending: Folder[] = [{ path: root, rules: isIgnored(root, true, above) ? [] : above }];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    signal.throwIfAborted();
    const rules = [...(await rulesIn(folder.path)), ...folder.rules];
    const inside: Folder[] = [];
    for (const entry of await entriesOf(folder.path)) {
      const path = join(folder.path, entry.name);
      if (entry.name === ".git" || isIgnored(path, entry.isDirectory(), rules)) continue;
      if (entry.isDirectory()) inside.push({ path, rules });
      else if (entry.isFile()) yield path;
    }
    pending.push(...inside.toReversed());
  }
}

interface Folder {
  readonly path: string;
  readonly rules: readonly Rules[];
}

/** Of one `.gitignore`, for paths below its folder. */
interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/** The nearest file that says something decides. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, ignore } of rules) {
    const { ignored, unignored } = ignore.test(relative(folder, path) + (isFolder ? "/" : ""));
    if (ignored || unignored) return ignored;
  }
  return false;
}

async function rulesIn(folder: string): Promise<readonly Rules[]> {
  const text = await readRegularText(join(folder, ".gitignore")).catch(() => null);
  return text === null ? [] : [{ folder, ignore: ignore().add(text) }];
}

/** Up to the folder that is the repository, nearest first. */
async function rulesAbove(root: string): Promise<readonly Rules[]> {
  const found: Rules[] = [];
  for (let folder = root; !(await exists(join(folder, ".git"))) && folder !== dirname(folder);) {
    folder = dirname(folder);
    found.push(...(await rulesIn(folder)));
  }
  return found;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
