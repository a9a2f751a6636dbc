/** What is not to be read, as it lies on disk: by identity, so that links and other spellings are the same file (B1.5, B1.14). */
import { readRule } from "../../tools/rule-names.ts";
import { dirname, join } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import type { RefusedFiles } from "../../ports/refused.ts";
import { linkOf, statOf } from "./entries.ts";
import { identity, linkedBelow, pathsOf, realOf, type KeptFolders, type DiskLook } from "./refused-walk.ts";

export interface Refusing {
  /** Absolute. */
  readonly globs: readonly string[];
  /** Where second names of a file are looked for. */
  readonly roots: readonly string[];
  readonly own?: OwnPlaces | undefined;
  readonly kept?: KeptFolders;
  /** So many names are looked at in one look. */
  readonly mostNames?: number;
}

/** Our own home, and the plans, which may lie in it. */
export interface OwnPlaces {
  readonly home: string;
  readonly plans: string;
}

export function refusedFiles({ globs, roots, own, kept = new Map(), mostNames = 400_000 }: Refusing): RefusedFiles {
  const look = (): DiskLook => ({ left: mostNames, kept });
  const find = once(() => findAll(globs, look()));
  /** Names of refused files that have further ones, by identity; null where there is too much to be looked at. */
  const linked = once(async () => linkedIn(await find(), look()));
  const ownLinked = once(() => (own === undefined ? new Set<string>() : linkedOwn(own, look())));
  return {
    isEmpty: globs.length === 0,
    async namesOf(path) {
      if (globs.length === 0) return [];
      const { places, isWhole } = await find();
      const stat = statOf(path);
      const real = realOf(path) ?? path;
      const known = places.flatMap((place) => nameWithin(place, real, stat === null ? null : identity(stat)));
      if (known.length > 0 || stat === null || stat.nlink < 2n || stat.isDirectory()) return known;
      const names = isWhole ? await linked() : null;
      if (names === null) return places.slice(0, 1).map((place) => place.path);
      return [...names].filter(([, id]) => id === identity(stat)).map(([name]) => name);
    },
    async isBelow(folder) {
      if (globs.length === 0) return false;
      const { places, isWhole } = await find();
      const real = folder === null ? "/" : (realOf(folder) ?? folder);
      const isNear = places.some((place) => isInside(place.real, real) || isInside(real, place.real));
      return !isWhole || isNear || places.some(({ links }) => links > 1n);
    },
    async toHide() {
      if (globs.length === 0) return [];
      const found = await findAll(globs, look());
      const { places, isWhole } = found;
      if (!isWhole || places.some(({ real }) => real === "/")) return null;
      const names = linkedIn(found, look());
      const others = names === null ? null : secondNames(new Set(names.values()), roots, look());
      return others === null ? null : outermost([...places.map(({ real }) => real), ...others]);
    },
    async isHidden() {
      const { places, isWhole } = await find();
      const names = await linked();
      const ids = names === null || !isWhole ? null : new Set(names.values());
      const isSecondName = (id: string): boolean => ids?.has(id) !== false || ownLinked()?.has(id) !== false;
      return (path) => {
        if (places.some(({ real }) => isInside(path, real))) return true;
        if (isProcess.test(path) || (own !== undefined && isWithin(path, own))) return true;
        const stat = linkOf(path);
        return stat?.isFile() === true && stat.nlink > 1n && isSecondName(identity(stat));
      };
    },
    async ownAt(path) {
      const real = realOf(path) ?? path;
      if (isProcess.test(real)) return { reach: "inside", rule: `${readRule}(/proc/[0-9]*/**)` };
      if (own === undefined) return null;
      const rule = `${readRule}(${own.home}/**)`;
      const home = realOf(own.home) ?? own.home;
      if (isWithin(real, own)) return { reach: "inside", rule };
      const stat = statOf(real);
      if (stat?.isDirectory() === true) return isInside(home, real) ? { reach: "around", rule } : null;
      if (stat === null || stat.nlink < 2n) return null;
      return ownLinked()?.has(identity(stat)) === false ? null : { reach: "inside", rule };
    },
  };
}

/** Each once, and none that lies in another one: what is in a hidden folder is hidden. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => other !== path && isInside(path, other)));
}

/** Environment, memory and descriptors of processes, ours among them. */
const isProcess = /^\/proc\/(\d+|self|thread-self)\//;

/** Whether a real path lies in our home and not in the plans, by the folders' identity: they may have several names, too. */
function isWithin(path: string, { home, plans }: OwnPlaces): boolean {
  const [ours, open] = [statOf(home), statOf(plans)].map((stat) => (stat === null ? null : identity(stat)));
  for (let folder = path; ; folder = dirname(folder)) {
    const stat = statOf(folder);
    const id = stat === null ? null : identity(stat);
    if (folder === plans || (id !== null && id === open)) return false;
    if (folder === home || (id !== null && id === ours)) return true;
    if (dirname(folder) === folder) return false;
  }
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

async function findAll(globs: readonly string[], look: DiskLook): Promise<Found> {
  const places = new Map<string, Place>();
  for (const glob of globs) {
    for (const path of await pathsOf(glob, look)) {
      const [real, stat] = [realOf(path), statOf(path)];
      if (real === null || stat === null) continue;
      const isFolder = stat.isDirectory();
      places.set(path, { path, real, id: identity(stat), isFolder, links: isFolder ? 1n : stat.nlink });
    }
  }
  return { places: [...places.values()], isWhole: look.left > 0 };
}

/** Which of the rule's names this file is, if it is one of them. */
function nameWithin(place: Place, real: string, id: string | null): readonly string[] {
  if (place.isFolder && real !== place.real && isInside(real, place.real))
    return [join(place.path, real.slice(place.real.length))];
  return place.id === id ? [place.path] : [];
}

function linkedIn({ places }: Found, look: DiskLook): ReadonlyMap<string, string> | null {
  const names = new Map(places.filter(({ links }) => links > 1n).map(({ path, id }) => [path, id]));
  for (const { isFolder, real } of places) {
    if (isFolder) for (const [name, id] of linkedBelow(real, look)) names.set(name, id);
  }
  return look.left > 0 ? names : null;
}

function linkedOwn(own: OwnPlaces, look: DiskLook): ReadonlySet<string> | null {
  const ids = new Set<string>();
  for (const [name, id] of linkedBelow(own.home, look)) if (isWithin(name, own)) ids.add(id);
  return look.left > 0 ? ids : null;
}

function secondNames(wanted: ReadonlySet<string>, roots: readonly string[], look: DiskLook): readonly string[] | null {
  const names: string[] = [];
  for (const root of wanted.size === 0 ? [] : roots) {
    for (const [name, id] of linkedBelow(root, look)) if (wanted.has(id)) names.push(name);
  }
  return look.left > 0 ? names : null;
}

function once<Value>(make: () => Value): () => Value {
  const made: Value[] = [];
  return () => (made.length > 0 ? made[0]! : (made[0] = make()));
}
