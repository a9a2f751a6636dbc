// The hook's program: one file of a few functions, and what V8 compiles of them once they have judged a few calls.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { inlinePromptsLike } from "./inline-prompts.mjs";

/** The parts behind the first one, by what they are called there. */
export const lateParts = ["groundplan:late", "groundplan:written"];

/** Where another part is asked for, by the file that is imported late. */
const partOf = [
  [/hook[\\/]late\.ts$/, lateParts[0]],
  [/settings[\\/]text\.ts$|program[\\/]state-file\.ts$/, lateParts[1]],
];

/** Each a function of what a CommonJS module is given, which gives what it exports. */
export async function hookSources(bundle) {
  const late = {
    name: "late-parts",
    setup: (build) =>
      build.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
        const found = kind === "dynamic-import" && partOf.find(([file]) => file.test(resolve(resolveDir, path)));
        return found ? { path: found[1], external: true } : undefined;
      }),
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
        kind === "import-statement" && /agent[\\/]tools[\\/][\w-]+\.ts$|settings[\\/]shape\.ts$/.test(importer)
          ? build.resolve("../../clients/hook/small-schemas.ts", { resolveDir, kind })
          : undefined,
      ),
  };
  const prompts = inlinePromptsLike(/^clients/);
  return Promise.all([
    part(bundle, "src/clients/hook/program.ts", [late, prompts]),
    part(bundle, "src/clients/hook/late.ts", [late, ownTools, smallSchemas, prompts]),
    part(bundle, "src/clients/hook/written.ts", [prompts]),
  ]);
}

async function part(bundle, entry, plugins) {
  const [made] = await bundle(entry, {
    mainFields: ["module", "main"],
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "programUrl.href" },
    plugins,
  });
  const text = made.text.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const url = text.includes("programUrl")
    ? `const programUrl={get href(){return require("node:url").pathToFileURL(__filename).href}};`
    : "";
  return `(function(require,__filename){const module={exports:{}};${url}${text};return module.exports})`;
}

/** Judges what is judged most often, in a folder that is gone afterwards. */
export async function compileHook({ program, parts, kept }) {
  const folder = await mkdtemp(join(tmpdir(), "groundplan-build-"));
  const project = join(folder, "project");
  await mkdir(join(project, ".git"), { recursive: true });
  await mkdir(join(folder, ".groundplan/bin"), { recursive: true });
  await writeFile(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(folder, ".groundplan/settings.json"), JSON.stringify({ permissions: { deny: ["Read(.env)"] } }));
  await mkdir(join(project, ".groundplan"));
  await writeFile(
    join(project, ".groundplan/settings.json"),
    '// read in the usual way\n{ "permissions": { "ask": ["Bash(git *)"] } }\n',
  );
  await writeFile(join(folder, ".groundplan/bin/guard"), "#!/bin/sh\nexit 2\n", { mode: 0o755 });
  const payloads = payloadsIn(project);
  const code = `const [source, kept, lengths, names, payloads] = process.argv.splice(1, 5), fs = require("node:fs");
    const { Script } = require("node:vm"), text = fs.readFileSync(source, "latin1");
    let end = 0;
    const scripts = JSON.parse(lengths).map((length, at) => new Script(text.slice(end, (end += length)), { filename: source + "#" + at }));
    const made = [];
    const part = (at) => (made[at] ??= scripts[at].runInThisContext()(load, source));
    const load = (name) => (JSON.parse(names).includes(name) ? part(JSON.parse(names).indexOf(name) + 1) : require(name));
    const { openExchange, clientNamed, sight, runHook } = part(0);
    process.once("exit", () => {
      const compiled = scripts.map((script) => script.createCachedData());
      const sizes = Buffer.alloc(compiled.length * 4);
      compiled.forEach(({ length }, at) => sizes.writeUInt32LE(length, at * 4));
      const once = Buffer.concat([sizes, ...compiled]);
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
    const args = [
      "-e",
      code,
      "--",
      program,
      kept,
      ...[parts, lateParts, payloads].map((value) => JSON.stringify(value)),
    ];
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
