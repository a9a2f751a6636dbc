/** One resolver for every path that is judged: `~`, relative parts, `..`, symlinks and case, also where the end does not exist yet (R5.3). */
import { lstat, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { promisify } from "node:util";
import { realpath as realpathCallback } from "node:fs";
import { FileError, errnoOf } from "./file-error.ts";
import { homeDirectory } from "../config-home.ts";

const trueCase: (path: string) => Promise<string> = promisify(realpathCallback.native);

/** As the system itself would walk it: part by part, links before the `..` behind them. */
export async function canonicalPath(path: string, directory: string, home: string = homeDirectory()): Promise<string> {
  const asked = absolutePath(path, directory, home);
  /** The next part last. */
  const todo = asked.split("/").toReversed();
  let here = "/";
  let real = "/";
  for (let links = 0; todo.length > 0;) {
    const part = todo.pop()!;
    if (part === "" || part === ".") continue;
    if (part === "..") {
      here = dirname(here);
      if (real.length > here.length) real = here;
      continue;
    }
    const next = here === "/" ? `/${part}` : `${here}/${part}`;
    const found = here === real ? await look(next) : null;
    if (found?.target === undefined) {
      here = next;
      if (found !== null) real = next;
      continue;
    }
    links += 1;
    if (links > mostLinks) throw new FileError("symlink", asked);
    if (isAbsolute(found.target)) {
      here = "/";
      real = "/";
    }
    todo.push(...found.target.split("/").toReversed());
  }
  return withTrueCase(here, real);
}

/** Absolute, `~` and `..` resolved by their letters alone: what the person or the model wrote. */
export function lexicalPath(path: string, directory: string): string {
  return resolve(absolutePath(path, directory, homeDirectory()));
}

const mostLinks = 40;

/** No system opens what is longer; it would only take the time of whoever judges it. */
const longest = 4096;

function absolutePath(path: string, directory: string, home: string): string {
  if (path === "" || path.includes("\0")) throw new FileError("bad-path", path.replaceAll("\0", "␀"));
  if (path.length > longest) throw new FileError("bad-path", `${path.slice(0, 80)}…`);
  if (path === "~") return home;
  if (path.startsWith("~/")) return `${home}/${path.slice(2)}`;
  return isAbsolute(path) ? path : `${directory}/${path}`;
}

/** Null: nothing there that can be seen. */
async function look(path: string): Promise<{ readonly target?: string } | null> {
  try {
    const stat = await lstat(path);
    return stat.isSymbolicLink() ? { target: await readlink(path) } : {};
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

/** On volumes that fold case the spelling on disk counts. */
async function withTrueCase(path: string, real: string): Promise<string> {
  try {
    const spelled = await trueCase(real);
    const isSame = spelled.toLowerCase().normalize() === real.toLowerCase().normalize();
    return isSame ? join(spelled, path.slice(real.length)) : await realpath(path);
  } catch {
    return path;
  }
}
