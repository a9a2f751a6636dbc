/** Pictures of a git work tree: a temporary index and a tree for each, in a git folder of the session's own (B15.2). */
import { access, constants, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exists } from "../host/files/entries.ts";
import { hasBlockingIgnore } from "../host/files/ignore-files.ts";
import { askGit } from "../host/launch/own-git.ts";
import { oneAtATime } from "../host/one-at-a-time.ts";
import type { BytePath } from "../watch/work-tree-files.ts";
import { bytePath, entryLooker, placeOfEntry, shownPath } from "./entries.ts";
import { groundEnvironment, layGround, type OwnGit, type PersonsRepository } from "./git-ground.ts";
import { seedIndex } from "./git-seed.ts";
import { keepObjects, parseDifferences, readBlobs } from "./git-objects.ts";
import { strangersAmong, type FreshFile, type PictureBefore } from "./strangers.ts";
import { largestKept, mostKept, notKept, type TreePicture, type PointStore } from "./store.ts";

/** Without a repository: it is gone, and the pictures are there still. */
export function gitStore(root: string, folder: string, ground: PersonsRepository | RepositoryGone): PointStore {
  const { hashName } = ground;
  const repository = "common" in ground ? ground : null;
  const own = join(folder, "git");
  const git = ownGit(root, own);
  /** The config home, where it lies in the project: no picture holds the pictures. */
  const home = join(folder, "..", "..", "..");
  const ours = [home, join(home, "sessions")].map((place) => bytePath(root, place)).filter((path) => path !== null);
  const isOurs = ({ path }: Listed): boolean => ours.some((above) => path.startsWith(`${above}/`));
  const inTurn = oneAtATime();
  let last: string | null = null;
  let before: PictureBefore | null = null;
  let written = 0;

  /** What a killed process left does not count: a lock of git's, half an index. */
  const ready = async (): Promise<void> => {
    if (last !== null) return;
    if (repository !== null) await layGround(own, repository);
    await rm(join(own, "index.lock"), { force: true });
    const seeded = join(own, "seeded");
    if (repository === null || (await exists(seeded))) return;
    await rm(join(own, "index"), { force: true });
    await seedIndex(repository, own, git);
    await writeFile(seeded, "", { mode: 0o600 });
  };
  const take = async (paths: readonly BytePath[] | null): Promise<TreePicture> => {
    if (await hasBlockingIgnore(root)) throw new Error("a list of ignored files is no file, and would hold git up");
    await ready();
    const found = await sorted(
      root,
      (await listed(git, paths)).filter((one) => !isOurs(one)),
    );
    if (found.bytes > mostKept) throw new Error("the files that changed are too large to be kept");
    written += found.bytes;
    const strangers = before === null ? [] : await strangersAmong(found.fresh, before, { root, git });
    if (found.gone.length > 0) await git(["update-index", "-z", "--force-remove", "--stdin"], joined(found.gone));
    if (found.there.length > 0) await git(["update-index", "-z", "--add", "--replace", "--stdin"], joined(found.there));
    const isSame = last !== null && found.there.length + found.gone.length === 0;
    last = isSame ? last : (await git(["write-tree", "--missing-ok"])).trim();
    const left = { nested: found.nested.map(shownPath), large: found.large.map(shownPath) };
    const isLeft = paths === null ? [] : (before?.left ?? []);
    before = { takenAt: Date.now(), left: [...isLeft, ...found.large, ...found.nested.map(withoutSlash)] };
    return { name: last!, left, missed: [...missedOf(paths, found), ...strangers] };
  };
  return {
    kind: "git",
    hashName,
    take: (paths) => inTurn(() => take(paths)),
    changes: async (pairs) => {
      if (pairs.length === 0) return [];
      const asked = pairs.filter(([from, to]) => from !== to);
      const input = Buffer.from(asked.map((pair) => `${pair.join(" ")}\n`).join(""), "latin1");
      const output = await git(["diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev"], input);
      const found = parseDifferences(output);
      return pairs.map(([from, to]) => {
        const changes = from === to ? [] : found.get(`${from} ${to}`);
        if (changes === undefined) throw new Error(notKept);
        return changes;
      });
    },
    read: (hashes) => readBlobs(git, hashes),
    written() {
      const sum = written;
      written = 0;
      return sum;
    },
    keepOnly: (names) => inTurn(() => keepObjects(git, own, last === null ? names : [...names, last])),
  };
}

