/** What the judge answers: each kind of call, each kind of planning, with a cage and without. */
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTools } from "../../src/agent/tools/registry.ts";
import type { ForeignCall } from "../../src/clients/client.ts";
import { namesOnly, ourTools, toolsNamed } from "../../src/clients/guard/our-tools.ts";
import { needs } from "../support/needs.ts";
import { judgePlace, shellCall, toolCall } from "./judging.ts";

const write = (path: string): ForeignCall => toolCall("Write", { file_path: path, content: "" });
const read = (path: string): ForeignCall => toolCall("Read", { file_path: path });

const kinds: readonly (readonly [string, ForeignCall, "pass" | "refuse"])[] = [
  ["a read", read("a.ts"), "pass"],
  ["a search", toolCall("Grep", { pattern: "x" }), "pass"],
  ["names", toolCall("Glob", { pattern: "**/*.ts" }), "pass"],
  ["a write", write("a.ts"), "refuse"],
  ["an edit", toolCall("Edit", { file_path: "a.ts", old_string: "", new_string: "" }), "refuse"],
  ["an edit of a notebook", toolCall("NotebookEdit", { notebook_path: "a.ipynb", new_source: "" }), "refuse"],
  ["a tool of ours that no agent's call stands for", toolCall("ExitPlanMode", {}), "refuse"],
  ["input of another shape", toolCall("Read", { path: "a.ts" }), "refuse"],
  ["a command that is no text", shellCall(["rm", "x"]), "refuse"],
  ["no call at all", { kind: "ours", name: "Patch", calls: [], rewrite: null }, "refuse"],
  ["a look", { kind: "harmless", name: "List", paths: ["src"] }, "pass"],
  ["a look at nothing", { kind: "harmless", name: "Todo", paths: [] }, "pass"],
  ["a foreign server's tool", { kind: "external", name: "mcp__notes__add" }, "refuse"],
  ["an agent that only looks", { kind: "spawn", name: "Task", agent: "Explore", readOnly: true }, "pass"],
  ["an agent that works", { kind: "spawn", name: "Task", agent: "general", readOnly: false }, "refuse"],
  ["plan mode again", { kind: "enter-plan", name: "EnterPlanMode" }, "refuse"],
  ["a tool that nobody knows", { kind: "unknown", name: "Frobnicate" }, "refuse"],
  ["the public net, asked about", toolCall("WebFetch", { url: "http://127.0.0.1:1/" }), "refuse"],
];

describe("B11.2 each kind of call", () => {
  test.each(kinds)("%s while planning", async (_, call, expected) => {
    const { ask } = judgePlace();
    const answer = await ask(call);
    expect(answer).toEqual(expected === "pass" ? { kind: "pass" } : { kind: "refuse", reason: expect.any(String) });
  });

  test.each(kinds)("%s where the mode cannot be told, as while planning, and the refusal says so", async (...row) => {
    const [, call, expected] = row;
    const answer = await judgePlace().ask(call, { planning: "unknown" });
    expect(answer).toEqual(
      expected === "pass"
        ? { kind: "pass" }
        : { kind: "refuse", reason: expect.stringContaining("Whether this agent is planning could not be told") },
    );
  });

  test.each(kinds)("B11.3 %s while it works: no opinion, whatever the settings are", async (_, call) => {
    const { ask, home } = judgePlace();
    writeFileSync(join(home, "settings.json"), "{ broken");
    expect(await ask(call, { planning: "work" })).toEqual({ kind: "no-opinion" });
  });

  test("several files of one call: one that may not be written refuses them all", async () => {
    const { ask, project } = judgePlace();
    const planFile = join(project, "plan.md");
    const calls = [planFile, "a.ts"].map((file_path, at) => ({
      id: `${at}`,
      tool: "Write",
      input: { file_path, content: "" },
    }));
    expect(await ask({ kind: "ours", name: "patch", calls, rewrite: null }, { planFile })).toMatchObject({
      kind: "refuse",
    });
    expect(await ask({ kind: "ours", name: "patch", calls: [calls[0]!], rewrite: null }, { planFile })).toEqual({
      kind: "pass",
    });
  });

  test("the tools that calls stand for are ours, by their own names", async () => {
    const own = createTools({ modelMayEnterPlan: "never", planEagerness: "reserved" });
    for (const name of [...Object.keys(ourTools), namesOnly])
      expect(await toolsNamed(name)).toEqual([own.find((tool) => tool.name === name)]);
    expect(await toolsNamed("constructor")).toEqual([]);
  });
});

