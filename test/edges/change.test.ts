/** Write, Edit and NotebookEdit on real files: exactness, staleness, line ends, links. */
import { linkSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createBench } from "./bench.ts";
import { realFolder } from "../support/folder.ts";

const edit = (from: string, to: string, more: object = {}): object => ({
  file_path: "a.ts",
  old_string: from,
  new_string: to,
  ...more,
});

async function withFile(text: string) {
  const root = realFolder();
  const path = join(root, "a.ts");
  writeFileSync(path, text);
  const bench = createBench(root);
  if (text !== "") await bench.use("Read", { file_path: "a.ts" });
  return { ...bench, root, path, now: () => readFileSync(path, "utf8") };
}

describe("Edit", () => {
  test("replaces text that occurs once, and all of it when told so; signs stay what they are", async () => {
    const { use, now, path } = await withFile("a $& b\na\n");
    expect(await use("Edit", edit("$& b", "$1 $$ `"))).toBe(`Edited ${path}.`);
    expect(now()).toBe("a $1 $$ `\na\n");
    expect(await use("Edit", edit("a", "x"))).toMatch(/^ERROR: old_string occurs 2 times .* at lines 1, 2\./);
    expect(await use("Edit", edit("a", "x", { replace_all: true }))).toBe(`Edited ${path}: 2 occurrences replaced.`);
    expect(now()).toBe("x $1 $$ `\nx\n");
  });

  test("refuses what changes nothing", async () => {
    const { use } = await withFile("a");
    expect(await use("Edit", edit("a", "a"))).toMatch(/^ERROR: .*the same/);
  });

  test("refuses a file that was never read, or changed since, and goes on after reading", async () => {
    const { use, path, now, context } = await withFile("one");
    writeFileSync(path, "one more");
    expect(await use("Edit", edit("one", "two"))).toMatch(/^ERROR: .* changed since you read it/);
    expect(await use("Write", { file_path: "a.ts", content: "x" })).toMatch(/^ERROR: .* changed since you read it/);
    await use("Read", { file_path: "a.ts" });
    expect(await use("Edit", edit("one", "two"))).toMatch(/^Edited/);
    expect(await use("Edit", edit("two", "three"))).toMatch(/^Edited/);
    expect(now()).toBe("three more");
    const fresh = createBench(context.directory);
    expect(await fresh.use("Edit", edit("three", "four"))).toMatch(/^ERROR: .* has not been read/);
  });

  test("a touch that leaves the content alone is no change", async () => {
    const { use, path } = await withFile("one");
    writeFileSync(path, "one");
    expect(await use("Edit", edit("one", "two"))).toMatch(/^Edited/);
  });

  test("of two edits at once that start from the same text, none is lost silently", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { use, now } = await withFile("a b");
      const results = await Promise.all([use("Edit", edit("a", "A")), use("Edit", edit("b", "B"))]);
      const edited = results.filter((result) => result.startsWith("Edited")).length;
      const expected = { 1: ["A b", "a B"], 2: ["A B"] }[edited];
      expect(expected).toContain(now());
    }
  });

  test("keeps CRLF, the mark at the beginning, and mixed line ends", async () => {
    const crlf = await withFile("\uFEFFone\r\ntwo\r\nthree\r\n");
    expect(await crlf.use("Edit", edit("one\ntwo", "1\n2\n2b"))).toMatch(/^Edited/);
    expect(crlf.now()).toBe("\uFEFF1\r\n2\r\n2b\r\nthree\r\n");
    expect(await crlf.use("Edit", edit("three", "3\n4"))).toMatch(/^Edited/);
    expect(crlf.now()).toBe("\uFEFF1\r\n2\r\n2b\r\n3\r\n4\r\n");
    const mixed = await withFile("a\r\nb\nc\nd\n");
    expect(await mixed.use("Edit", edit("b\nc", "x\ny"))).toMatch(/^Edited/);
    expect(mixed.now()).toBe("a\r\nx\ny\nd\n");
  });

  test.each([
    [
      "  if (a) {\n    b();\n  }\n",
      "if (a) {\n  b();\n}",
      /Lines 1 to 3 differ from it in white space only:\n {2}if \(a\)/,
    ],
    ["one\ntwo\nthree\n", "1\tone\n2\ttwo", /Leave out the line numbers/],
    ["one\ntwo\nthree\n", "one\n2", /Its first line stands at line 1; /],
    ["one\n", "nothing like it", /Nothing like it stands there/],
  ])("says what is near to %j", async (text, wanted, hint) => {
    const { use, now } = await withFile(text);
    expect(await use("Edit", edit(wanted, "x"))).toMatch(hint);
    expect(now()).toBe(text);
  });

  test("an empty old_string makes a file, fills an empty one, and never overwrites", async () => {
    const { use, now, root } = await withFile("");
    expect(await use("Edit", edit("", "new\n"))).toMatch(/^Created/);
    expect(now()).toBe("new\n");
    expect(await use("Edit", edit("", "again"))).toMatch(/^ERROR: .* exists and is not empty/);
    expect(await use("Edit", { file_path: "sub/dir/b.ts", old_string: "", new_string: "b" })).toMatch(/^Created/);
    expect(readFileSync(join(root, "sub/dir/b.ts"), "utf8")).toBe("b");
    expect(await use("Edit", { file_path: "c.ts", old_string: "x", new_string: "b" })).toMatch(
      /^ERROR: There is no file/,
    );
  });

  test("leaves alone what is not UTF-8 text", async () => {
    const { use, path } = await withFile("x");
    writeFileSync(path, Buffer.from([0x61, 0xff, 0x62]));
    await use("Read", { file_path: "a.ts" });
    expect(await use("Edit", edit("a", "b"))).toMatch(/^ERROR: .* is not UTF-8 text/);
    expect(readFileSync(path)).toEqual(Buffer.from([0x61, 0xff, 0x62]));
  });
});

