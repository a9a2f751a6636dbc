/** Which paths to name so that everything can be read but what is closed or hidden: rights by siblings. */
import { join } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import { entriesIn } from "../files/entries.ts";

export interface Sight {
  /** Folders whose content cannot be read, but for what is `visible` in them. */
  readonly closed: readonly string[];
  readonly visible: readonly string[];
  /** Paths that cannot be read, whatever is visible. */
  readonly hide: readonly string[];
}

/**
 * The largest paths under which all may be read. A rule holds for everything beneath, so a folder with something hidden
 * in it is not named but its other entries are; links are left out, since rights are those of what they lead to.
 */
export function readablePaths(sight: Sight, list: (folder: string) => readonly string[] = withoutLinks): string[] {
  const marked = [...sight.closed, ...sight.visible, ...sight.hide];
  const gather = (path: string, isOpen: boolean): string[] => {
    if (sight.hide.includes(path)) return [];
    const open = sight.visible.includes(path) || (isOpen && !sight.closed.includes(path));
    const inside = marked.filter((other) => other !== path && isInside(other, path));
    if (inside.length === 0) return open ? [path] : [];
    const names = open ? list(path) : [...new Set(inside.map((other) => nameBelow(path, other)))];
    return names.flatMap((name) => gather(join(path, name), open));
  };
  return gather("/", true);
}

function withoutLinks(folder: string): string[] {
  return entriesIn(folder)
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => entry.name);
}

function nameBelow(folder: string, path: string): string {
  return path.slice(folder === "/" ? 1 : folder.length + 1).split("/")[0]!;
}
