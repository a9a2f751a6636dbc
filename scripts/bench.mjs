// Runs a benchmark that is written in TypeScript: `node scripts/bench.mjs replay`. Node 20 does not strip types, so it is bundled first.
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inlinePrompts } from "./inline-prompts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [name, ...rest] = process.argv.slice(2);
const folder = await mkdtemp(join(root, "node_modules/.bench-"));
try {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [`bench/${name}.ts`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    plugins: [inlinePrompts],
  });
  const { status } = spawnSync(process.execPath, ["--expose-gc", outfile, ...rest], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
