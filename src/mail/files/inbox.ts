/** An inbox on disk (R12.4): where it lies, how it is read, and how it is replaced in one step. */
import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, copyFile, link, lstat, mkdir, open, readdir, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makePrivateFolder } from "../../agent/host/config-home.ts";
import { errnoOf } from "../../agent/host/files/file-error.ts";
import { newFile, replaceFile } from "../../agent/host/files/replace-file.ts";
import { readLetters, type LetterList } from "../letter-list.ts";
import { letterFields, MailboxError, type Address, type Letter } from "../mailbox.ts";

export interface InboxPaths {
  readonly home: string;
  /** `<home>/teams/<team>/inboxes`; whatever else belongs to an inbox lies in `.<agent>` within, where it wakes no other reader. */
  readonly folder: string;
  /** For people and other tools: a list of `{from, text, timestamp, id, mac}`, a letter on each line. */
  readonly file: string;
  /** Where senders that wait for their turn lay down what they send. */
  readonly arriving: string;
  /** Ids that were taken, one on each line, newest last. */
  readonly taken: string;
  /** Held while the file is changed. */
  readonly lock: string;
  /** Held by the one reader that hands letters over. */
  readonly reading: string;
}

/** The names were judged before (`addressProblem`). */
export function inboxPaths(home: string, { team, agent }: Address): InboxPaths {
  const folder = join(home, "teams", team, "inboxes");
  const behind = join(folder, `.${agent}`);
  return {
    home,
    folder,
    file: join(folder, `${agent}.json`),
    arriving: join(behind, "arriving"),
    taken: join(behind, "taken"),
    lock: join(behind, "lock"),
    reading: join(behind, "reading"),
  };
}

/** Rejects with MailboxError when something else than a folder stands in the way. */
export async function prepareInbox({ home, arriving }: InboxPaths): Promise<void> {
  await preparePrivate(home, arriving);
}

/** Makes every folder from `home` down to `folder`, for this person alone; a link is not followed. */
export async function preparePrivate(home: string, folder: string): Promise<void> {
  if (folder === home) return makePrivateFolder(home);
  const found = await lstat(folder).catch(() => null);
  if (found === null) {
    await preparePrivate(home, dirname(folder));
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (errnoOf(error) !== "EEXIST") throw error;
    });
    return preparePrivate(home, folder);
  }
  if (!found.isDirectory()) {
    const what = found.isSymbolicLink() ? "a symbolic link" : "no folder";
    throw new MailboxError(`${folder} is ${what}. Remove it, then try again.`);
  }
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
  if (dirname(folder) !== home) await preparePrivate(home, dirname(folder));
}

/** Null when there is no such file. Rejects with MailboxError for a link and whatever else is no regular file. */
export async function readPrivate(path: string): Promise<string | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return null;
    if (errnoOf(error) === "ELOOP") throw new MailboxError(`${path} is a symbolic link. Remove it, then try again.`);
    throw error;
  });
  if (file === null) return null;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new MailboxError(`${path} is no regular file. Remove it, then try again.`);
    if (stat.size > largestFile) throw new MailboxError(`${path} has ${stat.size} bytes: too many to be an inbox.`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** A broken one is to be set aside by whoever holds the lock. */
export async function readInbox({ file }: InboxPaths): Promise<LetterList> {
  const text = await readPrivate(file);
  return text === null ? { letters: [], isBroken: false } : readLetters(text, idOf);
}

/** Under the lock alone. */
export async function writeInbox({ file }: InboxPaths, letters: readonly Letter[]): Promise<void> {
  const lines = letters.map((letter) => JSON.stringify(letterFields(letter)));
  await replaceFile(file, lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`);
}

/** Under the lock alone: what was unreadable stays in a file beside the inbox, what could be read goes on. */
export async function readForChange(paths: InboxPaths, report: (problem: string) => void): Promise<readonly Letter[]> {
  const { letters, isBroken } = await readInbox(paths);
  if (!isBroken) return letters;
  const aside = await setAside(paths.file);
  await writeInbox(paths, letters);
  report(`${paths.file} was damaged: it is kept as ${basename(aside)}, ${letters.length} message(s) could be read.`);
  return letters;
}

/** Removes what killed writers left half done. */
export async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".tmp")) continue;
    const draft = join(folder, name);
    const found = await lstat(draft).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > abandonedMs) await unlink(draft).catch(() => undefined);
  }
}

const abandonedMs = 60_000;

/** For this person alone, and whole from its first moment on; rejects with EEXIST when it is there already. */
export async function writeNew(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${randomBytes(8).toString("hex")}.tmp`);
  try {
    await writeFile(draft, text, { flag: newFile, mode: 0o600, flush: true });
    await giveName(draft, path);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

/** A further name for a file; rejects with EEXIST when there is one. A copy where the file system has no second names. */
async function giveName(file: string, name: string): Promise<void> {
  await link(file, name).catch((error: unknown) => {
    if (!withoutLinks.has(errnoOf(error) ?? "")) throw error;
    return copyFile(file, name, constants.COPYFILE_EXCL);
  });
}

/** A second name for the damaged file, so that it is never gone between two steps. */
async function setAside(file: string): Promise<string> {
  const stem = `${file.slice(0, -".json".length)}.broken-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  for (let count = 0; ; count += 1) {
    const aside = count === 0 ? stem : `${stem}-${count}`;
    try {
      await giveName(file, aside);
      return aside;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }
}

/** Of a letter that another tool wrote without one: the same for the same content. */
function idOf(content: string): string {
  return `content-${createHash("sha256").update(content, "utf8").digest("hex")}`;
}

const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);
const largestFile = 512 * 1024 * 1024;
