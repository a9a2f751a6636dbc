/** Finds what rules deny to read, so that a cage can hide it: real paths behind globs, looked up anew for every command (B1.14). */
import { lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import { parseGlob, type Glob } from "../../../core/decide/glob.ts";
import { realPaths } from "../launch/find-program.ts";
import type { Unable } from "./types.ts";

/** `globs` are absolute. A folder is read again only when it changed since it was read. */
export function createHiddenPaths(globs: readonly string[]): () => readonly string[] | Unable {
  const patterns = globs.map((glob) => ({ base: literalBase(glob), expression: parseGlob(glob) }));
  const kept: Kept = new Map();
  return () => {
    const found = new Set<string>();
    const budget = { left: mostEntries };
    for (const { base, expression } of patterns) {
      if (base === "/") return { cannot: "a rule denies reading everywhere, and a cage can hide only so much" };
      gather(base, { expression, found, budget, kept });
      if (budget.left <= 0)
        return { cannot: `a rule denies reading in ${base}, which has too many files to hide them` };
    }
    return [...found];
  };
}

/** Each once, and none that lies in another one: what is in a hidden folder is hidden. */
export function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isInside(path, other)));
}

const mostEntries = 300_000;
/** A folder that changed this shortly before it was read may have changed again within the same tick of its clock. */
const freshMs = 50;

type Kept = Map<string, { readonly stamp: string; readonly entries: readonly Entry[] }>;

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

interface Search {
  readonly expression: Glob;
  readonly found: Set<string>;
  readonly budget: { left: number };
  readonly kept: Kept;
}

function gather(path: string, search: Search): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (search.expression.test(path)) return realPaths(path).forEach((real) => search.found.add(real));
  if (!stat.isDirectory()) return;
  const stamp = `${stat.ino}:${stat.mtimeMs}:${stat.ctimeMs}`;
  const last = search.kept.get(path);
  const entries = last?.stamp === stamp ? last.entries : entriesOf(path);
  if (Date.now() - stat.ctimeMs > freshMs) search.kept.set(path, { stamp, entries });
  search.budget.left -= entries.length;
  for (const { name, isFolder } of entries) {
    if (search.budget.left <= 0) return;
    const inner = join(path, name);
    if (isFolder || search.expression.test(inner)) gather(inner, search);
  }
}

function entriesOf(folder: string): Entry[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}

/** The longest folder that the glob names in plain letters, or the whole path where it has no other. */
function literalBase(glob: string): string {
  const plain = glob.replaceAll(/\[([*?[{])\]/g, (_, letter: string) =>
    String.fromCodePoint(0xe000 + letter.charCodeAt(0)),
  );
  const at = plain.search(/[*?[{]/);
  const text = at < 0 ? plain : dirname(`${plain.slice(0, at)}x`);
  return text.replaceAll(/[\ue000-\ue0ff]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) - 0xe000));
}
