/** Bundles the program once, so that tests run the real one. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("../scripts/bundle.mjs", import.meta.url))], {
    stdio: "pipe",
    env: { ...process.env, GROUNDPLAN_KEEP_CHUNKS: "1" },
  });
}
