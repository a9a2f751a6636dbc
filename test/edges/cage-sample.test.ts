/** The cage alone over the labelled sample: the guard's tables are off, the raw text runs. */
import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { createGuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";
import { runCommand } from "../../src/agent/host/shell/run-command.ts";
import { buildProject, differenceOf, pictureOf } from "./project.ts";
import { inParallel, sampleCommands } from "./tools.ts";
import { needs } from "../support/needs.ts";

/** Their effect is at a service, not on this machine. */
const services = new Set(["network", "remote-write", "remote-read"]);
/** What some of them would leave elsewhere. */
const outsideOfProject = ["/tmp/PWNED", "/tmp/evil", "/tmp/st.txt", "/dev/null.txt", "/run/screen"];

describe("the cage over the sample", needs("bubblewrap"), () => {
  const project = buildProject();
  const shell = createGuardedShell({
    projectRoot: project.root,
    directories: [],
    plansDirectory: `${project.home}/.groundplan/plans`,
    settings: { sandbox: "required" },
    environment: project.environment,
  });
  afterAll(() => {
    shell.close();
    project.remove();
  });
  const options = { directory: project.root, confined: true, network: false, timeoutMs: 4_000, outputLimit: 4_000 };

  test("B1.4 no writing command changes a file of the host", async () => {
    expect(await shell.rung()).toMatchObject({ kind: "caged" });
    const commands = sampleCommands().filter(({ label, class: kind }) => label === "write" && !services.has(kind));
    expect(commands.length).toBeGreaterThan(190);
    const before = pictureOf(project.folder);
    await inParallel(commands, ({ cmd }) => shell.run(cmd, options));
    expect(differenceOf(before, pictureOf(project.folder))).toEqual([]);
    expect(outsideOfProject.filter((path) => existsSync(path))).toEqual([]);
  });

  test("B1.4 every harmless command keeps its exit status", async () => {
    const commands = sampleCommands().filter(({ label, class: kind }) => label === "read" && !services.has(kind));
    expect(commands.length).toBeGreaterThan(130);
    const bare = await inParallel(commands, ({ cmd }) =>
      runCommand({
        argv: ["/bin/bash", "--noprofile", "--norc", "-c", cmd],
        directory: project.root,
        environment: { ...project.environment, GIT_OPTIONAL_LOCKS: "0", PAGER: "cat" },
        timeoutMs: 120_000,
        ending: "searched",
      }),
    );
    const caged = await inParallel(commands, ({ cmd }) => shell.run(cmd, { ...options, timeoutMs: 120_000 }));
    const different = commands.flatMap(({ cmd }, index) =>
      bare[index]!.exitCode === caged[index]!.exitCode
        ? []
        : [{ cmd, bare: bare[index]!.exitCode, caged: caged[index]!.exitCode, says: caged[index]!.stderr }],
    );
    expect(different).toEqual([]);
  });
});
