/** The entry points: what loads, what is exported, and that the root stays light. */
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const heavy =
  /ai-sdk|east-asian-width|preact|agentclientprotocol|modelcontextprotocol|nats|ripgrep|jsonc|highlight|markdown-it|codemirror/;

test("the root entry loads no UI, provider or protocol package", async () => {
  const loaded = await packagesOf("src/index.ts");
  expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
  expect(loaded.filter((name) => !name.startsWith("node:"))).toEqual([]);
});

test("groundplan/shell loads the parser and nothing else", async () => {
  const loaded = await packagesOf("src/shell/index.ts");
  expect(loaded).toContain("unbash");
  expect(loaded.filter((name) => !["unbash", "node:path"].includes(name))).toEqual([]);
});

test("every entry point lists its exports by name", () => {
  for (const entry of entries()) expect(readFileSync(entry, "utf8"), entry).not.toMatch(/export \*/);
});

function entries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { exports: Record<string, unknown> };
  return Object.values(exports).flatMap((target) => {
    if (typeof target !== "object" || target === null || !("default" in target)) return [];
    return [`${root}${String(target.default).replace("./dist/lib", "src").replace(/\.js$/, ".ts")}`];
  });
}

/** Packages that are loaded at once: dynamic imports do not count. */
async function packagesOf(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "silent",
  });
  const imports = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  return [
    ...new Set(
      imports.filter(({ kind, external }) => external === true && kind === "import-statement").map(({ path }) => path),
    ),
  ];
}
