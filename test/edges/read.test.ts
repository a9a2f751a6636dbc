/** Read on real files: ranges, huge and binary files, images, notebooks, what is missing. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createBench } from "./bench.ts";
import { realFolder } from "../support/folder.ts";

describe("Read", () => {
  test("gives numbered lines, ranges, and says how to go on", async () => {
    const root = realFolder();
    const { use } = createBench(root);
    writeFileSync(join(root, "a.txt"), "\uFEFFone\r\ntwo\nthree\n");
    expect(await use("Read", { file_path: "a.txt" })).toBe("1\tone\n2\ttwo\n3\tthree");
    expect(await use("Read", { file_path: "a.txt", offset: 2, limit: 1 })).toBe(
      "2\ttwo\n\nLines up to 2 of 3 were shown: go on with offset 3.",
    );
    expect(await use("Read", { file_path: "a.txt", offset: 0, limit: 1 })).toMatch(/^1\tone\n/);
    expect(await use("Read", { file_path: "a.txt", offset: 9 })).toMatch(/^ERROR: .* has 3 lines; .* line 9 on/);
    writeFileSync(join(root, "empty"), "");
    expect(await use("Read", { file_path: "empty" })).toMatch(/is empty/);
  });

  test("cuts long lines and long texts, and says so", async () => {
    const root = realFolder();
    const { use } = createBench(root);
    writeFileSync(join(root, "long"), `${"😀".repeat(3000)}\nb`);
    const text = await use("Read", { file_path: "long" });
    expect(text.split("\n")[0]!.length).toBe(2 + 2000 + 1);
    expect(text).toMatch(/…\n2\tb\n\nLines longer than 2000 characters end in "…"\.$/);
    writeFileSync(join(root, "many"), "0123456789\n".repeat(50_000));
    expect(await use("Read", { file_path: "many" })).toMatch(/Lines up to 2000 of 50000 were shown/);
    writeFileSync(join(root, "wide"), `${"x".repeat(1000)}\n`.repeat(1000));
    expect((await use("Read", { file_path: "wide" })).length).toBeLessThan(102_000);
  });

  test("reads a part of 200 MB with bounded memory and in no time", async () => {
    const root = realFolder();
    const { use } = createBench(root);
    const path = join(root, "huge.log");
    writeFileSync(path, "line of text\n".repeat(100_000));
    const size = 200 * 1024 * 1024;
    truncateSync(path, size);
    const handle = openSync(path, "r+");
    writeSync(handle, "\nthe end", size - 8);
    closeSync(handle);
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    expect(await use("Read", { file_path: "huge.log", offset: 99_999, limit: 1 })).toBe(
      "99999\tline of text\n\nMore lines follow: go on with offset 100000.",
    );
    expect(await use("Read", { file_path: "huge.log", offset: 100_002 })).toBe("100002\tthe end");
    expect(await use("Read", { file_path: "huge.log", offset: 100_003 })).toMatch(/^ERROR: .* has 100002 lines/);
    const after = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    expect(after - before).toBeLessThan(100 * 1024 * 1024);
  });

  test("stops when it is told to", async () => {
    const root = realFolder();
    writeFileSync(join(root, "huge.log"), "text\n".repeat(2000));
    truncateSync(join(root, "huge.log"), 40 * 1024 * 1024);
    const { use } = createBench(root, { signal: AbortSignal.abort(new Error("stopped")) });
    await expect(use("Read", { file_path: "huge.log", offset: 5000 })).rejects.toThrow("stopped");
  });

  test("describes binary files, pipes and folders instead of showing them", async () => {
    const root = realFolder();
    const { use } = createBench(root);
    writeFileSync(join(root, "a.bin"), Buffer.from([1, 2, 0, 3]));
    truncateSync(join(root, "a.bin"), 200 * 1024 * 1024);
    expect(await use("Read", { file_path: "a.bin" })).toMatch(/^ERROR: .* is a binary file \(209715200 bytes\)/);
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(root, "pipe")]);
    expect(await use("Read", { file_path: "pipe" })).toMatch(/^ERROR: .* neither a file nor a folder/);
    expect(await use("Read", { file_path: "." })).toMatch(/^ERROR: .* is a folder\. Use Glob/);
  });

  test("decodes UTF-16 and shows images whatever they are called", async () => {
    const root = realFolder();
    const { use, prepare, run } = createBench(root);
    writeFileSync(join(root, "w.txt"), Buffer.from("\uFEFFhé\nx", "utf16le"));
    expect(await use("Read", { file_path: "w.txt" })).toBe("1\thé\n2\tx");
    const png = Buffer.from("89504e470d0a1a0a0000", "hex");
    writeFileSync(join(root, "picture.dat"), png);
    expect((await run(await prepare("Read", { file_path: "picture.dat" }))).content).toEqual([
      { type: "image", mediaType: "image/png", base64: png.toString("base64") },
    ]);
    truncateSync(join(root, "picture.dat"), 5_000_000);
    expect(await use("Read", { file_path: "picture.dat" })).toMatch(/^ERROR: The image .* 5000000 bytes/);
  });

  test("shows a notebook as cells, and a broken one as text", async () => {
    const root = realFolder();
    const { use } = createBench(root);
    const code = { cell_type: "code", id: "b1", source: ["x = 1\n", "x"], metadata: {}, execution_count: 1 };
    const outputs = [
      { output_type: "stream", text: ["hi\n"] },
      { output_type: "execute_result", data: { "text/plain": "1", "image/png": "AAAA" } },
      { output_type: "error", ename: "E", evalue: "bad" },
    ];
    const cells = [
      { cell_type: "markdown", source: "# T", metadata: {} },
      { ...code, outputs },
    ];
    writeFileSync(join(root, "n.ipynb"), JSON.stringify({ cells, nbformat: 4, nbformat_minor: 5, metadata: {} }));
    expect(await use("Read", { file_path: "n.ipynb" })).toBe(
      '<cell id="cell-0" type="markdown">\n# T\n</cell>\n' +
        '<cell id="b1" type="code">\nx = 1\nx\n<output>\nhi\n\n1\n[image/png]\nE: bad\n</output>\n</cell>',
    );
    writeFileSync(join(root, "n.ipynb"), "{broken");
    expect(await use("Read", { file_path: "n.ipynb" })).toBe("1\t{broken");
  });

  test("says of a PDF how its text can be had", async () => {
    const root = realFolder();
    const { use } = createBench(root);
    writeFileSync(join(root, "a.pdf"), "%PDF-1.4\n1 0 obj << /Type /Page >> endobj\n");
    expect(await use("Read", { file_path: "a.pdf" })).toMatch(
      /^ERROR: .*a\.pdf is a PDF of 42 bytes.*`pdftotext <file> -`/,
    );
  });

  test("names what is near when a file is missing, but nothing that a rule hides", async () => {
    const root = realFolder();
    mkdirSync(join(root, "src"));
    for (const name of ["index.ts", "indexx.js", "other.ts", ".env"]) writeFileSync(join(root, "src", name), "");
    const { use } = createBench(root, { hidden: [`${root}/src/.env`] });
    expect(await use("Read", { file_path: "src/index.js" })).toMatch(/Did you mean src\/index\.ts, src\/indexx\.js\?$/);
    expect(await use("Read", { file_path: "src/.envv" })).toMatch(/^ERROR: There is no file .* working directory is/);
    expect(await use("Read", { file_path: "none/at/all" })).toMatch(/^ERROR: There is no file/);
  });

  test("R5.3 a link swapped in after the judgement does not help", async () => {
    const root = realFolder();
    const { prepare, run } = createBench(root);
    writeFileSync(join(root, "secret"), "secret");
    const call = await prepare("Read", { file_path: "later.txt" });
    symlinkSync("secret", join(root, "later.txt"));
    await expect(run(call)).rejects.toMatchObject({ code: "symlink" });
  });
});
