/** `groundplan receipt` and `groundplan verify --receipt`: what was approved is what was done, on another machine too (B16.1, B16.2). */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseReceipt } from "../../src/agent/proof/read-receipt.ts";
import { canonicalJson, type Json } from "../../src/core/proof/canonical.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import { receiptOf, receiptShape } from "../../src/core/proof/receipt.ts";
import { program } from "../headless/program.ts";
import { carriedOut, elsewhere, parsed, plan } from "./proof-stage.ts";

test("B16.1 a receipt binds task, text, approver, log, difference and results, from the work tree as from the commit", async () => {
  const stage = await carriedOut();
  const base = stage.git("rev-parse", "HEAD").trim();
  const before = parsed(await stage.receipt());
  expect(receiptShape.safeParse(before).success).toBe(true);
  expect(before).toMatchObject({
    approval: { by: { surface: "command line" }, hash: hashText(plan), mode: "acceptEdits" },
    checks: [{ command: "test -f c.ts", exitCode: 0, passed: true, timedOut: false }],
    log: { session: stage.sessionId, seal: expect.stringMatching(/^[0-9a-f]{32}$/) },
    plan: { hash: hashText(plan), text: plan, revision: 1, title: "Change a and b", source: null },
    steps: [
      { title: "Change `a.ts`", done: false, files: ["a.ts"], checks: [{ passed: true }] },
      { title: "Change `b.ts`", checks: [{ command: "test -s b.ts", passed: true }] },
      { title: "Tell people", checks: [] },
    ],
    task: "plan it",
    work: { base, head: null, files: [{ path: "a.ts", status: "M" }, { path: "b.ts" }] },
  });
  stage.commit("the work");
  const after = parsed(await stage.receipt());
  expect(after.work).toEqual({ ...before.work, head: stage.git("rev-parse", "HEAD").trim() });
  const raw = stage.git("diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", base, "HEAD");
  expect(after.work.difference).toBe(createHash("sha256").update(raw).digest("hex"));
});

test("B16.1 neither a time that was set back nor a mode alone hides a change, and what was there before the approval is none", async () => {
  const stage = await carriedOut({
    files: { "old.ts": "old\n" },
    dirty: { "before.ts": "mine\n", "old.ts": "mine\n" },
  });
  const path = (name: string): string => join(stage.repository, name);
  writeFileSync(path("c.ts"), "x\n");
  writeFileSync(path("new.ts"), "x\n");
  for (const name of ["c.ts", "new.ts"]) utimesSync(path(name), 1000, 1000);
  execFileSync("chmod", ["755", path("b.ts")]);
  const { work } = parsed(await stage.receipt());
  expect(work.files.map(({ path: name, modes }) => [name, modes])).toEqual([
    ["a.ts", "100644 100644"],
    ["b.ts", "100644 100755"],
    ["c.ts", "100644 100644"],
    ["new.ts", "000000 100644"],
  ]);
});

test("B16.2 a clean receipt passes in another clone with the repository alone, the receipt in it too", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  writeFileSync(join(stage.repository, "receipt.json"), text);
  stage.commit("the work and its receipt");
  const other = elsewhere(stage);
  const run = await other.run("verify", "--receipt", "receipt.json", "--diff", "HEAD~1..HEAD");
  expect([run.stderr, run.code]).toEqual(["", 0]);
  expect(run.stdout).toContain("What was approved is what was done.");
  expect(run.stdout).toContain("unverified:");
  const json = await other.run("verify", "--receipt", "receipt.json", "--diff", "HEAD~1...HEAD", "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({ passed: true, files: ["a.ts", "b.ts"], signer: null });
  expect((await other.run("verify", "--receipt", "receipt.json", "--diff", "HEAD~1")).code).toBe(0);
});