describe("B11.2 the shell", () => {
  test.each([
    ["ls -la", "pass"],
    ["cat 'a.ts'", "pass"],
    ["rm a.ts", "refuse"],
    ["echo x > a.ts", "refuse"],
    ["git commit -am x", "refuse"],
    ["git status", "caged: git status"],
    ["cat a.ts | wc -l", "caged: cat a.ts | wc -l"],
    ["python3 x.py", "caged: python3 x.py"],
    ["ls *", "caged: ls *"],
    ["printenv", "caged: printenv"],
    ["cat =python3", "caged: cat =python3"],
    ["cat ^a.ts", "caged: cat ^a.ts"],
    ["ls # all of it", "caged: ls # all of it"],
    ["ls *(e:'touch x':)", "caged: ls *(e:'touch x':)"],
    ["ls 'a'\\''b'", "caged: ls 'a'\\''b'"],
  ])("%s: %s", needs("bubblewrap"), async (command, expected) => {
    expect(await judgePlace().shell(command)).toBe(expected);
  });

  test.each(["git status", "cat a.ts | wc -l", "python3 x.py", "ls *", "printenv"])(
    "%s is refused where the client takes no rewriting, where no launcher is there, and where the cage is off",
    async (command) => {
      expect(await judgePlace().shell(command, { cage: false })).toBe("refuse");
      expect(await judgePlace({ launcher: false }).shell(command)).toBe("refuse");
      expect(await judgePlace({ settings: { sandbox: "off" } }).shell(command)).toBe("refuse");
      const call = { ...shellCall(command), rewrite: null } as ForeignCall;
      expect(await judgePlace().ask(call)).toMatchObject({ kind: "refuse" });
    },
  );

  test(
    "where the client lets by nothing but the cage, what only reads goes there too",
    needs("bubblewrap"),
    async () => {
      const { shell } = judgePlace();
      expect(await shell("cat a.ts")).toBe("pass");
      expect(await shell("cat a.ts", { cagesAll: true })).toBe("caged: cat a.ts");
      expect(await shell("rm a.ts", { cagesAll: true })).toBe("refuse");
      const { shell: uncaged } = judgePlace({ settings: { sandbox: "off" } });
      expect(await uncaged("cat a.ts", { cagesAll: true })).toBe("refuse");
    },
  );

  test("what was rewritten already is judged by what is inside", needs("bubblewrap"), async () => {
    const { ask, shell, home, project } = judgePlace();
    const first = await ask(shellCall("python3 x.py"));
    expect(first.kind).toBe("rewrite");
    const { command } = (first as { input: { command: string } }).input;
    expect(await ask(shellCall(command))).toEqual(first);
    const packed = (inner: string, directory = project): string =>
      `'${home}/bin/guard' run-caged ${Buffer.from(JSON.stringify({ command: inner, directory })).toString("base64url")}`;
    expect(await ask(shellCall(packed("rm a.ts")))).toMatchObject({ kind: "refuse" });
    /** Made for another place, it is a program like any other. */
    const elsewhere = packed("python3 x.py", "/");
    expect(await shell(elsewhere)).toBe(`caged: ${elsewhere}`);
    expect(await ask(shellCall(`${packed("ls")}; rm a.ts`))).toMatchObject({ kind: "refuse" });
  });

  test("a call elsewhere is judged there, by the session's own rules", async () => {
    const { ask, project } = judgePlace({ settings: { permissions: { deny: ["Read(./secret/**)"] } } });
    mkdirSync(join(project, "secret"));
    writeFileSync(join(project, "secret/key"), "k");
    const call = { ...shellCall("cat key"), directory: join(project, "secret") } as ForeignCall;
    expect(await ask(call)).toMatchObject({ kind: "refuse", reason: expect.stringContaining("Read(./secret/**)") });
    const nowhere = { ...shellCall("ls"), directory: join(project, "nowhere") } as ForeignCall;
    expect(await ask(nowhere)).toMatchObject({ kind: "refuse" });
  });
});

