/** `groundplan install` and `uninstall`, from outside: what is written, what is kept, what comes back. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow } from "../support/walk.ts";
import { writeProgram } from "../support/write-program.ts";
import { openBench, runEntry, type Bench } from "./installing.ts";

const files = {
  claude: ".claude/settings.json",
  codex: ".codex/hooks.json",
  opencode: ".config/opencode/plugins/groundplan.js",
  gemini: ".gemini/settings.json",
};
const agents = Object.keys(files) as (keyof typeof files)[];
/** Codex asks its person first. */
const codeOf = (agent: string): number => (agent === "codex" ? 3 : 0);

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const text = (path: string): string => readFileSync(path, "utf8");

describe.each(agents)("install %s", (agent) => {
  test("B11.1 guards, writes the same bytes again, and leaves nothing behind when it goes", async () => {
    const bench = openBench();
    const first = await bench.run("install", agent, "--yes");
    expect([first.code, first.stderr]).toEqual([codeOf(agent), expect.any(String)]);
    const written = filesBelow(bench.home).map((name) => [name, text(join(bench.home, name))]);
    expect(written.map(([name]) => name)).toContain(files[agent]);
    expect((await bench.run("install", agent, "--yes")).code).toBe(codeOf(agent));
    expect(filesBelow(bench.home).map((name) => [name, text(join(bench.home, name))])).toEqual(written);
    expect((await bench.run("uninstall", agent, "--yes")).code).toBe(0);
    expect(filesBelow(bench.home)).toEqual([]);
    expect(existsSync(dirname(join(bench.home, files[agent])))).toBe(false);
  });

  test("B11.1 shows what it would write and writes nothing", async () => {
    const bench = openBench();
    const { code, stdout, stderr } = await bench.run("install", agent, "--dry-run");
    expect([code, stderr]).toEqual([0, "groundplan: Nothing was written (--dry-run).\n"]);
    expect(stdout).toContain(`+++ ${join(bench.home, files[agent])}`);
    expect(filesBelow(bench.home)).toEqual([]);
  });

  test("B11.1 goes into the project's own file, which names no place of this machine", async () => {
    const bench = openBench();
    expect((await bench.run("install", agent, "--project", "--yes")).code).toBe(codeOf(agent));
    const own = filesBelow(bench.project);
    expect(own).toContain({ ...files, opencode: ".opencode/plugins/groundplan.js" }[agent]);
    for (const name of own) expect(text(join(bench.project, name))).not.toContain(bench.home);
    expect((await bench.run("uninstall", agent, "--project", "--yes")).code).toBe(0);
    expect(filesBelow(bench.home)).toEqual([]);
  });
});

describe("places", () => {
  test("B11.1 are taken from the client's own variables", async () => {
    const bench = openBench();
    const other = (name: string): string => join(bench.home, name);
    const more = {
      CLAUDE_CONFIG_DIR: other("c"),
      CODEX_HOME: other("x"),
      XDG_CONFIG_HOME: other("o"),
      GEMINI_CLI_HOME: other("g"),
      GROUNDPLAN_HOME: other("own"),
    };
    for (const agent of agents) expect((await bench.runWith(more, "install", agent, "--yes")).code).toBe(codeOf(agent));
    expect(filesBelow(bench.home).filter((name) => !name.startsWith("own/"))).toEqual([
      "c/settings.json",
      "g/.gemini/policies/groundplan.toml",
      "g/.gemini/settings.json",
      "o/opencode/.npmrc",
      "o/opencode/plugins/groundplan.js",
      "x/hooks.json",
    ]);
    expect(text(other("own/bin/guard"))).toContain(`GROUNDPLAN_HOME='${other("own")}'`);
  });

  test("B11.1 Gemini's policy stays as long as one scope needs it", async () => {
    const bench = openBench();
    const policy = join(bench.home, ".gemini/policies/groundplan.toml");
    await bench.run("install", "gemini", "--yes");
    await bench.run("install", "gemini", "--project", "--yes");
    await bench.run("uninstall", "gemini", "--yes");
    expect(existsSync(policy)).toBe(true);
    await bench.run("uninstall", "gemini", "--project", "--yes");
    expect(existsSync(policy)).toBe(false);
  });
});

