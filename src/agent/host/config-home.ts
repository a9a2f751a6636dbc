/** Where things lie: the config home, the project's root, its key, and the private folders below (R14.7). */
import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, realpath, stat } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { readRegularText } from "./files/read-regular.ts";

export interface Home {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The person's home directory. */
  readonly directory: string;
}

/** The account's home. An empty or relative `HOME` would make the folder that one happens to be in the person's own. */
export function homeDirectory(): string {
  const given = homedir();
  if (isAbsolute(given)) return given;
  const account = userInfo().homedir;
  return isAbsolute(account) ? account : sep;
}

const ownHome = (): Home => ({ environment: process.env, directory: homeDirectory() });

/** `$GROUNDPLAN_HOME`, else `~/.groundplan`. */
export function configHome({ environment, directory }: Home = ownHome()): string {
  const given = environment["GROUNDPLAN_HOME"];
  if (given === undefined || given.trim() === "") return join(directory, ".groundplan");
  if (given === "~" || given.startsWith("~/")) return join(directory, given.slice(1));
  return resolve(given);
}

/** Git's top level, found without running git, else the directory itself; canonical. */
export async function projectRoot(directory: string): Promise<string> {
  const start = await realpath(directory).catch(() => resolve(directory));
  for (let folder = start; ; folder = dirname(folder)) {
    if (await isTopLevel(folder)) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** Readable, and different for every root. */
export function projectKey(root: string): string {
  const name = basename(root)
    .replaceAll(/[^\p{L}\p{N}\p{M}._-]+/gu, "-")
    .replaceAll(/^[.-]+|[.-]+$/g, "")
    .slice(0, 40);
  const hash = createHash("sha256").update(root, "utf8").digest("hex").slice(0, 12);
  return `${name === "" ? "root" : name}-${hash}`;
}

export function sessionsFolder(home: string, root: string): string {
  return join(home, "sessions", projectKey(root));
}

/** Makes the folder, and those above that are missing, for this person alone; narrows it when it was open to others. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolders(path);
  const found = await stat(path);
  if (!found.isDirectory()) throw notMade(`${path} is no folder.`);
  if ((found.mode & 0o077) !== 0) await chmod(path, 0o700);
}

/** Not by Node's own recursion: where a file system makes no folders and calls that missing (`/proc`), it would never end. */
async function makeFolders(path: string): Promise<void> {
  const make = (): Promise<string | null> =>
    mkdir(path, { mode: 0o700 }).then(
      () => null,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST" || error.code === "ENOENT") return error.code;
        throw error;
      },
    );
  if ((await make()) !== "ENOENT") return;
  if (dirname(path) === path) throw notMade(`${path} is not there.`);
  await makeFolders(dirname(path));
  if ((await make()) === "ENOENT") throw notMade(`${path}: no folder can be made there`);
}

/** Told to people as what the system itself refuses. */
function notMade(message: string): Error {
  return Object.assign(new Error(message), { syscall: "mkdir" });
}

/** A larger one git itself refuses. */
const mostOfGitFile = 1024 * 1024;

async function isTopLevel(folder: string): Promise<boolean> {
  const path = join(folder, ".git");
  const found = await lstat(path).catch(() => null);
  if (found === null) return false;
  if (found.isFile())
    return (await readRegularText(path, { limit: mostOfGitFile }).catch(() => "")).startsWith("gitdir:");
  const isFolder = found.isDirectory() || (await stat(path).catch(() => null))?.isDirectory() === true;
  return isFolder && (await lstat(join(path, "HEAD")).catch(() => null)) !== null;
}
