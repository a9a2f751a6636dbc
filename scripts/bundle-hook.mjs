// The hook's program: one file of two functions, and what V8 compiles of them once they have judged a few calls.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inlinePromptsLike } from "./inline-prompts.mjs";

/** What the first part calls the second one. */
export const latePart = "groundplan:late";

/** Each a function of what a CommonJS module is given, which gives what it exports. */
export async function hookSources(bundle) {
  const late = {
    name: "late-part",
    setup: (build) =>
      build.onResolve({ filter: /\/late\.ts$/ }, ({ kind }) =>
        kind === "dynamic-import" ? { path: latePart, external: true } : undefined,
      ),
  };
  const ownTools = {
    name: "own-tools-alone",
    setup: (build) =>
      build.onLoad({ filter: /tools[\\/]input[\\/]json-schema\.ts$/ }, () => ({
        contents: 'export const zodOf = () => { throw new Error("There are no foreign tools here."); };',
      })),
  };
  const smallSchemas = {
    name: "small-schemas",
    setup: (build) =>
      build.onResolve({ filter: /^zod$/ }, ({ importer, resolveDir, kind }) =>
        kind === "import-statement" && /agent[\\/]tools[\\/][\w-]+\.ts$/.test(importer)
          ? build.resolve("../../clients/hook/small-schemas.ts", { resolveDir, kind })
          : undefined,
      ),
  };
  const prompts = inlinePromptsLike(/^clients/);
  return Promise.all([
    part(bundle, "src/clients/hook/program.ts", [late, prompts]),
    part(bundle, "src/clients/hook/late.ts", [ownTools, smallSchemas, prompts]),
  ]);
}

async function part(bundle, entry, plugins) {
  const [made] = await bundle(entry, {
    mainFields: ["module", "main"],
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "programUrl" },
    plugins,
  });
  const text = made.text.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const url = text.includes("programUrl") ? `const programUrl=require("node:url").pathToFileURL(__filename).href;` : "";
  return `(function(require,__filename){const module={exports:{}};${url}${text};return module.exports})`;
}

/** Judges what is judged most often, in a folder that is gone afterwards. */
export async function compileHook({ program, parts, kept }) {
  const folder = await mkdtemp(join(tmpdir(), "groundplan-build-"));
  const project = join(folder, "project");
  await mkdir(join(project, ".git"), { recursive: true });
  await mkdir(join(folder, ".groundplan/bin"), { recursive: true });
  await writeFile(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(folder, ".groundplan/bin/guard"), "#!/bin/sh\nexit 2\n", { mode: 0o755 });
  const payloads = payloadsIn(project);
  const code = `const [source, kept, length, latePart, payloads] = process.argv.splice(1, 5), fs = require("node:fs");
    const { Script } = require("node:vm"), text = fs.readFileSync(source, "latin1");
    const scripts = [text.slice(0, +length), text.slice(+length)].map((part, at) => new Script(part, { filename: source + "#" + at }));
    const load = (name) => (name === latePart ? (late ??= scripts[1].runInThisContext()(load, source)) : require(name));
    let late;
    const { openExchange, clientNamed, sight, runHook } = scripts[0].runInThisContext()(load, source);
    process.once("exit", () => {
      const [first, second] = scripts.map((script) => script.createCachedData());
      const lengths = Buffer.alloc(8);
      lengths.writeUInt32LE(first.length, 0);
      lengths.writeUInt32LE(second.length, 4);
      const once = Buffer.concat([lengths, first, second]);
      fs.writeFileSync(kept, Buffer.concat([once, once]));
    });
    (async () => {
      for (const payload of JSON.parse(payloads)) {
        const options = { client: clientNamed("claude"), event: "PreToolUse", environment: process.env, sight };
        await openExchange(options).answer(Buffer.from(payload));
      }
      runHook({ args: ["hook", "claude", "PreToolUse"] });
    })();`;
  try {
    const args = ["-e", code, "--", program, kept, String(parts[0]), latePart, JSON.stringify(payloads)];
    const environment = { PATH: process.env.PATH, HOME: folder };
    const running = promisify(execFile)(process.execPath, args, { cwd: project, env: environment });
    running.child.stdin.end(payloads[2]);
    const { stdout } = await running;
    if (!stdout.includes('"deny"'))
      throw new Error(`the hook said ${JSON.stringify(stdout)} when it was to be compiled`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function payloadsIn(project) {
  const file_path = join(project, "a.ts");
  return [
    { tool_name: "Read", tool_input: { file_path } },
    { tool_name: "Grep", tool_input: { pattern: "x" } },
    { tool_name: "Write", tool_input: { file_path, content: "x" } },
    { tool_name: "Edit", tool_input: { file_path, old_string: "x", new_string: "y" } },
    { tool_name: "Bash", tool_input: { command: "ls -la" } },
    { tool_name: "Bash", tool_input: { command: "git log --oneline | head -5" } },
    { tool_name: "Bash", tool_input: { command: "rm -rf build" } },
    { tool_name: "Bash", tool_input: { command: "python3 count.py" } },
  ].map((call) =>
    JSON.stringify({
      hook_event_name: "PreToolUse",
      session_id: "build",
      transcript_path: join(project, "transcript.jsonl"),
      cwd: project,
      permission_mode: "plan",
      tool_use_id: "t1",
      ...call,
    }),
  );
}