describe("B11.2 deny and ask rules of our settings hold", () => {
  const settings = { permissions: { deny: ["Read(./.env)", "Bash(cat:*)"], ask: ["Read(./ask.md)"] } };
  const files = { ".env": "KEY=1\n", "ask.md": "x\n", "src/b.ts": "x\n" };

  test.each<readonly [string, ForeignCall, string | null]>([
    ["a read", read(".env"), "Read(./.env)"],
    ["a read by another spelling", read("src/../.env"), "Read(./.env)"],
    ["a search of the file", toolCall("Grep", { pattern: "K", path: ".env" }), "Read(./.env)"],
    ["a search of a folder around it", toolCall("Grep", { pattern: "K" }), "Read(./.env)"],
    ["a look at it", { kind: "harmless", name: "View", paths: [".env"] }, "Read(./.env)"],
    ["what asks first", read("ask.md"), "Read(./ask.md)"],
    ["a command", shellCall("cat src/b.ts"), "Bash(cat:*)"],
    ["a command that reads it", shellCall("head .env"), "Read(./.env)"],
    ["a search elsewhere", toolCall("Grep", { pattern: "K", path: "src" }), null],
    ["names", toolCall("Glob", { pattern: "*" }), null],
  ])("%s", async (_, call, rule) => {
    const answer = await judgePlace({ settings, files }).ask(call);
    expect(answer).toEqual(
      rule === null ? { kind: "pass" } : { kind: "refuse", reason: expect.stringContaining(rule) },
    );
  });

  test("a link to it is it", async () => {
    const { ask, project } = judgePlace({ settings, files });
    symlinkSync(".env", join(project, "plain.txt"));
    linkSync(join(project, ".env"), join(project, "second.txt"));
    expect(await ask(read("plain.txt"))).toMatchObject({ kind: "refuse" });
    expect(await ask(read("second.txt"))).toMatchObject({ kind: "refuse" });
  });

  test("a reader of a foreign server is one by the person's own word, and not by a project's", async () => {
    const call: ForeignCall = { kind: "external", name: "mcp__notes__read" };
    const named = { permissions: { readers: ["mcp__notes__read"] } };
    expect(await judgePlace({ settings: named }).ask(call)).toEqual({ kind: "pass" });
    const text = JSON.stringify(named);
    const project = judgePlace({ files: { ".groundplan/settings.json": text } });
    expect(await project.ask(call)).toMatchObject({ kind: "refuse" });
    const trusted = judgePlace({ settings: { trustedMcpServers: ["notes"] } });
    expect(await trusted.ask(call)).toMatchObject({ kind: "refuse" });
  });

  test("settings that cannot be used refuse, and say where they are wrong", async () => {
    const { ask, home } = judgePlace();
    writeFileSync(join(home, "settings.json"), "{ broken");
    expect(await ask(read("a.ts"))).toMatchObject({
      kind: "refuse",
      reason: expect.stringContaining("settings.json:1"),
    });
  });

  test("our own home is not read", async () => {
    const { ask, home } = judgePlace();
    expect(await ask(read(join(home, "settings.json")))).toMatchObject({ kind: "refuse" });
    expect(await ask(shellCall(`cat ${join(home, "bin/guard")}`))).toMatchObject({ kind: "refuse" });
    expect(await ask(toolCall("Grep", { pattern: "x", path: join(home, "..") }))).toMatchObject({ kind: "refuse" });
  });
});

describe("B11.2 the client's plan file, and only that one", () => {
  test("it may be written; its neighbour may not", async () => {
    const { ask, folder } = judgePlace();
    const planFile = join(folder, "home/.client/plans/a.md");
    expect(await ask(write(planFile), { planFile })).toEqual({ kind: "pass" });
    expect(await ask(write(join(folder, "home/.client/plans/b.md")), { planFile })).toMatchObject({
      kind: "refuse",
      reason: expect.stringContaining(planFile),
    });
  });

  test.each<readonly [string, (project: string, folder: string) => string]>([
    [
      "a link to a file of the project",
      (project) => {
        symlinkSync(join(project, "a.ts"), join(project, "plan.md"));
        return join(project, "plan.md");
      },
    ],
    [
      "a second name of a file of the project",
      (project) => {
        linkSync(join(project, "a.ts"), join(project, "plan.md"));
        return join(project, "plan.md");
      },
    ],
    [
      "in a folder of the project that leads elsewhere",
      (project) => {
        mkdirSync(join(project, "src"));
        symlinkSync("src", join(project, "plans"));
        return join(project, "plans/plan.md");
      },
    ],
    [
      "in a folder outside that leads into the project",
      (project, folder) => {
        symlinkSync(project, join(folder, "plans"));
        return join(folder, "plans/readme.md");
      },
    ],
    ["no Markdown", (project) => join(project, "a.ts")],
    ["of our own home", (_, folder) => join(folder, "home/.groundplan/x.md")],
    ["a folder", (project) => (mkdirSync(join(project, "x.md")), join(project, "x.md"))],
    ["with a NUL", (project) => `${project}/x\0.md`],
  ])("%s: not written", async (_, make) => {
    const { ask, project, folder } = judgePlace();
    const planFile = make(project, folder);
    expect(await ask(write(planFile), { planFile })).toMatchObject({ kind: "refuse" });
  });

  test("where the client came to the project by a link, it is still the plan file", async () => {
    const { ask, project, folder } = judgePlace();
    symlinkSync(project, join(folder, "way"));
    const planFile = join(folder, "way/.plans/a.md");
    expect(await ask(write(planFile), { planFile, directory: join(folder, "way") })).toEqual({ kind: "pass" });
  });
});
