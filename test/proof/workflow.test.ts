/** The workflow of examples/ci: its commands are run as they stand (B16.2). */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { program } from "../headless/program.ts";
import { carriedOut, elsewhere, type Elsewhere } from "./proof-stage.ts";

const workflow = readFileSync(new URL("../../examples/ci/verify-receipt.yml", import.meta.url), "utf8");
const [, block = ""] = /^ {8}run: \|\n((?: {10}.*\n)+)/m.exec(workflow) ?? [];
const commands = block.replaceAll(/^ {10}/gm, "");

/** As the runner starts a step: with pipefail only where it names its shell. */
const shell = /^ {8}shell: bash$/m.test(workflow) ? ["-e", "-o", "pipefail"] : ["-e"];

function runStep({ directory }: Elsewhere, base: string): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env["PATH"],
    HOME: directory,
    GROUNDPLAN_HOME: join(directory, "..", "home"),
    GROUNDPLAN: `${process.execPath} ${program}`,
    BASE: base,
    GITHUB_WORKSPACE: directory,
    GITHUB_STEP_SUMMARY: join(directory, "..", "summary"),
  };
  return new Promise((settle) => {
    execFile("bash", [...shell, "-c", commands], { cwd: join(directory, ".."), env }, (error, stdout, stderr) =>
      settle({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

test("B16.2 the workflow lets a pull request through that is what was approved, and no other", async () => {
  expect(commands).toContain("verify --cwd");
  expect(workflow).toContain("fetch-depth: 0");
  const stage = await carriedOut();
  const base = stage.git("rev-parse", "HEAD").trim();
  const [, typed = ""] = /`groundplan (receipt [^`]+)`/.exec(workflow) ?? [];
  expect(await stage.run(typed.split(" "))).toMatchObject({ code: 0, stdout: "" });
  stage.commit("the work and its receipt");
  const machine = elsewhere(stage);
  const good = await runStep(machine, base);
  expect([good.code, good.output]).toEqual([0, expect.stringContaining("What was approved is what was done.")]);
  expect(readFileSync(join(machine.directory, "..", "summary"), "utf8")).toContain("What was approved");
  writeFileSync(join(machine.directory, "c.ts"), "more\n");
  machine.git("commit", "-qam", "one thing more");
  const bad = await runStep(machine, base);
  expect([bad.code, bad.output]).toEqual([1, expect.stringMatching(/outside of the plan:\n +c\.ts/)]);
});
