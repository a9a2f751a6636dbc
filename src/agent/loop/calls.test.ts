import { describe, expect, test } from "vitest";
import type { Call } from "../../core/decide/access.ts";
import { matchRules } from "../../core/decide/rules.ts";
import { prepareCall } from "./tool-bench.ts";
import { nothingRefused } from "../ports/refused.ts";
import type { LookContext } from "../ports/host.ts";
import type { Files, JudgedCommand, Shell } from "../ports/ports.ts";
import { createTools } from "../tools/registry.ts";

const tools = createTools({ modelMayEnterPlan: "ask", planEagerness: "eager" });
const files = { canonical: (path: string, directory: string) => Promise.resolve(resolved(path, directory)) } as Files;

function resolved(path: string, directory: string): string {
  const absolute = path.startsWith("/") ? path : `${directory}/${path}`;
  return absolute.replace("/p/./", "/p/").replace("/p/src/link", "/etc");
}

const readOnly: JudgedCommand = {
  command: "",
  directory: "/p",
  canonical: "x",
  verdict: "read-only",
  reason: "reads",
  span: null,
  parts: [],
  reads: [],
  edits: null,
  network: false,
  sandboxed: true,
};

const shell = (judged: Partial<JudgedCommand>): Shell => ({
  judge: (command, directory) => Promise.resolve({ ...readOnly, command, directory, ...judged }),
  run: () => Promise.reject(new Error("not in this test")),
});

const context = (judged: Partial<JudgedCommand> = {}): LookContext => ({
  files,
  shell: shell(judged),
  web: {
    inward: async (url) => (url.includes("inside") ? ["10.0.0.1"] : url.includes("localhost") ? ["127.0.0.1"] : []),
    fetchText: () => Promise.reject(new Error("nothing is fetched while a call is looked at")),
  },
  directory: "/p",
  roots: ["/p"],
  planFile: null,
  isKept: async () => false,
  refused: nothingRefused,
});

const prepare = (tool: string, input: unknown, judged?: Partial<JudgedCommand>) =>
  prepareCall({ id: "1", tool, input }, tools, context(judged));
const reason = async (tool: string, input: unknown): Promise<unknown> => {
  const { access } = await prepare(tool, input);
  return access?.kind === "invalid" ? access.reason : access;
};
const asking = (question: string) => ({
  question,
  header: "Which",
  options: [
    { label: "a", description: "" },
    { label: "b", description: "" },
  ],
  multiSelect: false,
});
const matched = ({ subjects }: Call, rules: { readonly allow?: string[]; readonly deny?: string[] }) =>
  matchRules({ allow: [], ask: [], deny: [], stripped: false, runners: [], ...rules }, subjects, {
    project: "/p",
    home: "/home/x",
  });
const pathsOf = async (input: object): Promise<unknown> => {
  const { access } = await prepare("Glob", input);
  return access?.kind === "read" ? access.paths : access;
};

describe("a call that cannot be understood never runs, and says why", () => {
  test("B1.2 an unknown tool", async () => {
    expect(await reason("Rm", {})).toMatch(/^there is no tool named Rm, only Read, Glob,/);
  });

  test.each([
    ["Read", {}, "file_path: expected string, received undefined"],
    ["Read", { file_path: 3 }, "file_path: expected string, received number"],
    ["Read", { file_path: "a", offset: "x" }, "offset: expected number, received string"],
    ["Read", { file_path: "a", file: "b" }, 'Unrecognized key: "file"'],
    ["Read", null, "Invalid input: expected object, received null"],
    [
      "TodoWrite",
      { todos: [{ content: "a", status: "done" }] },
      /^todos\.0\.status: .*"pending"\|"in_progress"\|"completed"/,
    ],
    ["AskUserQuestion", { questions: [] }, /^questions: too small/],
    ["WebFetch", { url: "nonsense" }, "Invalid URL"],
    ["Bash", { command: "ls", run_in_background: true }, 'Unrecognized key: "run_in_background"'],
    ["Grep", { pattern: "x", type: "--pre" }, /^type: /],
  ])("%s %j", async (tool, input, expected) => {
    if (typeof expected === "string") expect(await reason(tool, input)).toBe(expected);
    else expect(await reason(tool, input)).toMatch(expected);
  });

  test("B8.5 the same question twice, and more than four", async () => {
    expect(await reason("AskUserQuestion", { questions: [asking("Which?"), asking("Which?")] })).toBe(
      "questions: each question must be asked once",
    );
    const five = ["1?", "2?", "3?", "4?", "5?"].map(asking);
    expect(await reason("AskUserQuestion", { questions: five })).toMatch(/^questions: too big/);
  });

  test("R6.1 EnterPlanMode takes nothing, ExitPlanMode whatever is added to it", async () => {
    expect(await reason("EnterPlanMode", { plan: "x" })).toBe(
      "EnterPlanMode takes no input: call it with an empty object {}",
    );
    expect(await reason("EnterPlanMode", "x")).toBe("EnterPlanMode takes no input: call it with an empty object {}");
    expect((await prepare("EnterPlanMode", {})).access).toEqual({ kind: "enter-plan" });
    expect((await prepare("ExitPlanMode", { plan: "x" })).access).toEqual({ kind: "exit-plan" });
  });

  test("a claim that throws", async () => {
    const broken = { ...context(), shell: { ...shell({}), judge: () => Promise.reject(new Error("no judge")) } };
    const call = await prepareCall({ id: "1", tool: "Bash", input: { command: "ls" } }, tools, broken);
    expect(call.access).toEqual({ kind: "invalid", reason: "no judge" });
  });
});

