/** A TypeScript program of this folder as a file that plain node can run. */
import { mkdtempSync } from "node:fs";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/** Below node_modules, so that packages are found; remove the folder of the result afterwards. */
export function bundleProgram(entry: URL): string {
  mkdirSync(cache, { recursive: true });
  const outfile = join(mkdtempSync(join(cache, "team-")), "program.mjs");
  buildSync({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
  });
  return outfile;
}
