// What one request costs a process: by each provider through our http, beside the floors of bare node:http and of fetch.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { slimProviders } from "../scripts/slim-providers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const runs = Number(process.argv[2] ?? 15);
const folder = await mkdtemp(join(tmpdir(), "groundplan-bench-"));

const report = `const peak = process.resourceUsage().maxRSS / 1024;
const { user, system } = process.cpuUsage();
process.stderr.write(JSON.stringify({ cpu: (user + system) / 1000, peak }));`;
const floors = {
  "node:http": `import { request } from "node:http";
const body = JSON.stringify({ model: "m", messages: [] });
await new Promise((resolve) => request(process.env.LOOPBACK + "/v1/messages", { method: "POST" }, (response) => {
  response.resume().on("end", resolve);
}).end(body));
${report}`,
  fetch: `const body = JSON.stringify({ model: "m", messages: [] });
await (await fetch(process.env.LOOPBACK + "/v1/messages", { method: "POST", body })).text();
${report}`,
};
const ours = `import { connectModel, parseModelName } from "./src/agent/models/index.ts";
const environment = process.env;
const from = performance.now();
const model = await connectModel(parseModelName(environment.MODEL), { environment });
const loaded = performance.now();
const kinds = [];
const request = { model: environment.MODEL.split("/")[1], system: "s", tools: [], messages: [
  { role: "user", content: [{ type: "text", text: "say hi" }] }] };
for await (const delta of model.stream(request, new AbortController().signal)) kinds.push(delta.type);
if (kinds.at(-1) !== "done") throw new Error(kinds.join());
const first = performance.now() - loaded;
const peak = process.resourceUsage().maxRSS / 1024;
const { user, system } = process.cpuUsage();
process.stderr.write(JSON.stringify({ cpu: (user + system) / 1000, load: loaded - from, first, peak }));`;

for (const [name, text] of Object.entries(floors)) await writeFile(join(folder, `${name.replace(":", "-")}.mjs`), text);
await build({
  stdin: { contents: ours, resolveDir: root, loader: "ts" },
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minify: true,
  mainFields: ["module", "main"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  entryNames: "ours",
  plugins: [slimProviders],
});

const server = spawn(process.execPath, [join(root, "scripts/loopback.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((resolve) => server.stdout.once("data", (line) => resolve(String(line).trim())));
server.stdout.resume();

const rows = [
  ["bare node:http", "node-http.mjs", {}],
  ["bare fetch", "fetch.mjs", {}],
  ["anthropic", "ours.mjs", { MODEL: "anthropic/claude-sonnet-5-5", ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url }],
  [
    "openai (responses)",
    "ours.mjs",
    { MODEL: "openai/gpt-6.1-sol", OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${url}/v1/responses` },
  ],
  ["openai (chat)", "ours.mjs", { MODEL: "openai/local", OPENAI_API_KEY: "k", OPENAI_BASE_URL: url }],
  ["google", "ours.mjs", { MODEL: "google/gemini-3.8-flash", GEMINI_API_KEY: "k", GOOGLE_GEMINI_BASE_URL: url }],
];
const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];
const table = {};
for (const [name, file, environment] of rows) {
  const results = Array.from({ length: runs }, () => {
    const from = performance.now();
    const run = spawnSync(process.execPath, [join(folder, file)], {
      env: { LOOPBACK: url, ...environment },
      encoding: "utf8",
    });
    if (run.status !== 0) throw new Error(run.stderr);
    return { wall: performance.now() - from, ...JSON.parse(run.stderr) };
  });
  const of = (field) => Number(median(results.map((result) => result[field] ?? Number.NaN)).toFixed(1));
  table[name] = {
    "process ms": of("wall"),
    "cpu ms": of("cpu"),
    "load ms": of("load"),
    "request ms": of("first"),
    "peak MB": of("peak"),
  };
}
console.table(table);
const sizes = await Promise.all(
  (await readdir(folder)).map(async (name) => [name, Math.round((await stat(join(folder, name))).size / 1024)]),
);
console.table(Object.fromEntries(sizes.map(([name, size]) => [name, { "KB bundled": size }])));
server.kill();
if (process.env.KEEP === undefined) await rm(folder, { recursive: true });
