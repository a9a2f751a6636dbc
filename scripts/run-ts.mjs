// Runs a TypeScript program of bench/ or test/oracle/: bundles it into a temporary folder and starts it with the further arguments.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** In the bundle every file keeps its own `import.meta.url`: prompts are read from beside theirs. */
const ownAddresses = {
  name: "own-addresses",
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      return { loader: "ts", contents: text.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href)) };
    });
  },
};

/** Exit code of the program. */
export async function runTypeScript(entry, args) {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "run-"));
  try {
    const outfile = join(folder, "program.mjs");
    await build({
      entryPoints: [resolve(root, entry)],
      outfile,
      bundle: true,
      packages: "external",
      format: "esm",
      platform: "node",
      target: "node20.19",
      plugins: [ownAddresses],
      logLevel: "warning",
    });
    return spawnSync(process.execPath, [outfile, ...args], { cwd: root, stdio: "inherit" }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [entry, ...args] = process.argv.slice(2);
  process.exitCode = entry === undefined ? 2 : await runTypeScript(entry, args);
}
