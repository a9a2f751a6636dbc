/** The library's output read by something that stops early, and where it cannot be written. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesBelow } from "../support/walk.ts";
import { remove } from "../support/remove.ts";

const program = join(import.meta.dirname, "../../dist/bin/groundplan.js");
let home = "";

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "groundplan-pipes-"));
  mkdirSync(join(home, "plans"));
  const text = `# A plan with a long title, ${"so that a pipe is full soon, ".repeat(8)}\n\n${"words\n".repeat(3000)}`;
  for (let plan = 0; plan < 1500; plan += 1) writeFileSync(join(home, "plans", `plan-making-${plan}.md`), text);
});
afterAll(() => remove(home));

function run(script: string) {
  return spawnSync("bash", ["-c", script], {
    cwd: home,
    encoding: "utf8",
    env: { ...process.env, GROUNDPLAN_HOME: home, NODE: process.execPath, PROGRAM: program },
  });
}

test.each(["plans list --all", "plans list --all --json", "plans search words --all --limit 1500", "sessions list"])(
  "B5.4 %s | head -1 ends quietly",
  (command) => {
    const { stderr, stdout } = run(`"$NODE" "$PROGRAM" ${command} | head -c 20 >/dev/null; echo "\${PIPESTATUS[0]}"`);
    expect(stderr.replaceAll(/groundplan: .*\n/g, "")).toBe("");
    expect(stdout).toBe("0\n");
  },
);

test.skipIf(!existsSync("/dev/full"))("B5.4 a full disk is told in one line, and is a failure", () => {
  const { stderr, status } = run(`"$NODE" "$PROGRAM" plans list --all >/dev/full`);
  expect(stderr).toMatch(/^(groundplan: The plan index .*\n)?groundplan: the output cannot be written: ENOSPC.*\n$/);
  expect(status).toBe(1);
});

test("B4.4 a headless run whose reader is gone stops as if it were interrupted; its session is whole and free", () => {
  const args = '-p "round the total" --model scout --permission-mode plan --output-format stream-json';
  const { stderr, stdout } = run(`"$NODE" "$PROGRAM" ${args} | head -c 20 >/dev/null; echo "\${PIPESTATUS[0]}"`);
  expect(stderr).not.toContain("EPIPE");
  expect(["130\n", "3\n"]).toContain(stdout);
  const left = filesBelow(join(home, "sessions"));
  expect(left.filter((name) => name.endsWith(".lock"))).toEqual([]);
  expect(left.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
});
