import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scout } from "./scout.ts";

const place = mkdtempSync(join(tmpdir(), "groundplan-cli-scout-"));
const home = process.env["GROUNDPLAN_HOME"];
beforeAll(() => {
  process.env["GROUNDPLAN_HOME"] = join(place, "home");
  for (let at = 0; at < 30; at += 1) writeFileSync(join(place, `file${at}.ts`), `export const lantern${at} = 1;\n`);
  writeFileSync(join(place, "package.json"), '{"scripts":{"test":"vitest"}}');
});
afterAll(() => {
  if (home === undefined) delete process.env["GROUNDPLAN_HOME"];
  else process.env["GROUNDPLAN_HOME"] = home;
  rmSync(place, { recursive: true });
});

test("B10.2 --json prints twenty files with scores and reasons, and the commands, and nothing else on stdout", async () => {
  const { code, out, err } = await run("Change lantern7", "--json", "--cwd", place);
  const answer: unknown = JSON.parse(out);
  expect(code).toBe(0);
  expect(answer).toEqual({
    files: Array.from({ length: 20 }, () => ({
      path: expect.any(String),
      score: expect.any(Number),
      why: expect.any(String),
    })),
    commands: ["npm test"],
  });
  expect(out).toContain('{"files":[{"path":"file7.ts","score":1,"why":"');
  expect(err).toBe("groundplan: not a git repository: history is not used\n");
});

test("without --json the list is for people, with the commands below", async () => {
  const { code, out } = await run("Change", "lantern7", "--cwd", place);
  expect(code).toBe(0);
  expect(out).toMatch(/^1\.000 {2}file7\.ts\n {7}\S.*\n/);
  expect(out).toContain("\nTo verify:\n  npm test\n");
});

test("no task, or an option it does not know, is wrong usage", async () => {
  const usage = "usage: groundplan scout <task> [--json] [--cwd <dir>]\n";
  expect([await run(), await run("  ")]).toEqual([
    { code: 2, out: "", err: usage },
    { code: 2, out: "", err: usage },
  ]);
  expect(await run("x", "--jsn")).toEqual({
    code: 2,
    out: "",
    err: "groundplan: Unknown option '--jsn'; did you mean --json? See groundplan scout --help.\n",
  });
  expect(await run("--help")).toEqual({ code: 0, out: usage, err: "" });
});

async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = await scout(args, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}
