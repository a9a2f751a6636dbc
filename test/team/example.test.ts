/** `examples/team`, run as its README says, with the answers played. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../examples/team/run.mjs", import.meta.url));

test("B9.1 B10.1 the example: three teammates on scout, four plans, one sent back, all approved, nothing changed", async () => {
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], TMPDIR: process.env["TMPDIR"] };
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--play"], { env: environment });
  const [, ending] = stdout.split("── How it ended");
  expect(ending!.trim().split("\n").slice(1)).toEqual([
    "ann: exit code 0, approved",
    "bob: exit code 0, sent back, then approved",
    "cyd: exit code 0, approved",
    "No file of the project was changed: scout plans, and does not code.",
  ]);
  expect(stdout.match(/^── A plan of (ann|bob|cyd)@default/gm)).toHaveLength(4);
  expect(stdout).toContain("“add src/cart.js”");
});
