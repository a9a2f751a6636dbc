/** One conformance test for both search drivers, on a real tree. */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRipgrep } from "../../src/agent/host/search/ripgrep.ts";
import { createSearch } from "../../src/agent/host/search/search.ts";
import type { GrepQuery } from "../../src/agent/ports/ports.ts";
import { realFolder } from "../support/folder.ts";

const never = new AbortController().signal;

function tree(files: Readonly<Record<string, string>>): string {
  const root = realFolder();
  execFileSync("git", ["init", "-q", root]);
  Object.entries(files).forEach(([name, text], at) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    utimesSync(join(root, name), 1_000_000 + at, 1_000_000 + at);
  });
  return root;
}

const project = {
  ".gitignore": "dist/\n*.log\n!keep.log\n",
  ".env": "TOKEN=needle",
  ".github/ci.yml": "run: needle",
  "dist/out.js": "needle",
  "a.log": "needle",
  "keep.log": "needle",
  "src/a.ts": "one\nneedle here\nthree\nfour\nNEEDLE again\nsix",
  "src/deep/b.tsx": "first\r\nthe needle\r\n",
  "src/deep/ünï 日本.md": "needle\n",
  "src/.gitignore": "gen\n",
  "src/gen/c.ts": "needle",
  "bin.dat": "needle\0needle",
} as const;
const lines = (...all: string[]): unknown => ({ lines: all, truncated: false, problem: null });

