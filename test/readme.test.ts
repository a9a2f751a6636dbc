/** The README's examples, run as they stand. */
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { commandNamed } from "../src/cli/commands/table.ts";
import type { ScriptedTurn } from "../src/testing/loopback.ts";
import { finish, planFileIn, setStage } from "./headless/program.ts";
import { filesBelow } from "./support/walk.ts";
import { remove } from "./support/remove.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!);

test("the library example runs as a program of its own, and gives the plan", async () => {
  expect(examples[0]!.trimEnd().split("\n").length).toBeLessThanOrEqual(12);
  const stage = await setStage({
    script: ({ body }, turn) => steps(planFileIn(JSON.stringify(body)))[turn - 1] ?? { text: "Done." },
  });
  try {
    const { code, stdout, stderr } = await withBuilt(examples[0]!, (file) =>
      finish(stage.start([], { program: file }), ""),
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${plan}\n`, stderr: "" });
    expect(filesBelow(stage.home).filter((name) => /^sessions\/.*\.jsonl$/.test(name))).toHaveLength(1);
    expect(filesBelow(stage.home).filter((name) => name.endsWith(".lock"))).toEqual([]);
  } finally {
    await stage.close();
  }
});

const plan = "# Refactor auth\n\n1. Look\n";

function steps(file: string): readonly ScriptedTurn[] {
  return [
    { calls: [{ tool: "Write", input: { file_path: file, content: plan } }] },
    { calls: [{ tool: "ExitPlanMode", input: {} }] },
  ];
}

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
  return withBuilt(source, async (file) => (await import(pathToFileURL(file).href)) as Record<string, unknown>);
}

async function withBuilt<Result>(source: string, use: (file: string) => Promise<Result>): Promise<Result> {
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
        groundplan: join(root, "src/index.ts"),
        "groundplan/session": join(root, "src/session.ts"),
        "groundplan/shell": join(root, "src/shell/index.ts"),
      },
      plugins: [inlinePrompts()],
      logLevel: "silent",
    });
    return await use(outfile);
  } finally {
    remove(folder);
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
