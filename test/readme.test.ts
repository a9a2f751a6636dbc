/** The README's examples, run as they stand. */
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { commandNamed } from "../src/cli/commands/table.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!);

test("the library example runs, and says what its comments say", async () => {
  const source = `${examples[0]}
    export const seen = [files.contents.has("/repo/app.ts"), session.state.permissions.mode];`;
  expect((await run(source)).seen).toEqual([false, { current: "plan", returnTo: "default" }]);
});

test("the guard's example runs, and says what its comments say", async () => {
  const source = examples[1]!.replace(/^verdict\((.*)\)\.(\w+);.*$/gm, "seen.push(verdict($1).$2);");
  const { seen } = await run(source.replace("\n\n", "\n\nexport const seen = [];\n"));
  expect(seen).toEqual(["read-only", expect.stringContaining("sort")]);
});

test("every command that the README names exists", () => {
  const named = [...readme.matchAll(/`groundplan ([a-z]+)/g)].map((match) => match[1]!);
  expect(named.filter((name) => commandNamed(name) === null)).toEqual([]);
});

async function run(source: string): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(root, "node_modules/.readme-"));
  try {
    const entry = join(folder, "example.ts");
    writeFileSync(entry, source);
    const outfile = join(folder, "example.mjs");
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
      alias: {
        "groundplan/testing": join(root, "src/testing/index.ts"),
        "groundplan/shell": join(root, "src/shell/index.ts"),
      },
      plugins: [inlinePrompts()],
      logLevel: "silent",
    });
    return (await import(pathToFileURL(outfile).href)) as Record<string, unknown>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As the program's bundle does: prompts are read from the source folder. */
function inlinePrompts() {
  return {
    name: "prompts-from-source",
    setup(build: { onLoad(filter: { filter: RegExp }, load: () => { contents: string; loader: "ts" }): void }) {
      build.onLoad({ filter: /prompts[\\/]texts\.ts$/ }, () => ({
        contents: `import { readFileSync } from "node:fs"; export const readText = (name: string) => { try { return readFileSync(${JSON.stringify(join(root, "src/prompts"))} + "/" + name + ".md", "utf8"); } catch { return undefined; } };`,
        loader: "ts",
      }));
    },
  };
}
