/** Removes a folder of a test; what something still writes into goes at the end of the run. */
import { rmSync } from "node:fs";

export function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    return;
  }
}
