/** What is closed stays closed, whatever a repository or a copied work tree says; a project's programs do not run unasked. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { probeGit } from "../../src/agent/host/launch/git-config.ts";
import { createGuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";
import { needs } from "../support/needs.ts";
import { linuxRungs, only } from "./rungs.ts";
import { remove } from "../support/remove.ts";
import { writeProgram } from "../support/write-program.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-closed-")));
const project = join(home, "project");
const own = join(home, ".groundplan");
mkdirSync(join(own, "plans"), { recursive: true });
mkdirSync(join(own, "pack"));
writeFileSync(join(own, "log.key"), "TOP-SECRET\n");
mkdirSync(join(project, "sub/objects/info"), { recursive: true });
mkdirSync(join(project, "sub/refs"));
writeFileSync(join(project, "sub/HEAD"), "ref: refs/heads/main\n");
writeFileSync(join(project, "sub/config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
writeFileSync(join(project, "sub/objects/info/alternates"), `${own}\n`);
afterAll(() => remove(home));

const shellIn = (projectRoot: string, environment: Record<string, string>, sandbox: "required" | "off" = "required") =>
  createGuardedShell({
    projectRoot,
    directories: [],
    plansDirectory: join(own, "plans"),
    closed: [own],
    settings: { sandbox },
    environment: { ...process.env, HOME: home, ...environment },
  });
const confined = { confined: true, network: false, timeoutMs: 300_000 };

describe.each(linuxRungs)("our own home in the cage by %s", (rung) => {
  test("B1.5 cannot be read where a repository calls it its store of objects", needs(rung), async () => {
    const shell = shellIn(project, only(rung));
    const judged = await shell.judge(`git --git-dir=sub log; cat ${own}/log.key`, project);
    const { stdout } = await shell.run(judged, { ...confined, directory: project });
    shell.close();
    expect([judged.gitDirectories, stdout]).toEqual([[join(project, "sub")], ""]);
  });

  test("B1.16 cannot be read where the work tree around it would be a copy", needs(rung, "overlay"), async () => {
    const shell = shellIn(home, only(rung));
    const run = { ...confined, directory: home, onCopy: true };
    const key = await shell.run("cat .groundplan/log.key; echo a > made && cat made; true", run);
    const hidden = await shell.run("cat project/sub/HEAD; true", { ...run, hide: [home] });
    shell.close();
    expect([key.stdout, hidden.stdout, existsSync(join(home, "made"))]).toEqual(["", "", false]);
  });
});

test("B1.5 an alternate counts where it looks like a store of objects", async () => {
  const other = join(home, "other");
  mkdirSync(join(other, "info"), { recursive: true });
  mkdirSync(join(home, "plain"));
  const alternates = join(project, "sub/objects/info/alternates");
  const before = readFileSync(alternates, "utf8");
  writeFileSync(alternates, `${other}\n${home}/plain\n${home}/missing\n`);
  const { repository } = await probeGit({
    directory: join(project, "sub"),
    environment: { PATH: "/usr/bin:/bin", HOME: home },
  });
  writeFileSync(alternates, before);
  expect(repository?.directories).toEqual([join(project, "sub"), other]);
});

test("B1.12 what only a mode let through finds no program in the project; what a person allowed does", async () => {
  const programs = join(project, ".venv/bin");
  mkdirSync(programs, { recursive: true });
  writeProgram(join(programs, "touch"), "#!/bin/sh\necho of the project\n");
  const shell = shellIn(project, { PATH: `${programs}:/usr/bin:/bin` }, "off");
  const run = { ...confined, confined: false, directory: project };
  const unasked = await shell.run("touch new", { ...run, unasked: true });
  const asked = await shell.run("touch new", run);
  shell.close();
  expect([unasked.stdout, existsSync(join(project, "new")), asked.stdout]).toEqual(["", true, "of the project\n"]);
});
