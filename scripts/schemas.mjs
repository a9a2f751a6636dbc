// Makes the shipped JSON schemas from the code: settings, public events and receipts. `--check` only compares.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = [
  { file: "schema/settings.schema.json", module: "src/program/settings/schema.ts", name: "settingsSchemaText" },
  { file: "schema/events.schema.json", module: "src/agent/ports/event-shapes.ts", name: "eventSchemaText" },
  { file: "schema/receipt.schema.json", module: "src/core/proof/receipt.ts", name: "receiptSchemaText" },
];

const folder = await mkdtemp(join(tmpdir(), "groundplan-schema-"));
try {
  await mkdir(join(root, "schema"), { recursive: true });
  for (const { file, module, name } of sources) {
    const text = await schemaText(module, name);
    const target = join(root, file);
    if (!process.argv.includes("--check")) await writeFile(target, text);
    else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
      console.error(`${file} is not up to date: run \`npm run schema\`.`);
      process.exitCode = 1;
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function schemaText(module, name) {
  const outfile = join(folder, `${name}.mjs`);
  const entryPoints = [join(root, module)];
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", logLevel: "warning" });
  return (await import(pathToFileURL(outfile).href))[name]();
}
