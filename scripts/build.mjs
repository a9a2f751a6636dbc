// Builds what is published: the bundled program, and the library as plain tsc output with the prompt texts beside it.
import { execFileSync } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");

await rm(join(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
await cp(join(root, "src/prompts"), join(root, "dist/lib/prompts"), {
  recursive: true,
  filter: (source) => !source.endsWith(".ts"),
});
await cp(
  join(root, "src/clients/opencode-plugin/groundplan.js"),
  join(root, "dist/lib/clients/opencode-plugin/groundplan.js"),
);
execFileSync(process.execPath, [join(root, "scripts/bundle.mjs")], { cwd: root, stdio: "inherit" });
