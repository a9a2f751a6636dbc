/** The hook's program from outside: what each client gets for good payloads and for everything else. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { codex } from "../../src/clients/codex.ts";
import { sight } from "../../src/clients/hook/sight.ts";
import { finish, type Ran } from "../headless/program.ts";
import { realFolder } from "../support/folder.ts";
import type { Recorded } from "./codex-recorded.ts";
import { goesOn } from "./goes-on.ts";

const bin = fileURLToPath(new URL("../../dist/bin/", import.meta.url));

interface Hooked {
  readonly agent: string;
  readonly event: string;
  readonly stdin: string | Buffer;
  readonly program?: string;
  readonly environment?: Record<string, string>;
}

function stage() {
  const folder = realFolder("-hook");
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(project, "a.ts"), "x\n");
  const run = ({ agent, event, stdin, program = "hook.js", environment = {} }: Hooked): Promise<Ran> => {
    const child = spawn(process.execPath, [join(bin, program), "hook", agent, event], {
      cwd: project,
      env: { PATH: process.env["PATH"], HOME: home, ...environment },
    });
    return finish(child, stdin as string);
  };
  return { folder, project, home, run };
}

/** A call of each client in its own payload: while it plans, and while it works. */
function callsIn(project: string, transcript: string) {
  const claude = (permission_mode: string, tool_name: string, tool_input: object) => ({
    session_id: "s1",
    cwd: project,
    transcript_path: transcript,
    hook_event_name: "PreToolUse",
    permission_mode,
    tool_name,
    tool_input,
    tool_use_id: "t1",
  });
  const opencode = (agent: string, tool: string, args: object) => ({
    version: 1,
    session: "s1",
    directory: project,
    agents: [agent],
    tool,
    args,
    call: "c1",
  });
  const file = join(project, "a.ts");
  return [
    {
      agent: "claude",
      event: "PreToolUse",
      work: claude("default", "Write", { file_path: file, content: "y" }),
      write: claude("plan", "Write", { file_path: file, content: "y" }),
      read: claude("plan", "Read", { file_path: file }),
    },
    {
      agent: "opencode",
      event: "tool",
      work: opencode("build", "write", { filePath: file, content: "y" }),
      write: opencode("plan", "write", { filePath: file, content: "y" }),
      read: opencode("plan", "read", { filePath: file }),
    },
  ];
}

function sized(payload: object, bytes: number): string {
  return JSON.stringify({ ...payload, more: "ü".repeat(bytes / 2) });
}

const guarded = [
  ["claude", "PreToolUse"],
  ["claude", "PermissionRequest"],
  ["codex", "PreToolUse"],
  ["codex", "PermissionRequest"],
  ["opencode", "tool"],
  ["opencode", "plan"],
  ["gemini", "BeforeTool"],
] as const;

describe("B11.2 B11.3 payloads of clients", () => {
  test.each(["hook.js", "groundplan.js"])("%s: work goes on, a read passes, a write does not", async (program) => {
    const { run, project, folder } = stage();
    for (const { agent, event, work, write, read } of callsIn(project, join(folder, "none.jsonl"))) {
      const said = async (payload: object) => {
        const { code, stdout, stderr } = await run({ agent, event, program, stdin: JSON.stringify(payload) });
        return goesOn(agent, event, { exitCode: code ?? -1, stdout, stderr });
      };
      expect([agent, await said(work), await said(read), await said(write)]).toEqual([agent, true, true, false]);
    }
    expect(readFileSync(join(project, "a.ts"), "utf8")).toBe("x\n");
  });

  test("what the real Codex sent, with its transcripts: calls while planning are judged, others left alone", async () => {
    const { run, folder, project } = stage();
    const recordings = fileURLToPath(new URL("payloads/codex/", import.meta.url));
    const names = readdirSync(recordings).filter((name) => /pre-tool-use-(bash|apply-patch)/.test(name));
    const seen = new Map<string, number>();
    for (const name of names) {
      const text = readFileSync(join(recordings, name), "utf8").replaceAll("/work/project", project);
      const { event, payload, files } = JSON.parse(text.replaceAll("/home/u/", `${folder}/u/`)) as Recorded;
      for (const [path, lines] of Object.entries(files)) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      }
      const { planning } = codex.hear({ event, payload, environment: {}, ...sight }) as { planning: string };
      const given = { ...payload, tool_name: "Bash", tool_input: { command: "touch x" } };
      const { code, stdout, stderr } = await run({ agent: "codex", event, stdin: JSON.stringify(given) });
      const isOn = goesOn("codex", event, { exitCode: code ?? -1, stdout, stderr });
      expect([name, planning, isOn]).toEqual([name, planning, planning === "work"]);
      if (!isOn) expect(stdout).toContain("Not while planning");
      seen.set(planning, (seen.get(planning) ?? 0) + 1);
    }
    expect([...seen.keys()].toSorted()).toEqual(expect.arrayContaining(["plan", "work"]));
  });
});

