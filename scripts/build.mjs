// Builds what is published: the bundled program and its manual page, and the library as plain tsc output with the prompt texts beside it.
import { execFileSync } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildManual } from "./man.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");

await rm(join(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
await cp(join(root, "src/prompts"), join(root, "dist/lib/prompts"), {
  recursive: true,
  filter: (source) => !source.endsWith(".ts"),
});
await bundleHighlight();
execFileSync(process.execPath, [join(root, "scripts/bundle.mjs")], { cwd: root, stdio: "inherit" });
await buildManual(join(root, "dist/man"));

/** highlight.js is 9 MB installed, of which sixteen languages are used: they travel with us. */
async function bundleHighlight() {
  const file = join(root, "dist/lib/faces/terminal/view/highlight.js");
  await build({
    absWorkingDir: root,
    entryPoints: ["src/faces/terminal/view/highlight.ts"],
    outfile: file,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minify: true,
    legalComments: "eof",
    logLevel: "warning",
  });
}
