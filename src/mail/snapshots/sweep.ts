/** Plans that nobody can wait for any more are let go, so that what lies on disk stays bounded. */
import { lstat, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keptPlansMs } from "../mailbox.ts";

/** At most once a day; what cannot be removed is tried again the next day. */
export async function sweepOldPlans(plans: string): Promise<void> {
  const marker = join(plans, ".swept");
  if ((await ageOf(marker)) < dayMs) return;
  try {
    await rm(marker, { force: true });
    await writeFile(marker, "", { flag: "wx", mode: 0o600 });
    for (const { name } of (await readdir(plans, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
      const folder = join(plans, name);
      if ((await ageOf(folder)) > keptPlansMs) await rm(folder, { recursive: true, force: true });
    }
  } catch {
    return;
  }
}

/** Since the last change; without end for what is not there. */
async function ageOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  return found === null ? Infinity : Date.now() - found.mtimeMs;
}

const dayMs = 24 * 60 * 60 * 1000;
