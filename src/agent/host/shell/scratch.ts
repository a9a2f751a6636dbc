/** The folder for a session's commands: made when it is first needed, gone with the session; what a killed one left goes when the next is made. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { lstat, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identify, isAlive, parseHolder } from "../launch/process-identity.ts";
import { readRegularText } from "../files/read-regular.ts";

const prefix = "groundplan-scratch-";
const holderFile = "holder";

export function keepScratch() {
  const made: string[] = [];
  return {
    folder: (): string => {
      if (made.length === 0) {
        made.push(realpathSync(mkdtempSync(join(tmpdir(), prefix))));
        void settle(made[0]!);
      }
      return made[0]!;
    },
    close: (): void => made.forEach((folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })),
  };
}

/** Says whose it is, then sweeps. */
async function settle(folder: string): Promise<void> {
  const own = JSON.stringify(await identify());
  await writeFile(join(folder, holderFile), own, { flag: "wx", mode: 0o600 }).catch(() => undefined);
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) if (name.startsWith(prefix)) await sweep(join(tmpdir(), name)).catch(() => undefined);
}

/** Only a folder of this person, whose process was of this machine and lives no more. */
async function sweep(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) return;
  const holder = parseHolder(await readRegularText(join(folder, holderFile)));
  if (holder === null || (await isAlive(holder)) !== "no") return;
  await rm(folder, { recursive: true, force: true });
}