test("B16.1 a receipt that lies in the repository is no part of the work, named or by the shell, the second time too", async () => {
  const stage = await carriedOut({ files: { "proof/receipt.json": "an earlier one\n" } });
  const first = await stage.run(["receipt", "-o", "proof/receipt.json"]);
  expect([first.code, first.stdout]).toEqual([0, ""]);
  stage.commit("the work and its receipt");
  const verify = ["verify", "--receipt", "proof/receipt.json", "--diff", "HEAD~1..HEAD"];
  expect((await stage.run(verify)).code).toBe(0);
  const command = `"${process.execPath}" "${program}" receipt > proof/receipt.json`;
  const env = { PATH: process.env["PATH"], HOME: stage.home, GROUNDPLAN_HOME: stage.home };
  execFileSync("sh", ["-c", command], { cwd: stage.repository, env, stdio: "pipe" });
  const second = parsed(readFileSync(join(stage.repository, "proof", "receipt.json"), "utf8"));
  expect(second.work).toMatchObject({
    head: stage.git("rev-parse", "HEAD").trim(),
    files: [{ path: "a.ts" }, { path: "b.ts" }],
  });
  stage.git("commit", "-qam", "the receipt anew", "--amend");
  expect((await stage.run(verify)).code).toBe(0);
  const mine = join(stage.home, "mine");
  writeFileSync(mine, "keep\n");
  symlinkSync(mine, join(stage.repository, "planted.json"));
  expect((await stage.run(["receipt", "-o", "planted.json"])).code).toBe(0);
  expect(readFileSync(mine, "utf8")).toBe("keep\n");
  const nowhere = await stage.run(["receipt", "-o", "a.ts/receipt.json"]);
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be written") });
});