describe("what stands there already", () => {
  const before = [
    "\uFEFF{\r\n",
    '\t"model": "x", // mine\r\n',
    '\t"hooks": {\r\n',
    '\t\t"BeforeTool": [ { "matcher": "*", "hooks": [ { "type": "command", "command": "true" } ] } ], /* kept */\r\n',
    '\t\t"AfterTool": [],\r\n',
    "\t},\r\n",
    "}",
  ].join("");

  test("B11.1 keeps every byte: comments, foreign hooks, commas, CRLF, a byte order mark", async () => {
    const bench = openBench();
    const file = put(join(bench.home, files.gemini), before);
    expect((await bench.run("install", "gemini", "--yes")).code).toBe(0);
    expect(isWithin(before, text(file))).toBe(true);
    expect(text(file)).toContain("hook gemini BeforeTool");
    expect((await bench.run("uninstall", "gemini", "--yes")).code).toBe(0);
    expect(text(file)).toBe(before);
  });

  test("B11.1 what others wrote since stays when ours goes", async () => {
    const bench = openBench();
    const file = put(join(bench.home, files.claude), '{\n  "model": "a"\n}\n');
    await bench.run("install", "claude", "--yes");
    const changed = JSON.parse(text(file)) as { hooks: Record<string, unknown[]> };
    changed.hooks["PreToolUse"]!.unshift({ matcher: "Bash", hooks: [{ type: "command", command: "other" }] });
    writeFileSync(file, `${JSON.stringify({ ...changed, theme: "dark" }, null, 4)}\n`);
    await bench.run("uninstall", "claude", "--yes");
    expect(JSON.parse(text(file))).toEqual({
      model: "a",
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "other" }] }] },
      theme: "dark",
    });
  });

  test("B11.1 entries of another home are replaced, not doubled, and the original comes back", async () => {
    const bench = openBench();
    const before = '{\n   "a": [1,\n 2]\n}';
    const file = put(join(bench.home, files.claude), before);
    await bench.runWith({ GROUNDPLAN_HOME: join(bench.home, "old") }, "install", "claude", "--yes");
    await bench.run("install", "claude", "--yes");
    expect(text(file)).not.toContain("/old/");
    expect(text(file).match(/exec groundplan hook claude Stop;/g)).toHaveLength(1);
    await bench.run("uninstall", "claude", "--yes");
    expect(JSON.parse(text(file))).toEqual({ a: [1, 2] });
  });

  test("B11.1 the original comes back also where what we kept of it is lost", async () => {
    const bench = openBench();
    const before = '{\n  "model": "a",\n  "hooks": {\n    "Stop": [\n      { "hooks": [] }\n    ]\n  }\n}\n';
    const file = put(join(bench.home, files.claude), before);
    await bench.run("install", "claude", "--yes");
    rmSync(join(bench.home, ".groundplan"), { recursive: true });
    expect((await bench.run("uninstall", "claude", "--yes")).code).toBe(0);
    expect(text(file)).toBe(before);
  });

  test("B11.1 Claude Code ignores settings with comments: they stay, and it is not called guarded", async () => {
    const bench = openBench();
    const before = '{\n  // mine\n  "model": "a"\n}\n';
    const file = put(join(bench.home, files.claude), before);
    const { code, stderr, stdout } = await bench.run("install", "claude", "--yes");
    expect(code).toBe(3);
    expect(stderr).toContain("Claude Code ignores the whole file");
    expect(stdout).not.toContain("is guarded");
    await bench.run("uninstall", "claude", "--yes");
    expect(text(file)).toBe(before);
  });

  test("B11.1 a link stays a link, its target gets the entries, modes stay", async () => {
    const bench = openBench();
    const target = put(join(bench.home, "dotfiles/claude.json"), "{}\n");
    chmodSync(target, 0o640);
    const file = join(bench.home, files.claude);
    mkdirSync(dirname(file));
    symlinkSync("../dotfiles/claude.json", file);
    expect((await bench.run("install", "claude", "--yes")).code).toBe(0);
    expect([readlinkSync(file), statSync(target).mode & 0o777]).toEqual(["../dotfiles/claude.json", 0o640]);
    expect(text(target)).toContain("hook claude PreToolUse");
    await bench.run("uninstall", "claude", "--yes");
    expect([lstatSync(file).isSymbolicLink(), text(target)]).toEqual([true, "{}\n"]);
  });

  test("B11.1 a link to nothing gets its target, and loses it again", async () => {
    const bench = openBench();
    const file = join(bench.home, files.claude);
    mkdirSync(dirname(file));
    symlinkSync(join(bench.home, "later.json"), file);
    expect((await bench.run("install", "claude", "--yes")).code).toBe(0);
    expect(existsSync(file)).toBe(true);
    await bench.run("uninstall", "claude", "--yes");
    expect([existsSync(file), lstatSync(file).isSymbolicLink()]).toEqual([false, true]);
  });

  test("B11.1 opencode's npm settings get one line and lose it", async () => {
    const bench = openBench();
    const npm = put(join(bench.home, ".config/opencode/.npmrc"), "audit=false");
    await bench.run("install", "opencode", "--yes");
    expect(text(npm)).toBe("audit=false\nfetch-retries=0\n");
    await bench.run("uninstall", "opencode", "--yes");
    expect(text(npm)).toBe("audit=false");
    writeFileSync(npm, "fetch-retries = 5\n");
    await bench.run("install", "opencode", "--yes");
    await bench.run("uninstall", "opencode", "--yes");
    expect(text(npm)).toBe("fetch-retries = 5\n");
  });
});

