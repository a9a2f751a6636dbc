/**
 * Opens the person's browser on a link, by the system's own way. What a browser is started with is seen by everybody on the machine:
 * it is a file that only this person can read, with the link in it.
 */
import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { lstat, readdir, unlink, writeFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { makePrivateFolder } from "../../../agent/host/config-home.ts";
import { personalEnvironment } from "../../../agent/host/launch/environment.ts";
import { launch } from "../../../agent/host/launch/launch.ts";
import { foreignFolders, realOf } from "../../../agent/host/launch/search-path.ts";
import { isInside } from "../../../core/decide/access.ts";

export interface Opening {
  readonly url: string;
  /** The config home. */
  readonly home: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Of the project, whose programs are not the person's; where one is when it is left out. */
  readonly project?: string;
}

/** Null when it was started, else why not. */
export async function openBrowser(opening: Opening): Promise<string | null> {
  const directory = process.cwd();
  const { url, home, project = directory } = opening;
  const environment = withoutPlaces(opening.environment ?? process.env, project);
  const page = await leaveEntryPage(home, url).catch((error: Error) => error);
  if (typeof page !== "string") return `its link could not be left in ${home}: ${page.message}`;
  const [program, ...args] = commandFor(environment, page);
  const child = launch({
    program,
    args,
    directory,
    environment: personalEnvironment(environment, project),
    stdio: "ignore",
    detached: true,
  });
  if (child instanceof Error) return `${program}: ${child.message}`;
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`${program}: ${error.message}`));
    child.once("exit", (code) => resolve(code === 0 || code === null ? null : `${program} ended with ${code}`));
    child.once("spawn", () => setTimeout(() => resolve(null), startMs).unref());
    child.unref();
  });
}

/** Whoever is started here gets the link: no program of the project may be it, nor be named by its files. */
function withoutPlaces(
  environment: Readonly<Record<string, string | undefined>>,
  project: string,
): Readonly<Record<string, string | undefined>> {
  const foreign = foreignFolders([project], environment["HOME"]);
  const isForeign = (part: string): boolean =>
    [resolve(part), realOf(part)].some((path) => foreign.some((folder) => isInside(path, folder)));
  const kept = Object.entries(environment).filter(
    ([name, value = ""]) =>
      !choosesBrowser.test(name) || !value.split(":").some((part) => isAbsolute(part) && isForeign(part)),
  );
  return Object.fromEntries(kept);
}

const choosesBrowser = /^(?:BROWSER|XDG_(?:CONFIG|DATA)_(?:HOME|DIRS))$/;

/** A program that has not failed by then has taken the URL. */
const startMs = 1500;

function commandFor(
  environment: Readonly<Record<string, string | undefined>>,
  url: string,
): readonly [program: string, ...args: string[]] {
  const own = environment["BROWSER"];
  if (own !== undefined && /^[\w./-]+$/.test(own) && (isAbsolute(own) || !own.includes("/"))) return [own, url];
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}

/** The address of a page that leads on to the link; it is gone after a while, and with this program. */
async function leaveEntryPage(home: string, link: string): Promise<string> {
  const folder = join(home, "reviews", "open");
  for (const path of [home, join(home, "reviews"), folder]) await makePrivateFolder(path);
  await sweep(folder);
  const path = join(folder, `${randomBytes(12).toString("hex")}.html`);
  await writeFile(path, pageTo(link), { flag: "wx", mode: 0o600 });
  const remove = (): void => {
    clearTimeout(timer);
    process.removeListener("exit", remove);
    try {
      unlinkSync(path);
    } catch {
      return;
    }
  };
  const timer = setTimeout(remove, keptMs).unref();
  process.once("exit", remove);
  return pathToFileURL(path).href;
}

/** A browser may take so long to start. */
const keptMs = 120_000;

/** What programs that were killed left: their links lead nowhere any more. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const found = await lstat(join(folder, name)).catch(() => null);
    const isOld = found !== null && Math.abs(Date.now() - found.mtimeMs) > keptMs;
    if (isOld) await unlink(join(folder, name)).catch(() => undefined);
  }
}

function pageTo(link: string): string {
  const address = link.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Groundplan</title><meta http-equiv="refresh" content="0;url=${address}"><a href="${address}" rel="noreferrer">Go on to the plan</a></html>\n`;
}
