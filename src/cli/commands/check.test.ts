import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { check } from "./check.ts";
import { findProjectTools } from "./project-tools.ts";

async function run(args: readonly string[], input: readonly (string | Buffer)[] = []) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await check(args, { stdin: Readable.from(input, { objectMode: false }), stdout, stderr });
  return { code, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? "") };
}

describe("groundplan check <command>", () => {
  test.each([
    ["ls -la", 0, "read-only: every part of it only reads\n"],
    ["rm x", 1, "writes: rm changes files\n"],
    ["ls && rm x", 1, 'writes: rm changes files\n  "rm x" at 6\n'],
    ["frobnicate", 2, "unproven: frobnicate is not known to only read\n"],
    ["", 2, "unproven: there is no command\n"],
  ])("%j ends with %i", async (command, code, out) => {
    expect(await run([command])).toEqual({ code, out, err: "" });
  });

  test.each([[[]], [["ls", "-la"]], [["--frob"]], [["--jsonl", "ls"]]])("%j is wrong usage", async (args) => {
    const { code, err } = await run(args);
    expect([code, err.startsWith("usage: ")]).toEqual([64, true]);
  });

  test.each([
    ["base64.py", "import base64; print(base64.b64decode('aGk='))"],
    ["hashlib.py", "import hashlib; print(hashlib.md5().hexdigest())"],
    ["binascii.py", "import base64; print(base64.b64decode('aGk='))"],
    ["linecache.py", "print(1)"],
    ["traceback.py", "print(1/0)"],
  ])("B1.3 %s of the folder could be loaded by python3 -c %j, which then proves nothing", async (file, line) => {
    const folder = realFolder();
    vi.spyOn(process, "cwd").mockReturnValue(folder);
    const command = `python3 -c "${line}"`;
    expect((await run([command])).code).toBe(0);
    writeFileSync(join(folder, file), "");
    expect((await run([command])).code).toBe(2);
  });

  test.each([".cargo/config.toml", "a/b/c/d/.cargo/config.toml", "node_modules/x/.cargo/config.toml"])(
    "B1.3 cargo is not believed in a folder whose configuration was not looked at: %s",
    async (file) => {
      const folder = realFolder();
      vi.spyOn(process, "cwd").mockReturnValue(folder);
      const place = dirname(dirname(file));
      const command = `cd ${place} && cargo tree --locked`;
      expect((await run([command])).code).toBe(0);
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), '[build]\nrustc = "./evil"\n');
      expect((await run([command])).code).toBe(2);
      symlinkSync(join(folder, place), join(folder, "link"));
      expect((await run(["cd link && cargo tree --locked"])).code).toBe(2);
    },
  );

  test("B1.3 folders past those that are looked at are told as unseen", () => {
    const folder = realFolder();
    for (let at = 0; at < 410; at += 1) mkdirSync(join(folder, `f${at}`));
    expect(findProjectTools(folder).projectUnseen).toHaveLength(11);
  });

  test("a command after -- may look like an option", async () => {
    expect((await run(["--", "--frob"])).code).toBe(2);
  });
});

describe("groundplan check --jsonl", () => {
  test("answers every line in order, a bad one with an error in its place", async () => {
    const lines = ['{"cmd":"ls"}', "not json", "", '{"cmd":1}', "[]", '{"cmd":"ls > x","id":7}'];
    const { code, out } = await run(["--jsonl"], [lines.join("\n")]);
    const error = 'not a JSON object with a string "cmd"';
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { cmd: "ls", verdict: "read-only", reason: "every part of it only reads", span: null },
      { error, line: 2 },
      { error, line: 3 },
      { error, line: 4 },
      { error, line: 5 },
      { cmd: "ls > x", verdict: "writes", reason: '> writes to "x"', span: [3, 6] },
    ]);
  });

  test("a line ends with a line feed alone, wherever the chunks are cut", async () => {
    const bytes = Buffer.from('{"cmd":"echo ä\u2028"}\n{"cmd":"ls"}\n');
    const { out } = await run(
      ["--jsonl"],
      [...bytes].map((byte) => Buffer.from([byte])),
    );
    const verdicts = out.match(/"verdict":"[^"]+"/g);
    expect(verdicts).toEqual(['"verdict":"unproven"', '"verdict":"read-only"']);
  });

  test("bytes that are not UTF-8 are unproven", async () => {
    const line = Buffer.concat([Buffer.from('{"cmd":"ls '), Buffer.from([0xff]), Buffer.from('"}\n')]);
    expect((await run(["--jsonl"], [line])).out).toContain('"verdict":"unproven"');
  });

  test("an input that fails ends with 64", async () => {
    const stdin = new Readable({ read: () => stdin.destroy(new Error("gone")) });
    const sink = new PassThrough();
    expect(await check(["--jsonl"], { stdin, stdout: sink, stderr: sink })).toBe(64);
  });
});