describe("what cannot be done is said, and nothing is written", () => {
  const wrong: readonly (readonly [what: string, before: string, words: string])[] = [
    ["no JSON", '{ "a": ', "it is not JSON"],
    ["no object", "[1]", "it is not a JSON object"],
    ["hooks that are a list", '{ "hooks": [] }', '"hooks" in it is not an object'],
    ["an event that is no list", '{ "hooks": { "Stop": {} } }', '"hooks.Stop" in it is not a list'],
    ["hooks twice", '{ "hooks": {}, "hooks": {} }', '"hooks" stands in it twice'],
    ["too much", `{ "a": "${"x".repeat(5_000_000)}" }`, "more than 4194304 are not looked into"],
    ["too deep", `{ "a": ${"[".repeat(30_000)}${"]".repeat(30_000)} }`, "it is not JSON"],
  ];
  test.each(wrong)("B11.1 %s", async (_, before, words) => {
    const bench = openBench();
    const file = put(join(bench.home, files.claude), before);
    const { code, stderr } = await bench.run("install", "claude", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(stderr).toContain("Nothing was written.");
    expect(text(file) === before).toBe(true);
    expect(filesBelow(bench.home)).toEqual([files.claude]);
  });

  test("B11.1 bytes that are no text, a read-only file, a second name, a folder in its place", async () => {
    const bench = openBench();
    const file = put(join(bench.home, files.claude), "");
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await bench.run("install", "claude", "--yes")).stderr).toContain("is not UTF-8 text");
    writeFileSync(file, "{}");
    chmodSync(file, 0o444);
    expect((await bench.run("install", "claude", "--yes")).stderr).toContain("is read-only");
    chmodSync(file, 0o644);
    linkSync(file, join(bench.home, "second.json"));
    expect((await bench.run("install", "claude", "--yes")).stderr).toContain("hard links");
    expect(text(file)).toBe("{}");
    rmSync(file);
    mkdirSync(file);
    const { code, stderr } = await bench.run("install", "claude", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("is not a file")]);
    expect(existsSync(join(bench.home, ".groundplan"))).toBe(false);
  });

  test("B11.1 a link of the project that leads out of it", async () => {
    const bench = openBench();
    const own = put(join(bench.home, "own.json"), "{}\n");
    mkdirSync(join(bench.home, "elsewhere"));
    for (const [link, target] of [
      [".claude/settings.json", own],
      [".claude", join(bench.home, "elsewhere")],
    ] as const) {
      rmSync(join(bench.project, ".claude"), { recursive: true, force: true });
      mkdirSync(dirname(join(bench.project, link)), { recursive: true });
      symlinkSync(target, join(bench.project, link));
      const { code, stderr } = await bench.run("install", "claude", "--project", "--yes");
      expect([code === 0, stderr]).toEqual([false, expect.stringContaining("a link out of the project")]);
    }
    expect([text(own), filesBelow(join(bench.home, "elsewhere"))]).toEqual(["{}\n", []]);
  });

  test("B11.1 a file where a folder must be", async () => {
    const bench = openBench();
    put(join(bench.home, ".claude"), "mine");
    const { code, stderr } = await bench.run("install", "claude", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("Nothing was written.")]);
    expect(text(join(bench.home, ".claude"))).toBe("mine");
  });

  test("B11.1 a plugin of that name that is not ours", async () => {
    const bench = openBench();
    const file = put(join(bench.home, files.opencode), "export const Mine = 1;\n");
    const { code, stderr } = await bench.run("install", "opencode", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("somebody else's file has that name")]);
    await bench.run("uninstall", "opencode", "--yes");
    expect(text(file)).toBe("export const Mine = 1;\n");
  });

  test("B11.1 a second file that cannot be written takes the first one back", async () => {
    const bench = openBench();
    put(join(bench.home, ".gemini/policies"), "a file in its place");
    const { code } = await bench.run("install", "gemini", "--yes");
    expect(code).toBe(1);
    expect(existsSync(join(bench.home, files.gemini))).toBe(false);
  });

  test("unknown agents and options, nobody to ask", async () => {
    const bench = openBench();
    const said = async (...args: readonly string[]): Promise<unknown> => {
      const { code, stderr } = await bench.run(...args);
      return [code, stderr];
    };
    expect(await said("install", "cluade")).toEqual([2, expect.stringContaining("Did you mean claude?")]);
    expect(await said("uninstall", "vim")).toEqual([2, expect.stringContaining("Agents: claude, codex,")]);
    expect(await said("install")).toEqual([2, expect.stringContaining("needs the name of an agent")]);
    expect(await said("install", "claude", "codex")).toEqual([2, expect.stringContaining("takes one agent")]);
    expect(await said("install", "claude", "--dryrun")).toEqual([2, expect.stringContaining("--dry-run")]);
    expect(await said("install", "claude")).toEqual([2, expect.stringContaining("--yes")]);
    expect(await said("instal")).toEqual([2, expect.stringContaining("did you mean groundplan install?")]);
    expect(await bench.runWith({ CLAUDE_CONFIG_DIR: "c" }, "install", "claude", "--yes")).toMatchObject({
      code: 2,
      stderr: `groundplan: CLAUDE_CONFIG_DIR is "c": give a full path (${join(bench.project, "c")}).\n`,
    });
    expect((await bench.run("hook", "--help")).stdout).toContain("groundplan hook <agent> <event>");
    expect(filesBelow(bench.home)).toEqual([]);
    expect((await bench.run("uninstall", "claude")).stdout).toBe(
      `Claude Code had nothing of ours in ${join(bench.home, files.claude)}.\n`,
    );
    expect(await said("uninstall", "claude", "--dry-run")).toEqual([0, expect.stringContaining("had nothing of ours")]);
    expect(filesBelow(bench.home)).toEqual([]);
  });

  test("an uninstall says what it took out, and what still guards", async () => {
    const bench = openBench();
    const [own, project] = [join(bench.home, files.claude), join(bench.project, files.claude)];
    await bench.run("install", "claude", "--project", "--yes");
    const still = `${project} still has ours: groundplan uninstall claude --project`;
    expect((await bench.run("uninstall", "claude")).stdout).toBe(
      `Claude Code had nothing of ours in ${own}. ${still}\n`,
    );
    await bench.run("install", "claude", "--yes");
    const { stdout } = await bench.run("uninstall", "claude", "--yes");
    expect(stdout.split("\n").at(-2)).toBe(`Claude Code is not guarded any more by ${own}. ${still}`);
  });
});

