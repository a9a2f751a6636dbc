// Bundles the command-line program into dist/bin: one file, what V8 makes of it, and a small one that starts it; the review page beside it.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { compileHook, hookSources, lateParts } from "./bundle-hook.mjs";
import { commitOf } from "./commit.mjs";
import { inlinePrompts } from "./inline-prompts.mjs";
import { buildPage } from "./page.mjs";
import { slimProviders } from "./slim-providers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "dist/bin");
const common = {
  absWorkingDir: root,
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  minify: true,
  legalComments: "none",
  write: false,
  logLevel: "warning",
};

if (Number.parseInt(process.version.slice(1), 10) < 20) {
  process.stderr.write(`groundplan: This is Node.js ${process.version}; install 20.19 or later.\n`);
  process.exit(1);
}
await mkdir(folder, { recursive: true });
/** On the same file system as what is moved there, and of this run alone: others may bundle at the same time. */
const drafts = await mkdtemp(join(root, "dist/.drafts-"));
process.once("exit", () => rmSync(drafts, { recursive: true, force: true }));
const [source, hookTexts] = await Promise.all([programSource(), hookSources(bundle)]);
const hook = hookTexts.join("");
const hookParts = hookTexts.map(({ length }) => length);
const hookName = `hook-${createHash("sha256").update(hook).digest("hex").slice(0, 12)}.js`;
const name = `program-${createHash("sha256").update(source).digest("hex").slice(0, 12)}.js`;
const program = join(folder, name);
await put(join(folder, "package.json"), `${JSON.stringify({ type: "commonjs", commit: commitOf(root) })}\n`);
await put(program, source);
await put(join(folder, hookName), hook);
const here = `${process.version}-${process.platform}-${process.arch}`;
const compiled = `${program}.${here}`;
const compiledHook = join(folder, `${hookName}.${here}`);
// `npm start` does not wait for it: what its Node compiles is kept in the home.
const isWanted = !existsSync(compiled) && !process.argv.includes("--uncompiled");
await Promise.all([isWanted ? compile() : null, buildPage()]);
if (!existsSync(compiledHook) && !process.argv.includes("--uncompiled")) {
  const draft = join(drafts, "compiled-hook");
  await compileHook({ program: join(folder, hookName), parts: hookParts, kept: draft });
  await rename(draft, compiledHook);
}
const [start] = await bundle("src/cli/start.ts", {
  banner: { js: "#!/usr/bin/env node" },
  define: { programFile: JSON.stringify(name) },
});
await put(join(folder, "groundplan.js"), start.text, 0o755);
const [startHook] = await bundle("src/cli/start-hook.ts", {
  define: {
    hookFile: JSON.stringify(hookName),
    hookParts: JSON.stringify(hookParts),
    lateParts: JSON.stringify(lateParts),
  },
});
await put(join(folder, "hook.js"), startHook.text);

// Tests that run at the same time may still load an earlier bundle.
if (process.env.GROUNDPLAN_KEEP_BUNDLES !== "1") await removeOld();

async function removeOld() {
  const current = new Set([
    "package.json",
    "groundplan.js",
    name,
    basename(compiled),
    "hook.js",
    hookName,
    basename(compiledHook),
  ]);
  const old = (await readdir(folder)).filter((entry) => !current.has(entry));
  await Promise.all(old.map((entry) => rm(join(folder, entry), { recursive: true, force: true })));
}

/** A function of what a CommonJS module is given. It cannot import by itself once it is compiled, so it requires. */
async function programSource() {
  const [made] = await bundle("src/cli/main.ts", {
    mainFields: ["module", "main"],
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "programUrl" },
    plugins: [inlinePrompts, slimProviders],
  });
  const text = made.text.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `(function(require,__filename){const programUrl=require("node:url").pathToFileURL(__filename).href;${text}})`;
}

async function bundle(entry, options) {
  return (await build({ ...common, entryPoints: [entry], ...options })).outputFiles;
}

/** Runs it once against the scripted server, and behind an editor, and keeps what V8 has compiled by then. */
async function compile() {
  const home = await mkdtemp(join(tmpdir(), "groundplan-build-"));
  const server = spawn(process.execPath, [join(root, "scripts/loopback.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [url] = String(await new Promise((resolve) => server.stdout.once("data", resolve))).split("\n");
    const code = `const [source, kept] = process.argv.splice(1, 2), fs = require("node:fs");
      const script = new (require("node:vm").Script)(fs.readFileSync(source, "latin1"), { filename: source });
      process.once("exit", () => {
        const bytes = script.createCachedData();
        fs.writeFileSync(kept, Buffer.concat([require("node:crypto").createHash("sha256").update(bytes).digest(), bytes]));
      });
      process.argv.splice(1, 0, source);
      script.runInThisContext()(require, source);
      process.once("beforeExit", () => {
        process.argv.splice(2, Infinity, "acp");
        const ask = (id, method, params) => JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\\n";
        async function* editor() {
          yield ask(1, "initialize", { protocolVersion: 1 });
          yield ask(2, "session/new", { cwd: process.cwd(), mcpServers: [] });
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
        Object.defineProperty(process, "stdin", { value: require("node:stream").Readable.from(editor()) });
        script.runInThisContext()(require, source);
      });`;
    const draft = join(drafts, "compiled");
    const args = ["-e", code, "--", program, draft, "-p", "say hi", "--permission-mode", "plan"];
    const environment = { PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: "loopback", ANTHROPIC_BASE_URL: url };
    const running = promisify(execFile)(process.execPath, args, { cwd: home, env: environment });
    running.child.stdin.end();
    const { stdout } = await running;
    if (!stdout.startsWith("hi\n"))
      throw new Error(`the program said ${JSON.stringify(stdout)} when it was to be compiled`);
    await rename(draft, compiled);
  } finally {
    server.kill();
    await rm(home, { recursive: true, force: true });
  }
}

/** Whole at any time, for programs that start meanwhile. */
async function put(path, text, mode = 0o644) {
  const draft = join(drafts, basename(path));
  await writeFile(draft, text);
  await chmod(draft, mode);
  await rename(draft, path);
}