type RepositoryGone = Pick<PersonsRepository, "hashName">;

function ownGit(root: string, own: string): OwnGit {
  const environment = groundEnvironment(root, own);
  return async (args, input) => {
    const place = { directory: root, environment, timeoutMs: 60_000, ...(input === undefined ? {} : { input }) };
    const { code, bytes, complaint, isCut } = await askGit(args, place);
    if (code === 0 && !isCut) return bytes.toString("latin1");
    throw new Error(complaint.trim().split("\n").at(-1) || `git ${args[0]} did not end well`);
  };
}

interface Listed {
  readonly path: BytePath;
  /** In the index already. */
  readonly isKnown: boolean;
}

/** What is not as in the index: changed, gone, or new and not ignored; of paths that are given, also what is as it was. */
async function listed(git: OwnGit, paths: readonly BytePath[] | null): Promise<readonly Listed[]> {
  if (paths !== null) return listedAmong(git, paths);
  const [changed, others] = await Promise.all([
    git(["diff-files", "-z", "--name-only"]),
    git(["ls-files", "-z", "-o", "--exclude-standard"]),
  ]);
  const known = new Set(changed.split("\0").filter((path) => path !== ""));
  const fresh = others.split("\0").filter((path) => path !== "" && !known.has(path));
  return [...[...known].map((path) => ({ path, isKnown: true })), ...fresh.map((path) => ({ path, isKnown: false }))];
}

/** A name that is no text cannot be asked for: only a rewind knows such ones, and they are its own. */
async function listedAmong(git: OwnGit, paths: readonly BytePath[]): Promise<readonly Listed[]> {
  if (paths.length === 0) return [];
  const wanted = ["ls-files", "-z", "-t", "-c", "-o", "-m", "-d", "--exclude-standard", "--"];
  const asked = new Set(paths);
  const odd = paths.filter((path) => Buffer.from(shownPath(path), "utf8").toString("latin1") !== path);
  const known = new Map(odd.map((path) => [path, true]));
  for (let at = 0; at < paths.length; at += mostNamed) {
    const output = await git([...wanted, ...paths.slice(at, at + mostNamed).map(shownPath)]);
    for (const line of output.split("\0"))
      if (asked.has(line.slice(2))) known.set(line.slice(2), line[0] !== "?" || known.get(line.slice(2)) === true);
  }
  return [...known].map(([path, isKnown]) => ({ path, isKnown }));
}

const mostNamed = 250;

interface Sorted {
  readonly there: BytePath[];
  readonly gone: BytePath[];
  readonly nested: BytePath[];
  readonly large: BytePath[];
  /** Of those that are there, what the index does not have. */
  readonly fresh: FreshFile[];
  bytes: number;
}

/** Only files and links that can be read are kept; what cannot be kept any more is taken out of the index. */
async function sorted(root: string, listing: readonly Listed[]): Promise<Sorted> {
  const found: Sorted = { there: [], gone: [], nested: [], large: [], fresh: [], bytes: 0 };
  const looker = entryLooker(root);
  for (const { path, isKnown } of listing) {
    const inside = /^(?:.*\/)?(?=$|\.git(?:\/|$))/is.exec(path)?.[0];
    if (inside !== undefined) {
      found.nested.push(inside === "" ? path : inside.slice(0, -1));
      continue;
    }
    const facts = await looker.stat(path);
    const isLarge = facts?.isFile() === true && facts.size > largestKept;
    if (isLarge) found.large.push(path);
    if (facts !== null && !isLarge && (facts.isSymbolicLink() || (facts.isFile() && (await isReadable(root, path))))) {
      found.there.push(path);
      if (!isKnown) found.fresh.push({ path, bornAt: facts.birthtimeMs > 0 ? facts.birthtimeMs : facts.ctimeMs });
      found.bytes += facts.size;
    } else if (isKnown) found.gone.push(path);
  }
  return found;
}

function withoutSlash(path: BytePath): BytePath {
  return path.replace(/\/$/, "");
}

function isReadable(root: string, path: BytePath): Promise<boolean> {
  return access(placeOfEntry(root, path), constants.R_OK).then(
    () => true,
    () => false,
  );
}

function missedOf(paths: readonly BytePath[] | null, { there, gone }: Sorted): readonly BytePath[] {
  return (paths ?? []).filter((path) => !there.includes(path) && !gone.includes(path));
}

function joined(paths: readonly BytePath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}