test("B11.1 several installs at once lose nothing", async () => {
  const bench = openBench();
  const before = '{\n  "model": "a"\n}\n';
  const file = put(join(bench.home, files.claude), before);
  const ran = await Promise.all([1, 2, 3, 4].map(() => bench.run("install", "claude", "--yes")));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(text(file).match(/exec groundplan hook claude Stop;/g)).toHaveLength(1);
  await Promise.all([bench.run("uninstall", "claude", "--yes"), bench.run("uninstall", "claude", "--yes")]);
  expect(text(file)).toBe(before);
  expect(filesBelow(bench.home)).toEqual([files.claude]);
});

const call = (mode: string | null): object => ({
  session_id: "s",
  cwd: "/",
  ...(mode === null ? {} : { permission_mode: mode }),
  hook_event_name: "PreToolUse",
  tool_name: "Write",
  tool_input: { file_path: "/x", content: '"permission_mode":"default"' },
});

const installed = async (agent: string, event: string): Promise<Bench & { command: string }> => {
  const bench = openBench();
  await bench.run("install", agent, "--yes");
  const { hooks } = JSON.parse(text(join(bench.home, files[agent as "claude"]))) as Hooks;
  return { ...bench, command: hooks[event]![0]!.hooks[0]!.command };
};

describe("variables that a project sets in its client", () => {
  test("B11.4 choose neither the home nor what the program loads", async () => {
    const { command, ...bench } = await installed("claude", "PreToolUse");
    const [own, loaded] = [join(bench.project, "own"), join(bench.project, "loaded.txt")];
    mkdirSync(join(own, "bin"), { recursive: true });
    writeProgram(join(own, "bin/guard"), "#!/bin/sh\n");
    const planted = put(join(bench.project, "planted.cjs"), `require("fs").writeFileSync("${loaded}", "")`);
    const variables = { GROUNDPLAN_HOME: own, NODE_OPTIONS: `--require ${planted}` };
    const payload = { ...call("plan"), cwd: bench.project, tool_name: "Bash", tool_input: { command: "npm test" } };
    const environment = { ...bench.environment, ...variables };
    const { stdout } = await runEntry(command, payload, { ...bench, environment });
    expect(stdout).toContain("hookSpecificOutput");
    expect(stdout).not.toContain(own);
    expect(existsSync(loaded)).toBe(false);
  });
});

