/** Reads a plan file: a regular file of bounded size, never through a link at its end, never waiting for one (R3.6). */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

export interface PlanOnDisk {
  readonly text: string;
  readonly mtimeMs: number;
}

/** Null where there is none that may be read. */
export async function readPlanFile(path: string): Promise<PlanOnDisk | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || facts.size > largest) return null;
    return { text: await handle.readFile("utf8"), mtimeMs: facts.mtimeMs };
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

const largest = 16 * 1024 * 1024;
