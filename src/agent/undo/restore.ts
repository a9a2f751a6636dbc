/** Brings one file of the work tree to what it was: whole or not at all, and only over what is known to lie there. */
import { constants, type BigIntStats } from "node:fs";
import { link, lstat, open, readdir, rename, rmdir, symlink, unlink } from "node:fs/promises";
import { errnoOf } from "../host/files/file-error.ts";
import type { BytePath, HashName } from "../watch/work-tree-files.ts";
import { entryAt, nameOf, parentOf, placeOfEntry } from "./entries.ts";
import { heldAt, holdFolder, type HeldFolder } from "./held-folder.ts";
import { isSameEntry, type EntryChange, type KeptEntry } from "./store.ts";

export interface Restoring {
  readonly root: string;
  readonly hashName: HashName;
  /** The name under which it is written beside its place: nobody else's. */
  readonly draft: string;
  readonly content: Buffer | undefined;
}

/** `changed`: something else lies there; `missing`: the content is not kept any more; `blocked`: it cannot be written or removed there. */
export type Restored = "done" | "changed" | "missing" | "blocked";

export async function restoreEntry(change: EntryChange, how: Restoring): Promise<Restored> {
  const { path, before, after } = change;
  const { root, hashName, content } = how;
  try {
    const found = await marksAt(root, path);
    const now = await entryAt(root, path, hashName);
    if (now !== "other" && isSameEntry(now, after)) return "done";
    if (now === "other" || !isSameEntry(now, before)) return "changed";
    if (after !== null && content === undefined) return "missing";
    const seen: Seen = { path, found: now === null ? null : found };
    const isDone = after === null ? await removeEntry(root, seen) : await putEntry(seen, after, how);
    return isDone ? "done" : "changed";
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return "blocked";
  }
}

/** Removes what a killed process left beside a file's place. */
export async function sweepDraft(root: string, path: BytePath, draft: string): Promise<void> {
  const held = await holdFolder(root, parentOf(path), "refused").catch(() => null);
  await unlink(held?.inside(draft) ?? "").catch(() => undefined);
  await held?.close();
}

/** A path, and the file or link that was found there; null: nothing, or a folder. */
interface Seen {
  readonly path: BytePath;
  readonly found: BigIntStats | null;
}

/** False where something else lies there by now. */
async function putEntry({ path, found }: Seen, { kind }: KeptEntry, how: Restoring): Promise<boolean> {
  const { root, draft, content = Buffer.alloc(0) } = how;
  const held = await holdFolder(root, parentOf(path), "made");
  const target = held.inside(nameOf(path));
  const beside = held.inside(draft);
  try {
    if (found === null) await removeEmpty(target);
    if (kind === "link" && found === null) return await isNew(symlink(content, target));
    await unlink(beside).catch(() => undefined);
    if (kind === "link") await symlink(content, beside);
    else await writeDraft(beside, content, modeFor(found, kind));
    if (found === null) return await isNew(link(beside, target).catch(withoutLinks(beside, target)));
    if (!(await isStill(target, found))) return false;
    await rename(beside, target);
    return true;
  } finally {
    await unlink(beside).catch(() => undefined);
    await held.close();
  }
}

async function isNew(naming: Promise<void>): Promise<boolean> {
  return naming.then(
    () => true,
    (error: unknown) => {
      if (errnoOf(error) === "EEXIST") return false;
      throw error;
    },
  );
}

/** Where the file system has no second names. */
function withoutLinks(beside: Buffer, target: Buffer): (error: unknown) => Promise<void> {
  return async (error) => {
    if (errnoOf(error) === "EEXIST" || (await lstat(target).catch(() => null)) !== null) throw error;
    await rename(beside, target);
  };
}

/** Folders without anything in them are in nobody's way; rejects where there is something, and then all of them stay. */
async function removeEmpty(place: Buffer): Promise<void> {
  if ((await lstat(place).catch(() => null))?.isDirectory() !== true) return;
  await eachBelow(place, async () => undefined);
  await eachBelow(place, rmdir);
}

/** The deepest first, through no link. Rejects at what is no folder. */
async function eachBelow(place: Buffer, act: (folder: Buffer) => Promise<void>): Promise<void> {
  const held = await heldAt(place);
  try {
    for (const name of await readdir(held.inside(""), { encoding: "buffer" }))
      await eachBelow(held.inside(name.toString("latin1")), act);
  } finally {
    await held.close();
  }
  await act(place);
}

async function writeDraft(beside: Buffer, content: Buffer, mode: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(beside, flags, mode);
  try {
    await file.writeFile(content);
    if (((await file.stat()).mode & 0o777) !== mode && mode !== newMode && mode !== newProgram) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The rights of the file that is replaced, but for running it; of a new one what is usual here. */
function modeFor(old: BigIntStats | null, kind: "file" | "program"): number {
  if (old?.isFile() !== true) return kind === "program" ? newProgram : newMode;
  const mode = Number(old.mode) & 0o777;
  return kind === "program" ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

const newMode = 0o666;
const newProgram = 0o777;

/** And the folders above that are empty without it. */
async function removeEntry(root: string, { path, found }: Seen): Promise<boolean> {
  const isGone = await inFolderOf(root, path, async (held) => {
    const target = held.inside(nameOf(path));
    if (found === null || !(await isStill(target, found))) return false;
    await unlink(target);
    return true;
  });
  if (!isGone) return false;
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    const name = nameOf(folder);
    const isEmpty = await inFolderOf(root, folder, (held) => rmdir(held.inside(name)).then(() => true)).catch(
      () => false,
    );
    if (!isEmpty) break;
  }
  return true;
}

async function inFolderOf<Result>(
  root: string,
  path: BytePath,
  act: (held: HeldFolder) => Promise<Result>,
): Promise<Result> {
  const held = await holdFolder(root, parentOf(path), "refused");
  try {
    return await act(held);
  } finally {
    await held.close();
  }
}

async function marksAt(root: string, path: BytePath): Promise<BigIntStats | null> {
  return lstat(placeOfEntry(root, path), { bigint: true }).catch(() => null);
}

/** The very file that was looked at, and nobody wrote to it since. */
async function isStill(place: Buffer, seen: BigIntStats): Promise<boolean> {
  const now = await lstat(place, { bigint: true }).catch(() => null);
  return (
    now !== null &&
    (["dev", "ino", "size", "mode", "mtimeNs", "ctimeNs"] as const).every((key) => now[key] === seen[key])
  );
}