describe.each(["ripgrep", "plain"] as const)("search by %s", (kind) => {
  const search = createSearch(kind === "plain" ? { program: null } : {});
  const glob = async (root: string, pattern: string, hidden: readonly string[] = []): Promise<unknown> =>
    (await search.glob({ pattern, root, limit: 100, hidden }, never)).paths.map((path) => path.slice(root.length + 1));
  const grep = (root: string, query: Partial<GrepQuery>): Promise<unknown> =>
    search.grep({ pattern: "needle", root, base: root, mode: "content", limit: 100, hidden: [], ...query }, never);

  test("globs name files, newest first; hidden ones count, ignored ones and .git do not", async () => {
    const root = tree(project);
    expect(await glob(root, "*.ts")).toEqual(["src/a.ts"]);
    expect(await glob(root, "src/**/*.{ts,tsx,md}")).toEqual(["src/deep/ünï 日本.md", "src/deep/b.tsx", "src/a.ts"]);
    expect(await glob(root, "src/*")).toEqual(["src/.gitignore", "src/a.ts"]);
    expect(await glob(root, "*.log")).toEqual(["keep.log"]);
    expect(await glob(root, ".github/**")).toEqual([".github/ci.yml"]);
    expect(await glob(root, "**/HEAD")).toEqual([]);
    expect(await search.glob({ pattern: "**", root, limit: 2, hidden: [] }, never)).toEqual({
      paths: [join(root, "bin.dat"), join(root, "src/.gitignore")],
      truncated: true,
    });
  });

  test("a folder that is asked for by name is searched although it is ignored", async () => {
    const root = tree(project);
    expect(await glob(join(root, "dist"), "*.js")).toEqual(["out.js"]);
    expect(await glob(join(root, "src/deep"), "*")).toEqual(["ünï 日本.md", "b.tsx"]);
  });

  test("files that a deny rule hides are in no result", async () => {
    const root = tree(project);
    const hidden = [`${root}/.env`, `${root}/src/**`, `${root}/**/*.yml`];
    expect(await glob(root, "**", hidden)).toEqual(["bin.dat", "keep.log", ".gitignore"]);
    expect(await grep(root, { hidden })).toEqual(lines("keep.log:1:needle"));
    expect(await grep(root, { hidden, mode: "count" })).toEqual(lines("keep.log:1"));
    expect(await grep(root, { hidden, mode: "files_with_matches" })).toEqual(lines("keep.log"));
    expect(await grep(join(root, ".env"), { hidden })).toEqual(lines());
  });

  test("content: line numbers, context, case, files in order", async () => {
    const root = tree(project);
    expect(await grep(root, { glob: "*.{ts,tsx}" })).toEqual(
      lines("src/a.ts:2:needle here", "src/deep/b.tsx:2:the needle"),
    );
    expect(await grep(join(root, "src/a.ts"), { base: root, ignoreCase: true, before: 1, after: 1 })).toEqual(
      lines(
        "src/a.ts-1-one",
        "src/a.ts:2:needle here",
        "src/a.ts-3-three",
        "src/a.ts-4-four",
        "src/a.ts:5:NEEDLE again",
        "src/a.ts-6-six",
      ),
    );
    expect(await grep(root, { pattern: "needle h|NEEDLE", after: 1, glob: "src/*.ts" })).toEqual(
      lines("src/a.ts:2:needle here", "src/a.ts-3-three", "--", "src/a.ts:5:NEEDLE again", "src/a.ts-6-six"),
    );
    expect(await grep(root, { lineNumbers: false, type: "md" })).toEqual(lines("src/deep/ünï 日本.md:needle"));
    expect(await grep(root, { limit: 1, type: "ts" })).toEqual({
      lines: ["src/a.ts:2:needle here"],
      truncated: true,
      problem: null,
    });
    expect(await grep(root, { glob: "!src/**", mode: "files_with_matches" })).toEqual(
      lines("keep.log", ".github/ci.yml", ".env"),
    );
  });

  test("across lines, anchored, and with signs that a shell or an option parser would read", async () => {
    const root = tree({ "a.txt": "begin\nmiddle\nend\n", "b.txt": "--files\n$(touch x) `y`\n" });
    expect(await grep(root, { pattern: "begin.*end", multiline: true })).toEqual(
      lines("a.txt:1:begin", "a.txt:2:middle", "a.txt:3:end"),
    );
    expect(await grep(root, { pattern: "^end$" })).toEqual(lines("a.txt:3:end"));
    expect(await grep(root, { pattern: "--files" })).toEqual(lines("b.txt:1:--files"));
    expect(await grep(root, { pattern: "\\$\\(touch" })).toEqual(lines("b.txt:2:$(touch x) `y`"));
    expect(await glob(root, "--files")).toEqual([]);
  });

  test("long lines are cut, links are not followed, nothing is found where nothing is", async () => {
    const root = tree({ "min.js": `needle${"x".repeat(2_000_000)}` });
    symlinkSync("min.js", join(root, "link.js"));
    const result = (await grep(root, {})) as { lines: string[] };
    expect(result.lines.map((line) => line.length)).toEqual([510]);
    expect(await grep(join(root, "none"), {})).toEqual(lines());
    expect(await glob(join(root, "none"), "*")).toEqual([]);
  });

  test("a wrong pattern and an unknown type are told", async () => {
    const root = tree(project);
    expect(await grep(root, { pattern: "(unclosed" })).toEqual({ problem: expect.stringMatching(/regex parse error/) });
    expect(await grep(root, { type: "klingon" })).toEqual({ problem: expect.stringMatching(/unrecognized file type/) });
  });

  test("an abort ends it", async () => {
    const root = tree(project);
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(search.grep({ pattern: "x", root, mode: "count", limit: 1, hidden: [] }, stopped)).rejects.toThrow(
      "stopped",
    );
  });
});

test("a pattern that backtracks for ever is stopped, without ripgrep too", async () => {
  const root = tree({ "a.txt": `${"a".repeat(40)}!` });
  const search = createSearch({ program: null, timeoutMs: 300 });
  const result = await search.grep({ pattern: "(a+)+$", root, mode: "count", limit: 1, hidden: [] }, never);
  expect(result.problem).toMatch(/timed out|too long/);
});

test("B1.5 settings of the person or the project do not reach the search program", async () => {
  const root = tree({ "a.txt": "needle", ".ripgreprc": "--pre=touch" });
  process.env["RIPGREP_CONFIG_PATH"] = join(root, ".ripgreprc");
  try {
    const search = createSearch();
    const result = await search.grep(
      { pattern: "needle", root, mode: "count", limit: 9, hidden: [], base: root },
      never,
    );
    expect(result).toEqual({ lines: ["a.txt:1"], truncated: false, problem: null });
  } finally {
    delete process.env["RIPGREP_CONFIG_PATH"];
  }
});

test("where the program is gone, the search goes on without it", async () => {
  const root = tree({ "a.txt": "needle" });
  const search = createSearch({ program: join(root, "no-such-program") });
  expect((await search.glob({ pattern: "*", root, limit: 9, hidden: [] }, never)).paths).toEqual([join(root, "a.txt")]);
  expect(await findRipgrep()).toMatch(/rg$/);
});
