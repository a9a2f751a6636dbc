/** The link to a review page as a file that only this person can read: what a browser is started with is seen by everybody on the machine. */
import { randomBytes } from "node:crypto";
import { unlinkSync } from "node:fs";
import { lstat, open, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makePrivateFolder } from "../../../agent/host/config-home.ts";

/** The address of a page that leads on to the link; it is gone after a while, and with this program. */
export async function leaveEntryPage(home: string, link: string): Promise<string> {
  const folder = join(home, "reviews", "open");
  for (const path of [home, join(home, "reviews"), folder]) await makePrivateFolder(path);
  await sweep(folder);
  const path = join(folder, `${randomBytes(12).toString("hex")}.html`);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(pageTo(link), "utf8");
  } finally {
    await file.close();
  }
  const remove = (): void => {
    clearTimeout(timer);
    process.removeListener("exit", remove);
    try {
      unlinkSync(path);
    } catch {
      return;
    }
  };
  const timer = setTimeout(remove, keptMs);
  timer.unref();
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
