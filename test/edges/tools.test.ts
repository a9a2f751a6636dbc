/** The other tools on a real folder: searches, commands, questions, pages, and the person's deny rules. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunContext } from "../../src/agent/ports/host.ts";
import type { CommandResult, JudgedCommand, WebResult } from "../../src/agent/ports/ports.ts";
import type { QuestionAnswer } from "../../src/core/questions.ts";
import { createSearch } from "../../src/agent/host/search/search.ts";
import { matchRules } from "../../src/core/decide/rules.ts";
import { createBench } from "./bench.ts";
import { realFolder } from "../support/folder.ts";

function project(): string {
  const root = realFolder();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "needle\n");
  writeFileSync(join(root, ".env"), "needle\n");
  symlinkSync(".env", join(root, "link"));
  return root;
}

const answered = (answers: Record<string, string>, notes?: string): QuestionAnswer => ({
  status: "answered",
  answers,
  ...(notes === undefined ? {} : { notes }),
});

const fetched = (result: WebResult): Promise<string> =>
  createBench(realFolder(), { web: { inward: async () => [], fetchText: () => Promise.resolve(result) } }).use(
    "WebFetch",
    {
      url: "https://a.example",
    },
  );

describe.each([
  ["ripgrep", undefined],
  ["no program", null],
] as const)("Glob and Grep by %s", (_, program) => {
  const search = createSearch(program === undefined ? {} : { program });

  test("give paths relative to the working directory, and say when there is nothing", async () => {
    const { use, context } = createBench(project(), { search });
    expect(await use("Glob", { pattern: "src/**/*.ts" })).toBe("src/a.ts");
    expect(await use("Glob", { pattern: `${context.directory}/src/*` })).toBe("src/a.ts");
    expect(await use("Glob", { pattern: "src/" })).toBe("src/a.ts");
    expect(await use("Glob", { pattern: "*.rs" })).toMatch(/^Nothing found for \*\.rs in/);
    expect(await use("Grep", { pattern: "needle", glob: "*.ts" })).toBe("src/a.ts");
    expect(await use("Grep", { pattern: "needle", path: "src", output_mode: "content" })).toBe("src/a.ts:1:needle");
    expect(await use("Grep", { pattern: "needle", output_mode: "count" })).toBe(".env:1\nsrc/a.ts:1");
    expect(await use("Grep", { pattern: "needle", output_mode: "count", head_limit: 1 })).toMatch(
      /^\.env:1\n\nOnly the first 1 results were shown\./,
    );
    expect(await use("Grep", { pattern: "(", path: "src" })).toMatch(
      /^ERROR: The search was refused: regex parse error/,
    );
    expect(await use("Grep", { pattern: "x", path: "nope" })).toMatch(/^ERROR: There is no file/);
  });

  test("R5.6 files that a deny rule hides are not found, not counted, not named", async () => {
    const root = project();
    const { use } = createBench(root, { search, hidden: [`${root}/.env`] });
    expect(await use("Glob", { pattern: "**" })).toBe("src/a.ts");
    for (const output_mode of ["files_with_matches", "content", "count"] as const) {
      expect(await use("Grep", { pattern: "needle", output_mode })).not.toMatch(/env/);
    }
  });
});

describe("R5.6 a deny rule on reading holds for every tool that reads", () => {
  const judged: JudgedCommand = {
    command: "cat link",
    directory: "",
    canonical: "cat link",
    verdict: "read-only",
    reason: "",
    span: null,
    parts: ["cat link"],
    reads: ["link"],
    edits: null,
    network: false,
    sandboxed: false,
  };

  test.each([
    ["Read", { file_path: ".env" }],
    ["Read", { file_path: "src/../.env" }],
    ["Read", { file_path: "link" }],
    ["Grep", { pattern: "x", path: ".env" }],
    ["Bash", { command: "cat link" }],
  ])("%s %j", async (tool, input) => {
    const root = project();
    const shell = {
      judge: () => Promise.resolve({ ...judged, directory: root }),
      run: () => Promise.reject(new Error()),
    };
    const { prepare } = createBench(root, { shell });
    const { subjects } = await prepare(tool, input);
    const book = { allow: [], ask: [], deny: ["Read(.env)"], stripped: false, runners: [] };
    expect(matchRules(book, subjects, { project: root, home: "/home/x" }).denied).toBe("Read(.env)");
  });
});

