/** The kept self-test, from outside: made by the first command, used by the next, and made anew where it cannot be believed. */
import { chmodSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { only } from "../edges/rungs.ts";
import { finish, program } from "../headless/program.ts";
import { needs } from "../support/needs.ts";
import { spawn } from "node:child_process";
import { cagedStage, type CagedStage } from "./caged.ts";

const day = 24 * 60 * 60 * 1000;

/** After a first command. */
async function recorded() {
  const stage = cagedStage();
  expect(await stage.run("cat a.txt")).toEqual({ code: 0, stdout: "one\n", stderr: "" });
  const file = recordsOf(stage)[0]!;
  /** Whether the next command tested again; it runs in any case. */
  const isTestedAnew = async () => {
    const before = statSync(file).ino;
    expect(await stage.run("cat a.txt")).toEqual({ code: 0, stdout: "one\n", stderr: "" });
    return statSync(file).ino !== before;
  };
  return { stage, file, text: readFileSync(file, "utf8"), isTestedAnew };
}

function recordsOf({ home }: CagedStage): string[] {
  return readdirSync(join(home, "cages")).map((name) => join(home, "cages", name));
}

test("the next command believes it, for one that comes a day later it is made anew", needs("bubblewrap"), async () => {
  const { file, text, isTestedAnew } = await recorded();
  expect(JSON.parse(text)).toMatchObject({ rung: "bubblewrap", passedOver: [] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await isTestedAnew()).toBe(false);
  const { at } = JSON.parse(text) as { at: number };
  for (const time of [at - day, at + day]) {
    writeFileSync(file, text.replace(String(at), String(time)));
    expect(await isTestedAnew()).toBe(true);
    expect(await isTestedAnew()).toBe(false);
  }
});

test("a forged one is not believed, and is replaced", needs("bubblewrap"), async () => {
  const { file, text, isTestedAnew } = await recorded();
  const forged = text.replace("bubblewrap", "landlock-python");
  writeFileSync(file, forged);
  chmodSync(file, 0o666);
  expect(await isTestedAnew()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ rung: "bubblewrap" });
  writeFileSync(file, text.replace(/"key":"../, '"key":"zz'));
  expect(await isTestedAnew()).toBe(true);
  renameSync(file, `${file}.other`);
  symlinkSync(`${file}.other`, file);
  expect(await isTestedAnew()).toBe(true);
});

test("each set of rungs has its own", needs("bubblewrap", "landlock-perl"), async () => {
  const { stage } = await recorded();
  expect((await stage.run("cat a.txt", only("landlock-perl"))).code).toBe(0);
  const rungs = recordsOf(stage).map((file) => (JSON.parse(readFileSync(file, "utf8")) as { rung: string }).rung);
  expect(rungs.toSorted()).toEqual(["bubblewrap", "landlock-perl"]);
});

test("doctor makes it, and always anew", needs("bubblewrap"), async () => {
  const stage = cagedStage();
  const doctor = () =>
    finish(spawn(process.execPath, [program, "doctor"], { cwd: stage.repository, env: stage.environment }), "");
  expect((await doctor()).stdout).toContain("self-test passed");
  const [file, ...more] = recordsOf(stage);
  expect(more).toEqual([]);
  const made = statSync(file!).ino;
  expect((await stage.run("cat a.txt")).stdout).toBe("one\n");
  expect(recordsOf(stage).map((path) => statSync(path).ino)).toEqual([made]);
  await doctor();
  expect(statSync(file!).ino).not.toBe(made);
});