const lies: readonly (readonly [string, (text: string) => string, RegExp])[] = [
  ["the plan", (text) => text.replace("# Change a and b", "# Change a and c"), /The plan was changed/],
  [
    "a file's blob",
    (text) => text.replace(/("to": ")(.)/, (_, head: string, one: string) => head + other(one)),
    /The difference, or its commits, was changed/,
  ],
  [
    "the base",
    (text) => text.replace(/("base": ")(.)/, (_, head: string, one: string) => head + other(one)),
    /The difference, or its commits, was changed/,
  ],
  [
    "a check of the plan",
    (text) =>
      text.replace(
        '"command": "test -f c.ts",\n      "exitCode": 0',
        '"command": "test -f c.ts",\n      "exitCode": 1',
      ),
    /The result of a check was changed/,
  ],
  [
    "a step's check",
    (text) => text.replace('"command": "test -s b.ts"', '"command": "test -d b.ts"'),
    /A step, or the result of its check, was changed/,
  ],
  ["the approver", (text) => text.replace(/("user": ")(.)/, "$1X"), /The approval was changed/],
  ["the task", (text) => text.replace('"task": "plan it"', '"task": "plan at"'), /The task was changed/],
  [
    "the log's head",
    (text) => text.replace(/("seal": ")(.)/, (_, head: string, one: string) => head + other(one)),
    /The head of the session's log was changed/,
  ],
  ["the order of lines", swapped, /lines are not in their order, from line 2 on/],
  ["a blank more", (text) => text.replace('"version": 1', '"version":  1'), /not written as one is, from line \d+ on/],
  ["a key twice", (text) => text.replace('  "task":', '  "task": "other",\n  "task":'), /says "task" twice/],
];
const other = (digit: string): string => (digit === "0" ? "1" : "0");

/** The task first, everything else as it was. */
function swapped(text: string): string {
  const [first, ...lines] = text.split("\n");
  const task = lines.findIndex((line) => line.startsWith('  "task"'));
  return [first, lines[task], ...lines.slice(0, task), ...lines.slice(task + 1)].join("\n");
}

test("B16.2 a receipt changed by one byte is refused, each part with its own words", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  stage.commit("the work");
  const machine = elsewhere(stage);
  for (const [what, change, words] of lies) {
    const lie = change(text);
    expect([what, lie === text]).toEqual([what, false]);
    const file = machine.keep("lie.json", lie);
    const run = await machine.run("verify", "--receipt", file, "--diff", "HEAD~1..HEAD");
    expect([what, run.code, run.stdout]).toEqual([what, 1, expect.stringMatching(words)]);
    expect(run.stdout).toContain("breaks the plan:");
  }
});

test("B16.2 no byte of a receipt can be another one", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  expect("receipt" in parseReceipt(text)).toBe(true);
  const accepted: string[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const bent = text.slice(0, at) + String.fromCharCode(unit === 0x78 ? 0x79 : unit ^ 1) + text.slice(at + 1);
    if ("receipt" in parseReceipt(bent)) accepted.push(`${at}: ${text.slice(at - 20, at + 20)}`);
  }
  expect(accepted).toEqual([]);
});

test("B16.2 a difference that leaves the plan, or is not that of the receipt, is refused and said file by file", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  writeFileSync(join(stage.repository, "c.ts"), "more\n");
  writeFileSync(join(stage.repository, "b.ts"), "other\n");
  stage.commit("the work, and more");
  const machine = elsewhere(stage);
  const file = machine.keep("receipt.json", text);
  const run = await machine.run("verify", "--receipt", file, "--diff", "HEAD~1..HEAD");
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(
    /breaks the plan:[^✗]*b\.ts is not as it was when the receipt was made[^✗]*c\.ts was changed after/,
  );
  expect(run.stdout).toMatch(/outside of the plan:\n +c\.ts was changed/);
  machine.git("checkout", "-q", "HEAD~1", "--", "b.ts", "c.ts");
  const less = await machine.run("verify", "--receipt", file, "--diff", "HEAD~1");
  expect(less.stdout).toMatch(/breaks the plan:\n +b\.ts is in the receipt, and not in this difference/);
  expect(less.stdout).toMatch(/not done:\n +b\.ts is named in the plan, and was not changed/);
  expect(less.stdout.indexOf("breaks the plan")).toBeLessThan(less.stdout.indexOf("not done"));
});

test("B16.2 a receipt whose checks failed is refused, though nothing in it was changed", async () => {
  const stage = await carriedOut({ text: plan.replace("test -s b.ts", "test -d b.ts") });
  const text = await stage.receipt();
  stage.commit("the work");
  const machine = elsewhere(stage);
  const range = ["--diff", "HEAD~1..HEAD"];
  const { digests: _, format: __, version: ___, ...body } = parsed(text);
  const forged = canonicalJson(receiptOf({ ...body, checks: [], steps: [] }) as Json);
  const without = await machine.run("verify", "--receipt", machine.keep("f.json", forged), ...range);
  expect(without.stdout).toContain("test -d b.ts is a check of the plan, and the receipt has no result of it.");
  const run = await machine.run("verify", "--receipt", machine.keep("r.json", text), ...range);
  expect(run).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("test -d b.ts failed (exit 1) when the receipt"),
  });
});

test("B16.2 a plan named beside the receipt must be the receipt's", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  stage.commit("the work");
  const machine = elsewhere(stage);
  const receipt = ["--receipt", machine.keep("r.json", text), "--diff", "HEAD~1..HEAD"];
  expect((await machine.run("verify", machine.keep("plan.md", plan), ...receipt)).code).toBe(0);
  const run = await machine.run("verify", machine.keep("plan.md", `${plan}\nMore.\n`), ...receipt);
  expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining("The receipt is for another plan") });
});

test("B16.1 digests alone fit any body: a plan that its hash does not name, or that was not approved, is refused", async () => {
  const stage = await carriedOut();
  const { digests: _, format: __, version: ___, ...body } = parsed(await stage.receipt());
  const forged = (change: Partial<typeof body>) =>
    parseReceipt(canonicalJson(receiptOf({ ...body, ...change }) as Json));
  expect(forged({ plan: { ...body.plan, text: "# Other\n" } })).toEqual({
    problems: ["The plan's text is not the one that its hash names."],
  });
  const text = "# Other\n";
  expect(forged({ plan: { ...body.plan, text, hash: hashText(text) } })).toEqual({
    problems: ["The approval is for another text than the receipt's plan."],
  });
});

test("B16.1 a repository that names its objects by SHA-256 has receipts as any other", async () => {
  vi.stubEnv("GIT_DEFAULT_HASH", "sha256");
  onTestFinished(() => void vi.unstubAllEnvs());
  const stage = await carriedOut();
  const text = await stage.receipt();
  expect(parsed(text).work.base).toMatch(/^[0-9a-f]{64}$/);
  stage.commit("the work");
  const machine = elsewhere(stage);
  const run = await machine.run("verify", "--receipt", machine.keep("r.json", text), "--diff", "HEAD~1..HEAD");
  expect([run.code, run.stderr]).toEqual([0, ""]);
});