describe("an entry without what it needs", () => {
  test("B11.4 without its launcher it refuses while planning, and lets other work go on", async () => {
    const { command, ...bench } = await installed("claude", "PreToolUse");
    rmSync(join(bench.home, ".groundplan/bin/guard"));
    expect(await runEntry(command, call("plan"), bench)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^Groundplan guards .*\n$/),
    });
    expect(await runEntry(command, call(null), bench)).toMatchObject({ code: 2 });
    expect(await runEntry(command, "", bench)).toMatchObject({ code: 2 });
    expect(await runEntry(command, call("default"), bench)).toEqual({ code: 0, stdout: "", stderr: "" });
    writeFileSync(join(bench.home, ".groundplan/bin/guard"), "");
    expect(await runEntry(command, call("plan"), bench)).toMatchObject({ code: 2 });
  });

  test("B11.4 without the program or Node.js the launcher does the same", async () => {
    const { command, ...bench } = await installed("claude", "PreToolUse");
    const guard = join(bench.home, ".groundplan/bin/guard");
    writeFileSync(guard, text(guard).replace(/^hook='.*'$/m, "hook='/nowhere/hook.js'"));
    expect(await runEntry(command, call("plan"), bench)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("groundplan doctor"),
    });
    expect(await runEntry(command, call("acceptEdits"), bench)).toMatchObject({ code: 0, stdout: "" });
  });

  test("B11.4 a program that crashes is no go-on", async () => {
    const { command, ...bench } = await installed("claude", "PreToolUse");
    const guard = join(bench.home, ".groundplan/bin/guard");
    const crash = put(join(bench.home, "crash.js"), "process.kill(process.pid, 'SIGSEGV')");
    writeFileSync(
      guard,
      text(guard).replace(/^hook='.*'$/m, () => `hook='${crash}'`),
    );
    expect(await runEntry(command, call("default"), bench)).toMatchObject({ code: 2 });
    writeFileSync(crash, "process.exit(1)");
    expect(await runEntry(command, call("plan"), bench)).toMatchObject({ code: 2 });
  });

  test.each(["codex", "gemini"])("B11.4 %s is refused where nobody can tell", async (agent) => {
    const { command, ...bench } = await installed(agent, agent === "codex" ? "PreToolUse" : "BeforeTool");
    rmSync(join(bench.home, ".groundplan/bin/guard"));
    expect(await runEntry(command, call(null), bench)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`install ${agent}`),
    });
  });

  test("B11.4 events that only tell go on: a code would mean another thing there", async () => {
    const { command, ...bench } = await installed("claude", "Stop");
    rmSync(join(bench.home, ".groundplan/bin/guard"));
    expect(await runEntry(command, "{}", bench)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("B11.1 a moved Node.js or home with odd letters changes nothing", async () => {
    const bench = openBench();
    const odd = join(bench.home, "o'd \"$x` ü");
    const { code, stderr } = await bench.runWith({ GROUNDPLAN_HOME: odd }, "install", "claude", "--yes");
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const guard = join(odd, "bin/guard");
    writeFileSync(guard, text(guard).replace(/^node='.*'$/m, "node='/nowhere/node'"));
    const { hooks } = JSON.parse(text(join(bench.home, files.claude))) as Hooks;
    const ran = await runEntry(hooks["PreToolUse"]![0]!.hooks[0]!.command, call("default"), bench);
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});

interface Hooks {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;
}

/** The first text is what is left of the second when something is taken out. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const sign of whole) if (sign === part[at]) at += 1;
  return at === part.length;
}
