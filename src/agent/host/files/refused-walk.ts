/** Finds what lies behind globs and which files below a folder have several names; folders are read again only when they changed. */
import { realpathSync, type BigIntStats } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { isInside } from "../../../core/decide/access.ts";
import { parseGlob } from "../../../core/decide/glob.ts";
import { entriesIn, linkOf, statOf } from "./entries.ts";

/** Bounds one look at the disk; nothing `left` means that there was more than could be looked at. */
export interface DiskLook {
  left: number;
  readonly kept: KeptFolders;
}

export type KeptFolders = Map<string, { readonly stamp: string; readonly entries: readonly Entry[] }>;

interface Entry {
  readonly name: string;
  readonly kind: "folder" | "link" | "other";
}

/** A folder that changed this shortly before it was read may have changed again within the same tick of its clock. */
const freshMs = 50;
/** What is no file system of files. */
const unseen: ReadonlySet<string> = new Set(["/proc", "/sys", "/dev"]);

/** The paths that a glob (absolute) names, through linked folders as well; nothing below a path that it names. */
export async function pathsOf(glob: string, look: DiskLook): Promise<readonly string[]> {
  const { base, rest } = split(glob);
  const starts = spellings(base);
  if (rest === "" || rest === "/**") return starts;
  const matcher = parseGlob(glob.normalize("NFC"));
  const found: string[] = [];
  const seen = new Set<string>();
  const open = starts.map((path) => ({ path, isLinked: false }));
  for (let next = open.pop(); next !== undefined && look.left > 0; next = open.pop()) {
    const { path, isLinked } = next;
    const real = realOf(path);
    if (real === null || unseen.has(real) || (isLinked && starts.some((start) => isInside(start, real)))) continue;
    const key = `${real}\0${tailOf(path, rest)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size % 200 === 0) await breathe();
    for (const { name, kind } of entriesOf(path, look)) {
      const inner = join(path, name);
      if (matcher.test(inner.normalize("NFC"))) found.push(inner);
      else if (kind === "folder") open.push({ path: inner, isLinked });
      else if (kind === "link" && statOf(inner)?.isDirectory() === true) open.push({ path: inner, isLinked: true });
    }
  }
  return found;
}

/** Files below a folder that have more than one name, with their identity. */
export function* linkedBelow(folder: string, look: DiskLook): Generator<readonly [name: string, id: string]> {
  const open = [folder];
  for (let next = open.pop(); next !== undefined && look.left > 0; next = open.pop()) {
    if (unseen.has(next)) continue;
    for (const { name, kind } of entriesOf(next, look)) {
      const inner = join(next, name);
      if (kind === "folder") open.push(inner);
      if (kind !== "other") continue;
      const own = linkOf(inner);
      if (own?.isFile() === true && own.nlink > 1n) yield [inner, identity(own)];
    }
  }
}

function entriesOf(folder: string, look: DiskLook): readonly Entry[] {
  const stat = statOf(folder);
  if (stat?.isDirectory() !== true) return [];
  const stamp = `${stat.ino}:${stat.mtimeNs}:${stat.ctimeNs}`;
  const last = look.kept.get(folder);
  const entries = last?.stamp === stamp ? last.entries : read(folder);
  if (Date.now() - Number(stat.ctimeMs) > freshMs) look.kept.set(folder, { stamp, entries });
  look.left -= entries.length + 1;
  return entries;
}

function read(folder: string): readonly Entry[] {
  return entriesIn(folder).map((entry) => ({
    name: entry.name,
    kind: entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other",
  }));
}

/** What of a folder's own name decides which of its entries match: the same folder under two names is looked at once where that is the same. */
function tailOf(path: string, rest: string): string {
  const parts = rest.split("/");
  const last = parts.lastIndexOf("**");
  if (last < 0 || parts.slice(0, last).some((part) => part !== "")) return path;
  const deciding = parts.length - last - 2;
  return deciding <= 0 ? "" : path.split("/").slice(-deciding).join("/");
}

/** A path in each way that its names are written on disk: composed or decomposed letters. */
function spellings(path: string): readonly string[] {
  let found = ["/"];
  for (const name of path.split("/").filter((part) => part !== "")) {
    found = found.flatMap((folder) => {
      if (/^[\x20-\x7e]+$/.test(name)) return [join(folder, name)];
      const same = read(folder).filter((other) => other.name.normalize("NFC") === name.normalize("NFC"));
      return same.map((other) => join(folder, other.name));
    });
  }
  return found;
}

/** The folder that a glob starts from, and what is no plain name of it. */
function split(glob: string): { readonly base: string; readonly rest: string } {
  const plain = glob.replaceAll(/\[([*?[{])\]/g, (_, sign: string) =>
    String.fromCodePoint(0xe000 + sign.codePointAt(0)!),
  );
  const at = plain.search(/\/[^/]*[*?[{]/);
  return at < 0 ? { base: back(plain), rest: "" } : { base: back(plain.slice(0, at)), rest: plain.slice(at) };
}

function back(text: string): string {
  return text.replaceAll(/[\ue000-\ue0ff]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! - 0xe000));
}

/** The real path, also of what is not there yet in a folder that is. */
export function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    const above = folder === path ? null : realOf(folder);
    return above === null ? null : join(above, path.slice(folder.length));
  }
}

export function identity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
