// Bundles the command-line program into dist/bin (one small start file, heavy parts as chunks that load on demand), and the review page beside it.
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inlinePrompts } from "./inline-prompts.mjs";
import { buildPage } from "./page.mjs";
import { slimProviders } from "./slim-providers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

// Tests that run at the same time may still load chunks of an earlier bundle.
if (process.env.GROUNDPLAN_KEEP_CHUNKS !== "1") await rm(join(root, "dist/bin"), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { groundplan: "src/cli/main.ts" },
  outdir: "dist/bin",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minify: true,
  keepNames: false,
  legalComments: "none",
  mainFields: ["module", "main"],
  external: ["@vscode/ripgrep"],
  chunkNames: "chunks/[name]-[hash]",
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  plugins: [inlinePrompts, slimProviders],
  logLevel: "warning",
});
await buildPage();
await chmod(join(root, "dist/bin/groundplan.js"), 0o755);
