/** The files that deny rules on reading name, as they lie on disk: by identity, so that links and other spellings are the same file (B1.14). */
import type { BigIntStats } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import { parseGlob } from "../../../core/decide/glob.ts";
import type { RefusedFiles } from "../../ports/refused.ts";
import { outermost } from "../cage/hidden-paths.ts";

/** `globs` are absolute; `roots` are where second names of a file are looked for. */
export function refusedFiles(globs: readonly string[], roots: readonly string[]): RefusedFiles {
  let found: Promise<Found> | null = null;
  const find = (): Promise<Found> => (found ??= findAll(globs));
  let linked: Promise<readonly Place[]> | null = null;
  const findLinked = (places: readonly Place[]): Promise<readonly Place[]> => (linked ??= linkedBelow(places));
  return {
    isEmpty: globs.length === 0,
    async namesOf(path) {
      if (globs.length === 0) return [];
      const [real, own] = await Promise.all([realpath(path).catch(() => path), statOf(path)]);
      const { places } = await find();
      const known = places.flatMap((place) => nameWithin(place, real, own));
      if (known.length > 0 || own === null || own.nlink < 2n || own.isDirectory()) return known;
      const inFolders = await findLinked(places);
      return inFolders.filter(({ id }) => id === identity(own)).map((place) => place.path);
    },
    async isBelow(folder) {
      if (globs.length === 0) return false;
      const { places, isWhole } = await find();
      if (!isWhole) return true;
      const real = folder === null ? "/" : await realpath(folder).catch(() => folder);
      return places.some((place) => isInside(place.real, real) || isInside(real, place.real)) || hasSecondNames(places);
    },
    async toHide() {
      if (globs.length === 0) return [];
      const { places, isWhole } = await find();
      if (!isWhole || places.some(({ real }) => real === "/")) return null;
      const inFolders = await findLinked(places);
      const others = inFolders.length === 0 ? [] : await secondNames(inFolders, roots);
      return outermost([...places.map(({ real }) => real), ...others]);
    },
  };
}

interface Place {
  /** As the rule names it. */
  readonly path: string;
  readonly real: string;
  readonly id: string;
  readonly isFolder: boolean;
  readonly links: bigint;
}

interface Found {
  readonly places: readonly Place[];
  /** False: there was more than could be looked at. */
  readonly isWhole: boolean;
}

/** So many names are looked at for all globs together. */
const mostNames = 400_000;

interface Search {
  readonly places: Map<string, Place>;
  left: number;
}

async function findAll(globs: readonly string[]): Promise<Found> {
  const search: Search = { places: new Map(), left: mostNames };
  for (const glob of globs) {
    const { base, rest } = split(glob);
    const matcher = parseGlob(glob.normalize("NFC"));
    const isWanted = (path: string): boolean => matcher.test(path.normalize("NFC"));
    const isPlain = rest === "" || rest === "/**";
    for (const start of await spellings(base)) {
      for (const path of isPlain ? [start] : await walk(start, search, isWanted)) await add(search, path);
    }
  }
  return { places: [...search.places.values()], isWhole: search.left > 0 };
}

/** A path in each way that its names are written on disk: composed or decomposed letters. */
async function spellings(path: string): Promise<readonly string[]> {
  let found = ["/"];
  for (const name of path.split("/").filter((part) => part !== "")) {
    const next = found.map(async (folder) => {
      if (/^[\x20-\x7e]+$/.test(name)) return [join(folder, name)];
      const names = await readdir(folder).catch(() => []);
      return names
        .filter((other) => other.normalize("NFC") === name.normalize("NFC"))
        .map((other) => join(folder, other));
    });
    found = (await Promise.all(next)).flat();
  }
  return found;
}

function back(text: string): string {
  return text.replaceAll(/[\ue000-\ue0ff]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! - 0xe000));
}

/** The folder that a glob starts from, and what is no plain name of it. */
function split(glob: string): { readonly base: string; readonly rest: string } {
  const plain = glob.replaceAll(/\[([*?[{])\]/g, (_, sign: string) =>
    String.fromCodePoint(0xe000 + sign.codePointAt(0)!),
  );
  const at = plain.search(/\/[^/]*[*?[{]/);
  return at < 0 ? { base: back(plain), rest: "" } : { base: back(plain.slice(0, at)), rest: plain.slice(at) };
}

async function add({ places }: Search, path: string): Promise<void> {
  const [real, own] = await Promise.all([realpath(path).catch(() => null), statOf(path)]);
  if (real === null || own === null) return;
  const isFolder = own.isDirectory();
  places.set(path, { path, real, id: identity(own), isFolder, links: isFolder ? 1n : own.nlink });
}

/** Links are named, not followed; nothing below what is wanted is looked at. */
async function walk(folder: string, search: { left: number }, isWanted: (path: string) => boolean): Promise<string[]> {
  const wanted: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined && search.left > 0; next = open.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    search.left -= entries.length;
    for (const entry of entries) {
      const path = next === "/" ? `/${entry.name}` : `${next}/${entry.name}`;
      if (isWanted(path)) wanted.push(path);
      else if (entry.isDirectory() && !unseen.has(path)) open.push(path);
    }
  }
  return wanted;
}

/** Files below a folder that have more than one name. */
async function walkLinked(folder: string, search: { left: number }): Promise<readonly Place[]> {
  const names: string[] = [];
  await walk(folder, search, (path) => {
    names.push(path);
    return false;
  });
  const linked: Place[] = [];
  for (const path of names) {
    const own = await lstat(path, { bigint: true }).catch(() => null);
    if (own?.isFile() === true && own.nlink > 1n)
      linked.push({ path, real: path, id: identity(own), isFolder: false, links: own.nlink });
  }
  return linked;
}

/** What is no file system of files. */
const unseen: ReadonlySet<string> = new Set(["/proc", "/sys", "/dev"]);

/** Which of the rule's names this file is, if it is one of them. */
function nameWithin(place: Place, real: string, own: BigIntStats | null): readonly string[] {
  if (place.isFolder && real !== place.real && isInside(real, place.real)) {
    return [join(place.path, real.slice(place.real.length))];
  }
  return own !== null && place.id === identity(own) ? [place.path] : [];
}

function hasSecondNames(places: readonly Place[]): boolean {
  return places.some(({ links }) => links > 1n);
}

/** Files among the places, and below folders of theirs, that have a further name somewhere. */
async function linkedBelow(places: readonly Place[]): Promise<readonly Place[]> {
  const linked = places.filter(({ links }) => links > 1n);
  const search = { left: mostNames };
  for (const place of places) {
    if (place.isFolder) linked.push(...(await walkLinked(place.real, search)));
  }
  return linked;
}

async function secondNames(linked: readonly Place[], roots: readonly string[]): Promise<readonly string[]> {
  const wanted = new Set(linked.map(({ id }) => id));
  const names: string[] = [];
  const search = { left: mostNames };
  for (const root of roots) {
    const linkedHere = await walkLinked(root, search);
    names.push(...linkedHere.filter(({ id }) => wanted.has(id)).map(({ path }) => path));
  }
  return names;
}

function statOf(path: string): Promise<BigIntStats | null> {
  return stat(path, { bigint: true }).catch(() => null);
}

function identity({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
