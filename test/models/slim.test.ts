/** The slimmed bundle of the providers still speaks every wire format, and stays slim. */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { connectModel } from "../../src/agent/models/index.ts";
import { startLoopback } from "../../src/testing/loopback.ts";
import { collect, requestOf, rows } from "./wires.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";
let bundled: { readonly connectModel: typeof connectModel };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "groundplan-slim-"));
  const scripts: { readonly slimProviders: Plugin } = await import(join(root, "scripts/slim-providers.mjs"));
  await build({
    absWorkingDir: root,
    entryPoints: { models: "src/agent/models/index.ts" },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    mainFields: ["module", "main"],
    plugins: [scripts.slimProviders],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  bundled = await import(pathToFileURL(join(folder, "models.mjs")).href);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe("the slim bundle", () => {
  test.each(rows)("speaks $wire", async (row) => {
    const server = await startLoopback({ script: () => ({ thinking: "hm", text: "hi", calls: [{ tool: "Read" }] }) });
    const provider = row.wire === "anthropic" || row.wire === "google" ? row.wire : "openai";
    const environment = server.environment(row.path);
    const model = await bundled.connectModel({ provider, model: row.model }, { environment });
    if ("code" in model) throw new Error(model.message);
    const kinds = (await collect(model.stream(requestOf(row), new AbortController().signal))).map(({ type }) => type);
    expect(kinds).toEqual(["thinking", "text", "done"]);
    expect(server.requests[0]?.headers["user-agent"]).toMatch(/^ai-sdk\/.+ runtime\/node/);
    model.close();
    await server.close();
  });

  test("is below 700 KB for all providers together", async () => {
    const files = await readdir(folder);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(700 * 1024);
  });
});
