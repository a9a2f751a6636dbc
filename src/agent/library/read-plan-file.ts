/** Reads a plan file: a regular file of bounded size, never through a link at its end, never waiting for one (R3.6). */
import { readRegularText } from "../host/files/read-regular.ts";

/** Null where there is none that may be read. */
export function readPlanFile(path: string): Promise<string | null> {
  return readRegularText(path, { limit: largest, direct: true }).catch(() => null);
}

const largest = 16 * 1024 * 1024;
