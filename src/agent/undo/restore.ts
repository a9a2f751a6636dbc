/** Brings one file of the work tree to what it was: whole or not at all, and only over what is known to lie there. */
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rmdir, symlink, unlink, type FileHandle } from "node:fs/promises";
import { errnoOf } from "../host/files/file-error.ts";
import type { BytePath, HashName } from "../watch/work-tree-files.ts";
import { entryAt, parentOf, placeOfEntry } from "./entries.ts";
import { isSameEntry, type EntryChange, type KeptEntry } from "./store.ts";

export interface Restoring {
  readonly root: string;
  readonly hashName: HashName;
  /** The name under which it is written beside its place. */
  readonly draft: string;
  readonly content: Buffer | undefined;
}

/** `changed`: something else lies there; `missing`: the content is not kept any more; `blocked`: a folder or a link is in the way. */
export type Restored = "done" | "changed" | "missing" | "blocked";

export async function restoreEntry(change: EntryChange, how: Restoring): Promise<Restored> {
  const { path, before, after } = change;
  const { root, hashName } = how;
  const now = await entryAt(root, path, hashName);
  if (now !== "other" && isSameEntry(now, after)) return "done";
  if (now === "other" || !isSameEntry(now, before)) return "changed";
  try {
    if (after === null) await removeEntry(root, path);
    else if (how.content === undefined) return "missing";
    else await putEntry(path, after, { ...how, content: how.content });
    return "done";
  } catch (error) {
    const code = errnoOf(error);
    if (code !== undefined && inTheWay.has(code)) return "blocked";
    throw error;
  }
}

const inTheWay: ReadonlySet<string> = new Set(["EEXIST", "ENOTDIR", "EISDIR", "ELOOP", "ENOTEMPTY", "EACCES", "EPERM"]);

/** Removes what a killed process left beside a file's place. */
export async function sweepDraft(root: string, path: BytePath, draft: string): Promise<void> {
  const folder = parentOf(path);
  await unlink(placeOfEntry(root, folder === "" ? draft : `${folder}/${draft}`)).catch(() => undefined);
}

async function putEntry(
  path: BytePath,
  { kind }: KeptEntry,
  { root, draft, content }: Restoring & { readonly content: Buffer },
): Promise<void> {
  const held = await holdFolders(root, parentOf(path));
  try {
    const target = held.inside(path.slice(path.lastIndexOf("/") + 1));
    const beside = held.inside(draft);
    await unlink(beside).catch(() => undefined);
    if (kind === "link") await symlink(content, beside);
    else await writeDraft(beside, content, await modeFor(target, kind));
    await removeEmpty(target);
    await rename(beside, target).catch(async (error: unknown) => {
      await unlink(beside).catch(() => undefined);
      throw error;
    });
  } finally {
    await held.close();
  }
}

/** Folders without anything in them are in nobody's way; rejects where there is something. */
async function removeEmpty(place: Buffer): Promise<void> {
  if ((await lstat(place).catch(() => null))?.isDirectory() !== true) return;
  for (const name of await readdir(place, { encoding: "buffer" }))
    await removeEmpty(Buffer.concat([place, Buffer.from("/"), name]));
  await rmdir(place);
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
async function modeFor(target: Buffer, kind: "file" | "program"): Promise<number> {
  const old = await lstat(target).catch(() => null);
  if (old?.isFile() !== true) return kind === "program" ? newProgram : newMode;
  const mode = old.mode & 0o777;
  return kind === "program" ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

const newMode = 0o666;
const newProgram = 0o777;

/** And the folders above that are empty without it. */
async function removeEntry(root: string, path: BytePath): Promise<void> {
  const held = await holdFolders(root, parentOf(path));
  try {
    await unlink(held.inside(path.slice(path.lastIndexOf("/") + 1)));
  } finally {
    await held.close();
  }
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    const isGone = await rmdir(placeOfEntry(root, folder)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

/** Each folder is opened inside the one above, never through a link; missing ones are made. */
async function holdFolders(root: string, path: BytePath) {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let handle: FileHandle = await open(root, flags);
  let sofar: BytePath = "";
  try {
    for (const name of path === "" ? [] : path.split("/")) {
      sofar = sofar === "" ? name : `${sofar}/${name}`;
      const place = await inside(handle, root, { name, path: sofar });
      await mkdir(place).catch((error: unknown) => {
        if (errnoOf(error) !== "EEXIST") throw error;
      });
      const next = await open(place, flags);
      await handle.close();
      handle = next;
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  const held = handle;
  const isReachable = (await lstat(`/proc/self/fd/${held.fd}`).catch(() => null)) !== null;
  const base = isReachable
    ? Buffer.from(`/proc/self/fd/${held.fd}/`)
    : placeOfEntry(root, path === "" ? "" : `${path}/`);
  return {
    inside: (name: BytePath): Buffer => Buffer.concat([base, Buffer.from(name, "latin1")]),
    close: () => held.close(),
  };
}

async function inside(
  { fd }: FileHandle,
  root: string,
  { name, path }: { readonly name: BytePath; readonly path: BytePath },
): Promise<Buffer> {
  const isReachable = (await lstat(`/proc/self/fd/${fd}`).catch(() => null)) !== null;
  if (!isReachable) return placeOfEntry(root, path);
  return Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), Buffer.from(name, "latin1")]);
}