describe("Bash", () => {
  const verdict: JudgedCommand = {
    command: "make",
    directory: "/p",
    canonical: "make",
    verdict: "unproven",
    reason: "runs a program",
    span: null,
    parts: ["make"],
    reads: [],
    edits: null,
    network: false,
    sandboxed: true,
  };
  const result: CommandResult = {
    exitCode: 0,
    stdout: "",
    stderr: "",
    truncated: false,
    timedOut: false,
    refused: null,
  };
  const bench = (given: Partial<CommandResult>, later: Partial<JudgedCommand> = {}, more: Partial<RunContext> = {}) => {
    const ran: unknown[] = [];
    let judgements = 0;
    const shell: RunContext["shell"] = {
      judge: () => Promise.resolve({ ...verdict, ...((judgements += 1) > 1 ? later : {}) }),
      run: (command, { confined, timeoutMs }) => {
        ran.push([command.command, confined, timeoutMs]);
        return Promise.resolve({ ...result, ...given });
      },
    };
    return {
      ran,
      use: () => createBench(realFolder(), { shell, ...more }).use("Bash", { command: "make", timeout: 5000 }),
    };
  };

  test("gives output, exit code and what stopped it", async () => {
    expect(await bench({ stdout: "out\n", stderr: "err\n" }).use()).toBe("out\nerr");
    expect(await bench({}).use()).toBe("The command gave no output.");
    expect(await bench({ exitCode: 2, stderr: "bad" }).use()).toBe("ERROR: bad\nExit code 2.");
    expect(await bench({ exitCode: null, timedOut: true, stdout: "part" }).use()).toBe(
      "ERROR: part\nThe command was stopped after 5 seconds.",
    );
    expect(await bench({ exitCode: 1, refused: "bubblewrap", stderr: "Read-only file system" }).use()).toMatch(
      /sandbox of plan mode \(bubblewrap\) refused a change/,
    );
  });

  test("cuts the middle of long output", async () => {
    const text = await bench({ stdout: `begin${"x".repeat(100_000)}end` }).use();
    expect(text.length).toBeLessThan(30_100);
    expect(text).toMatch(/^begin.*\[… 70008 characters left out …\].*end$/s);
  });

  test("runs in the cage while planning, and not at all when the judgement changed", async () => {
    const caged = bench({}, {}, { planning: true });
    await caged.use();
    expect(caged.ran).toEqual([["make", true, 5000]]);
    for (const later of [{ verdict: "writes" }, { sandboxed: false }, { network: true }] as const) {
      const changed = bench({}, later);
      expect(await changed.use()).toMatch(/^ERROR: .* was not run/);
      expect(changed.ran).toEqual([]);
    }
  });
});

describe("B8.5 AskUserQuestion never gives an answer that nobody gave", () => {
  const options = [
    { label: "a", description: "" },
    { label: "b", description: "" },
  ];
  const questions = ["Which?", "Why?"].map((question) => ({ question, header: "x", options }));
  const asked = (answer?: QuestionAnswer): Promise<string> =>
    createBench(realFolder(), answer === undefined ? {} : { answer }).use("AskUserQuestion", { questions });
  test("answered, in part, in own words, with notes", async () => {
    expect(await asked(answered({ "Which?": "a", "Why?": "own words" }))).toBe(
      "The user answered:\nWhich?\n→ a\nWhy?\n→ own words",
    );
    expect(await asked(answered({ "Which?": "a" }, "soon"))).toBe(
      "The user answered:\nWhich?\n→ a\nWhy?\n→ (no answer to this one)\nThey added: soon",
    );
  });

  test("answered with nothing, declined, dismissed, not shown, broken: each says so, none says answered", async () => {
    const texts = [
      await asked(answered({ "Which?": " " })),
      await asked(answered({ "Another?": "a" })),
      ...(await Promise.all((["declined", "dismissed", "not-shown"] as const).map((status) => asked({ status })))),
      await asked(),
    ];
    expect(texts.map((text) => /declined|closed|could not be shown/.exec(text)?.[0])).toEqual([
      "closed",
      "closed",
      "declined",
      "closed",
      "could not be shown",
      "could not be shown",
    ]);
    expect(texts.join()).not.toMatch(/user answered/);
  });
});

test("TodoWrite keeps the list and counts", async () => {
  const kept: unknown[] = [];
  const { use } = createBench(realFolder(), { writeTodos: (todos) => Promise.resolve(void kept.push(todos)) });
  const todos = [
    { content: "a", status: "completed" },
    { content: "b", status: "pending", activeForm: "doing b" },
  ];
  expect(await use("TodoWrite", { todos })).toBe("The list of tasks is written: 1 of 2 completed.");
  expect(kept).toEqual([todos]);
});

test("WebFetch gives text, reports redirects and failures, cuts long pages", async () => {
  const page = { kind: "page", url: "https://a.example/", truncated: false } as const;
  expect(await fetched({ ...page, text: "hello" })).toBe("hello");
  expect(await fetched({ ...page, text: " " })).toMatch(/holds no text/);
  expect(await fetched({ ...page, text: "x".repeat(90_000) })).toMatch(/^x{60000}\n\nThe page is longer/);
  expect(await fetched({ kind: "redirect", url: "https://b.example/" })).toMatch(
    /another host: https:\/\/b\.example\//,
  );
  expect(await fetched({ kind: "failed", reason: "the server answered 404" })).toBe(
    "ERROR: https://a.example/ could not be fetched: the server answered 404.",
  );
});

test("EnterPlanMode and ExitPlanMode never run", async () => {
  const { use } = createBench(realFolder());
  expect(await use("EnterPlanMode", {})).toMatch(/^ERROR: .* never run/);
  expect(await use("ExitPlanMode", {})).toMatch(/^ERROR: .* never run/);
});
