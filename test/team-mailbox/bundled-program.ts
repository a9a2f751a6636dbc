/** A TypeScript program of this folder as a file that plain node can run. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, buildSync, type BuildOptions } from "esbuild";

const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/** Below node_modules, so that packages are found; remove the folder of the result afterwards. */
export function bundleProgram(entry: URL): string {
  const outfile = placeFor();
  buildSync(optionsFor(entry, outfile));
  return outfile;
}

/** The same, but it says on stdout what it makes safe on disk: `sync <path>`, `rename <path>`. */
export async function bundleTalkingProgram(entry: URL): Promise<string> {
  const outfile = placeFor();
  const talking = join(dirname(outfile), "talking.mjs");
  writeFileSync(talking, talkingFiles);
  await build({
    ...optionsFor(entry, outfile),
    plugins: [
      {
        name: "talking",
        setup: (building) =>
          building.onResolve({ filter: /^node:fs\/promises$/ }, ({ importer }) =>
            importer === talking ? null : { path: talking },
          ),
      },
    ],
  });
  return outfile;
}

const talkingFiles = `export * from "node:fs/promises";
import * as real from "node:fs/promises";
import { writeSync } from "node:fs";
export const open = async (path, ...more) => {
  const file = await real.open(path, ...more);
  const sync = file.sync.bind(file);
  file.sync = async () => {
    await sync();
    writeSync(1, "sync " + path + "\\n");
  };
  return file;
};
export const rename = async (from, to) => {
  await real.rename(from, to);
  writeSync(1, "rename " + from + " " + to + "\\n");
};
`;

function placeFor(): string {
  mkdirSync(cache, { recursive: true });
  return join(mkdtempSync(join(cache, "team-")), "program.mjs");
}

function optionsFor(entry: URL, outfile: string): BuildOptions {
  return {
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
  };
}
