/** The library's output read by something that stops early, and where it cannot be written. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesBelow, namesBelow } from "../support/walk.ts";
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

test("B5.4 an export into a file is whole or not there: a limit on its size leaves what was, and nothing beside it", () => {
  const folder = join(home, "out");
  mkdirSync(folder);
  writeFileSync(join(folder, "old.md"), "old words\n");
  const written = `"$NODE" "$PROGRAM" plans export plan-making-1 --all --output out`;
  const { stdout, stderr } = run(
    `trap "" XFSZ; ulimit -f 4; ${written}/new.md; echo $?; ${written}/old.md --force; echo $?; ${written}/old.md; echo $?`,
  );
  expect(stdout).toBe("1\n1\n1\n");
  expect(stderr).toMatch(/new\.md cannot be written: EFBIG.*\n/);
  expect(stderr).toMatch(/old\.md cannot be written: EFBIG.*\n/);
  expect(stderr).toContain("old.md is there already; --force writes over it.\n");
  expect(filesBelow(folder)).toEqual(["old.md"]);
  expect(readFileSync(join(folder, "old.md"), "utf8")).toBe("old words\n");
});

test("B5.4 an export follows a link, keeps who may read the file, and says what is no file", () => {
  const folder = join(home, "kept");
  mkdirSync(folder);
  writeFileSync(join(folder, "real.md"), "old words\n", { mode: 0o600 });
  symlinkSync("real.md", join(folder, "link.md"));
  const written = `"$NODE" "$PROGRAM" plans export plan-making-1 --all --force --output`;
  expect(run(`${written} kept/link.md`).status).toBe(0);
  expect(readFileSync(join(folder, "real.md"), "utf8")).toContain("# A plan with a long title");
  expect(statSync(join(folder, "real.md")).mode & 0o777).toBe(0o600);
  expect(namesBelow(folder)).toEqual(["link.md", "real.md"]);
  expect(run(`${written} /dev/stdout | cat`).stdout).toBe(readFileSync(join(folder, "real.md"), "utf8"));
  expect(run(`${written} kept`).stderr).toContain("kept is a folder; name a file in it.\n");
  expect(run(`${written} nowhere/x.md`).stderr).toContain("nowhere/x.md cannot be written: there is no such folder.\n");
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
