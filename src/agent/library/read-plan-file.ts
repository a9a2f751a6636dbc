/** Reads a plan file: a regular file of bounded size, never through a link at its end, never waiting for one (R3.6). */
import { readRegularTextSync } from "../host/files/read-regular.ts";

/** Null where there is none that may be read. At once, since a search reads thousands of them. */
export function readPlanFile(path: string): string | null {
  try {
    return readRegularTextSync(path, { limit: largest, direct: true });
  } catch {
    return null;
  }
}

const largest = 16 * 1024 * 1024;