describe("what a call would touch, and the names that rules know it by", () => {
  test("reading: the canonical path is judged, rules see both spellings", async () => {
    expect(await prepare("Read", { file_path: "src/link/passwd" })).toMatchObject({
      access: { kind: "read", paths: ["/etc/passwd"] },
      subjects: [
        { rule: "Read", path: "/etc/passwd" },
        { rule: "Read", path: "/p/src/link/passwd" },
      ],
    });
    expect(await prepare("Grep", { pattern: "x", path: ".env" })).toMatchObject({
      access: { kind: "read", paths: ["/p/.env"] },
      subjects: [
        { rule: "Grep", path: "/p/.env" },
        { rule: "Read", path: "/p/.env" },
      ],
    });
  });

  test("Glob is judged by the folder that its pattern begins with", async () => {
    expect(await pathsOf({ pattern: "/secrets/**/*.key" })).toEqual(["/secrets"]);
    expect(await pathsOf({ pattern: "src/link/*" })).toEqual(["/etc"]);
    expect(await pathsOf({ pattern: "*.ts", path: "/q" })).toEqual(["/q"]);
  });

  test("writing: own name and Edit, with the place of the canonical path", async () => {
    expect(await prepare("Write", { file_path: "a.ts", content: "" })).toMatchObject({
      access: { kind: "write", path: "/p/a.ts", place: "project" },
      subjects: [
        { rule: "Write", path: "/p/a.ts" },
        { rule: "Edit", path: "/p/a.ts" },
      ],
    });
    expect((await prepare("Edit", { file_path: "/q/a", old_string: "", new_string: "x" })).access).toMatchObject({
      place: "elsewhere",
    });
    expect((await prepare("NotebookEdit", { notebook_path: ".git/x", new_source: "" })).access).toMatchObject({
      place: "guarded",
    });
  });

  test("R17.1 an allow rule on a link does not cover what the link leads to, a deny rule on either does", async () => {
    const call = await prepare("Edit", { file_path: "src/link/hosts", old_string: "", new_string: "x" });
    expect(call.access).toEqual({ kind: "write", path: "/etc/hosts", place: "elsewhere" });
    expect(matched(call, { allow: ["Edit(src/**)"] })).toEqual({
      denied: null,
      unresolved: null,
      unseen: null,
      asked: null,
      allowed: false,
    });
    expect(matched(call, { allow: ["Edit(src/**)", "Edit(/etc/**)"] }).allowed).toBe(true);
    expect(matched(call, { deny: ["Edit(src/**)"] }).denied).toBe("Edit(src/**)");
    expect(matched(call, { deny: ["Edit(/etc/**)"] }).denied).toBe("Edit(/etc/**)");
  });

  test("R17.1 rules on reading and editing refuse a command, and never allow one", async () => {
    const judged = { verdict: "writes", parts: ["cp .env out"], reads: [".env"], edits: ["out"] } as const;
    const call = await prepare("Bash", { command: "cp .env out" }, judged);
    expect(matched(call, { allow: ["Read", "Edit"] }).allowed).toBe(false);
    expect(matched(call, { deny: ["Read(.env)"] }).denied).toBe("Read(.env)");
    expect(matched(call, { deny: ["Edit(out)"] }).denied).toBe("Edit(out)");
    expect(matched(call, { allow: ["Bash(cp:*)"] }).allowed).toBe(true);
  });

  test("a command: its parts, and what it reads for deny rules on reading", async () => {
    const judged = { parts: ["cat .env", "head a"], reads: [".env", "/p/a"] };
    expect(await prepare("Bash", { command: "cat .env | head a" }, judged)).toMatchObject({
      access: { kind: "command", command: "cat .env | head a", directory: "/p", verdict: "read-only", files: null },
      subjects: [
        { rule: "Bash", parts: ["cat .env", "head a"] },
        { rule: "Read", path: "/p/.env" },
        { rule: "Read", path: "/p/a" },
      ],
    });
  });

  test("a command that cannot be seen through is opaque; the part that decided is named; files have a place", async () => {
    const judged = {
      verdict: "writes",
      reason: "removes",
      canonical: null,
      span: [0, 4],
      edits: ["a", "src/link/b"],
    } as const;
    expect(await prepare("Bash", { command: "rm a src/link/b" }, judged)).toMatchObject({
      access: { verdict: "writes", part: "rm a", files: "elsewhere" },
      subjects: [
        { rule: "Bash", parts: [], opaque: true },
        { rule: "Edit", path: "/p/a" },
        { rule: "Edit", path: "/etc/b" },
        { rule: "Edit", path: "/p/src/link/b" },
      ],
    });
  });

  test("fetching, asking, noting", async () => {
    expect(await prepare("WebFetch", { url: "https://Docs.example/a b" })).toMatchObject({
      access: { kind: "fetch", url: "https://docs.example/a%20b", method: "GET" },
      subjects: [{ rule: "WebFetch", parts: ["domain:docs.example"] }],
    });
    expect((await prepare("TodoWrite", { todos: [] })).access).toEqual({ kind: "note" });
  });

  test("B1.14 what leads inward stands under its name and its address; a rule on this machine's name is one on its address", async () => {
    expect(await prepare("WebFetch", { url: "http://inside.example./" })).toMatchObject({
      access: { kind: "fetch", inward: ["10.0.0.1"] },
      subjects: [{ rule: "WebFetch", parts: ["domain:inside.example", "domain:10.0.0.1"], explicit: true }],
    });
    expect((await prepare("WebFetch", { url: "http://localhost:3000/" })).subjects).toEqual([
      { rule: "WebFetch", parts: ["domain:localhost"], explicit: true },
      { rule: "WebFetch", parts: ["domain:127.0.0.1"], explicit: true },
    ]);
  });
});