describe("B11.4 it fails closed", () => {
  const garbage: readonly (readonly [string, string | Buffer])[] = [
    ["nothing", ""],
    ["no JSON", "garbage"],
    ["a list", "[1,2]"],
    ["null", "null"],
    ["a number", "7"],
    ["an empty object", "{}"],
    ["a truncated object", '{"session_id":"s1","permission_mode":"pl'],
    ["two objects", "{}{}"],
    ["no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["NULs", "\0\0\0\0"],
    [
      "hostile unicode",
      JSON.stringify({ "\u202e\u0000tool_name\ud800": "\u2066Write\u2069", permission_mode: "pl\u200ban" }),
    ],
    ["deep nesting", "[".repeat(200_000)],
    ["a prototype", '{"__proto__":{"permission_mode":"default"},"tool_name":"Write","tool_input":{}}'],
  ];

  test.each(guarded)("%s %s: none of it goes on", async (agent, event) => {
    const { run } = stage();
    for (const [what, stdin] of garbage) {
      const { code, stdout, stderr } = await run({ agent, event, stdin });
      const spoken = { exitCode: code ?? -1, stdout, stderr };
      expect([what, goesOn(agent, event, spoken)]).toEqual([what, false]);
      expect(stdout + stderr).not.toBe("");
    }
  });

  test("10 MB are read and judged, more than 16 MB are not, and both are taken whole", async () => {
    const { run, project, folder } = stage();
    const [{ agent, event, write, work }] = callsIn(project, join(folder, "none.jsonl")) as [
      ReturnType<typeof callsIn>[number],
    ];
    const big = await run({ agent, event, stdin: sized(write, 10_000_000) });
    expect(big).toMatchObject({ code: 0, stdout: expect.stringContaining("is not the plan file") });
    const working = await run({ agent, event, stdin: sized(work, 10_000_000) });
    expect(working).toEqual({ code: 0, stdout: "", stderr: "" });
    const huge = await run({ agent, event, stdin: sized(work, 17 * 1024 * 1024) });
    expect(huge).toMatchObject({ code: 0, stdout: expect.stringContaining("larger than 16 MB") });
  });

  test("an agent that nobody knows, and no agent at all: exit code 2 and words", async () => {
    const { run } = stage();
    for (const agent of ["copilot", "", "__proto__", "constructor"]) {
      const ran = await run({ agent, event: "PreToolUse", stdin: "{}" });
      expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("not known") });
    }
  });

  test("events that no entry is for: refused while it plans, and where nobody can tell", async () => {
    const { run, project, folder } = stage();
    for (const { agent, write, read } of callsIn(project, join(folder, "none.jsonl")))
      for (const payload of [write, read, {}]) {
        const given = "hook_event_name" in payload ? { ...payload, hook_event_name: "Frob" } : payload;
        const { code, stdout, stderr } = await run({ agent, event: "Frob", stdin: JSON.stringify(given) });
        expect([agent, goesOn(agent, "Frob", { exitCode: code ?? -1, stdout, stderr })]).toEqual([agent, false]);
      }
  });

  test("a program that is not whole refuses, and damaged compiled bytes are not run", async () => {
    const { folder, project } = stage();
    const copy = join(folder, "bin");
    mkdirSync(copy);
    const current = /hook-[0-9a-f]{12}\.js/.exec(readFileSync(join(bin, "hook.js"), "utf8"))![0];
    const compiled = readdirSync(bin).find((name) => name.startsWith(`${current}.v`))!;
    writeFileSync(join(copy, "package.json"), '{ "type": "commonjs" }');
    writeFileSync(join(copy, "hook.js"), readFileSync(join(bin, "hook.js")));
    const [{ agent, event, write }] = callsIn(project, join(folder, "none.jsonl")) as [
      ReturnType<typeof callsIn>[number],
    ];
    const run = () =>
      finish(
        spawn(process.execPath, [join(copy, "hook.js"), "hook", agent, event], {
          env: { PATH: process.env["PATH"], HOME: folder },
        }),
        JSON.stringify(write),
      );
    expect(await run()).toMatchObject({ code: 2, stdout: "" });
    writeFileSync(join(copy, current), readFileSync(join(bin, current)));
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('"deny"') });
    const bytes = readFileSync(join(bin, compiled));
    for (let at = 100; at < bytes.length / 2; at += 997) bytes[at] = bytes[at]! ^ 0xff;
    writeFileSync(join(copy, compiled), bytes);
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('"deny"') });
    writeFileSync(join(copy, compiled), bytes.subarray(0, 1000));
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining('"deny"') });
    writeFileSync(join(copy, current), "(function(){ this is no program");
    expect(await run()).toMatchObject({ code: 2, stdout: "" });
  });

  test("a payload that never ends is refused when our own time is over, which is shorter than any client's", async () => {
    const { project, home } = stage();
    const child = spawn(process.execPath, [join(bin, "hook.js"), "hook", "claude", "PreToolUse"], {
      cwd: project,
      env: { PATH: process.env["PATH"], HOME: home },
    });
    child.stdin.write('{"permission_mode":"plan",');
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    const code = await new Promise<number | null>((settle) => child.on("close", settle));
    expect(goesOn("claude", "PreToolUse", { exitCode: code ?? -1, stdout, stderr: "" })).toBe(false);
    expect(stdout).toContain("20 seconds");
  });

  test("ended from outside, it does not say go on", async () => {
    const { project, home } = stage();
    const child = spawn(process.execPath, [join(bin, "hook.js"), "hook", "claude", "PreToolUse"], {
      cwd: project,
      env: { PATH: process.env["PATH"], HOME: home },
    });
    let isUp = false;
    child.stdin.write("{", () => (isUp = true));
    await expect.poll(() => isUp).toBe(true);
    const ended = new Promise<{ code: number | null; signal: string | null; stdout: string }>((settle) => {
      let stdout = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
      child.on("close", (code, signal) => settle({ code, signal, stdout }));
    });
    child.kill("SIGTERM");
    const { code, signal, stdout } = await ended;
    expect(signal === "SIGTERM" || !goesOn("claude", "PreToolUse", { exitCode: code ?? -1, stdout, stderr: "" })).toBe(
      true,
    );
  });
});
