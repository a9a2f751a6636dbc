// Makes schema/settings.schema.json from the code. `--check` only compares.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "schema/settings.schema.json");
const text = await schemaText();

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    console.error("schema/settings.schema.json is not up to date: run `npm run schema`.");
    process.exitCode = 1;
  }
} else {
  await mkdir(join(root, "schema"), { recursive: true });
  await writeFile(target, text);
}

async function schemaText() {
  const folder = await mkdtemp(join(tmpdir(), "groundplan-schema-"));
  try {
    const outfile = join(folder, "settings-schema.mjs");
    await build({
      entryPoints: [join(root, "src/cli/settings-schema.ts")],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      logLevel: "warning",
    });
    const { settingsSchemaText } = await import(pathToFileURL(outfile).href);
    return settingsSchemaText();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