describe("Write", () => {
  test("makes files and folders, replaces what was read, and names what changed", async () => {
    const { prepare, run, use, path, now } = await withFile("old");
    expect(await run(await prepare("Write", { file_path: "./a.ts", content: "new" }))).toEqual({
      content: [{ type: "text", text: `Wrote ${path}.` }],
      changed: [path],
    });
    expect(now()).toBe("new");
    expect(await use("Write", { file_path: "ünï/日本.md", content: "x" })).toMatch(/^Created .*ünï\/日本\.md\.$/);
    expect(await use("Write", { file_path: "ünï/日本.md", content: "y" })).toMatch(/^Wrote/);
  });

  test("does not overwrite what nobody has read, but an empty claimed file", async () => {
    const { use, root } = await withFile("");
    writeFileSync(join(root, "b.ts"), "text");
    expect(await use("Write", { file_path: "b.ts", content: "x" })).toMatch(/^ERROR: .* has not been read/);
    expect(await use("Write", { file_path: "a.ts", content: "plan" })).toMatch(/^Wrote/);
    expect(await use("Write", { file_path: ".", content: "x" })).toMatch(/^ERROR: .* is a folder/);
  });

  test("R3.6 a plan file that became a link, or got a second name, is refused and nothing is touched", async () => {
    const root = realFolder();
    writeFileSync(join(root, "secret"), "secret");
    const planFile = join(root, "plan.md");
    const { prepare, run } = createBench(root, { planFile, planning: true });
    const call = await prepare("Write", { file_path: planFile, content: "x" });
    expect(call.access).toMatchObject({ kind: "write", path: planFile });
    symlinkSync("secret", planFile);
    await expect(run(call)).rejects.toMatchObject({ code: "symlink" });
    const judgedAnew = await prepare("Write", { file_path: planFile, content: "x" });
    expect(judgedAnew.access).toMatchObject({ kind: "write", path: join(root, "secret") });
    const second = join(root, "second.md");
    writeFileSync(second, "");
    linkSync(second, join(root, "elsewhere"));
    const linked = createBench(root, { planFile: second, planning: true });
    await expect(linked.use("Write", { file_path: "second.md", content: "x" })).rejects.toMatchObject({
      code: "hard-link",
    });
    expect(readFileSync(join(root, "secret"), "utf8")).toBe("secret");
    expect(readdirSync(root).toSorted()).toEqual(["elsewhere", "plan.md", "second.md", "secret"]);
  });
});

describe("NotebookEdit", () => {
  const notebook = `{\n "cells": [\n  {\n   "cell_type": "code",\n   "execution_count": 3,\n   "id": "c1",\n   "metadata": {},\n   "outputs": [\n    {\n     "output_type": "stream"\n    }\n   ],\n   "source": [\n    "a = 1"\n   ]\n  }\n ],\n "metadata": {\n  "k": 1\n },\n "nbformat": 4,\n "nbformat_minor": 5\n}\n`;

  test("replaces, inserts and deletes a cell, and keeps the rest as it was written", async () => {
    const root = realFolder();
    const path = join(root, "n.ipynb");
    writeFileSync(path, notebook);
    const { use } = createBench(root);
    const change = (more: object): Promise<string> => use("NotebookEdit", { notebook_path: "n.ipynb", ...more });
    expect(await change({ cell_id: "c1", new_source: "x" })).toMatch(/^ERROR: .* has not been read/);
    await use("Read", { file_path: "n.ipynb" });
    expect(await change({ cell_id: "c1", new_source: "b = 2\nb" })).toBe("Replaced the source of cell c1.");
    const replaced = notebook
      .replace('"execution_count": 3', '"execution_count": null')
      .replace(/"outputs": \[[^\]]*\]/, '"outputs": []')
      .replace('"a = 1"', '"b = 2\\n",\n    "b"');
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(JSON.parse(replaced));
    expect(readFileSync(path, "utf8")).toMatch(/^\{\n "cells": \[\n {2}\{[\s\S]*\n\}\n$/);
    expect(await change({ cell_id: "c1", new_source: "# T", cell_type: "markdown", edit_mode: "insert" })).toMatch(
      /^Inserted cell \w{8}\.$/,
    );
    expect(await change({ cell_id: "c1", new_source: "", edit_mode: "delete" })).toBe("Deleted cell c1.");
    const { cells } = JSON.parse(readFileSync(path, "utf8")) as { cells: { source: string[] }[] };
    expect(cells.map(({ source }) => source)).toEqual([["# T"]]);
    expect(await change({ cell_id: "c1", new_source: "x" })).toMatch(
      /^ERROR: There is no cell c1 .* Its cells: \w{8}\.$/,
    );
    expect(await change({ new_source: "x" })).toMatch(/^ERROR: Say which cell/);
    writeFileSync(path, "{}");
    await use("Read", { file_path: "n.ipynb" });
    expect(await change({ cell_id: "c1", new_source: "x" })).toMatch(/^ERROR: .* not a valid notebook/);
  });
});
