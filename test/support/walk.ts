/** Everything below a folder, links not followed: Node's own recursive reading follows them in some versions. */
import { readdirSync, type Dirent } from "node:fs";
import { join, relative } from "node:path";

/** Paths from `root` with slashes, sorted; folders and links are among them. */
export function namesBelow(root: string): string[] {
  return entriesBelow(root).map(({ name }) => name);
}

/** The regular files among them. */
export function filesBelow(root: string): string[] {
  return entriesBelow(root).flatMap(({ name, entry }) => (entry.isFile() ? [name] : []));
}

function entriesBelow(root: string): { readonly name: string; readonly entry: Dirent }[] {
  const found: { readonly name: string; readonly entry: Dirent }[] = [];
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      found.push({ name: relative(root, path).replaceAll("\\", "/"), entry });
      if (entry.isDirectory()) pending.push(path);
    }
  }
  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
