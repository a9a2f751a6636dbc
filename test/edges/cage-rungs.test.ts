/** Which rung is used: cages that do not hold are passed over, and said. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createGuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";
import { needs } from "../support/needs.ts";
import { linuxRungs, only } from "./rungs.ts";
import { remove } from "../support/remove.ts";
import { writeProgram } from "../support/write-program.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-rungs-")));
const project = join(folder, "project");
mkdirSync(project);
afterAll(() => remove(folder));

const create = (more: { sandbox?: "auto" | "required" | "off"; path?: string; without?: string } = {}) =>
  createGuardedShell({
    projectRoot: project,
    directories: [],
    plansDirectory: join(folder, "plans"),
    settings: { sandbox: more.sandbox ?? "auto" },
    environment: {
      ...process.env,
      PATH: `${more.path ?? ""}:${process.env["PATH"]}`,
      HOME: folder,
      GROUNDPLAN_WITHOUT_RUNGS: more.without ?? "",
    },
  });
const run = { directory: project, confined: true, network: false, timeoutMs: 300_000 };
const landlock = linuxRungs.slice(1).join(",");

function fakeBubblewrap(body: string): string {
  const bin = mkdtempSync(join(folder, "bin-"));
  writeProgram(join(bin, "bwrap"), `#!/bin/bash\n${body}\n`);
  return bin;
}

const bad: readonly (readonly [string, string, RegExp])[] = [
  [
    "does not confine",
    `while [ "$1" != -- ]; do shift; done; shift; export TMPDIR=$(mktemp -d); exec "$@"`,
    /self-test of bubblewrap failed/,
  ],
  ["is forbidden", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1", /forbids user namespaces/],
  ["says nothing", "exit 0", /^the self-test of bubblewrap failed: the cage did not start: exit code 0$/],
];

describe("the rung", () => {
  test.each(bad)("B1.11 a bubblewrap that %s is not used, and the reason is said", async (_name, body, reason) => {
    const rung = await create({ path: fakeBubblewrap(body), without: landlock }).rung();
    expect(rung).toMatchObject({ kind: "none", reason: expect.stringMatching(reason) });
  });

  test("B1.11 after a bubblewrap that does not work comes Landlock", needs("landlock-perl"), async () => {
    const rung = await create({ path: fakeBubblewrap("exit 1") }).rung();
    expect(rung).toMatchObject({ kind: "caged", name: "landlock-perl", passedOver: [/bubblewrap|user namespaces/] });
  });

  test("B1.11 a perl or python3 of the project, or a script in its place, is not used", async () => {
    const bin = mkdtempSync(join(folder, "bin-"));
    for (const name of ["perl", "python3"]) writeProgram(join(bin, name), `#!/bin/bash\ntouch ${folder}/ran\necho 7\n`);
    const rung = await create({ path: bin, without: "bubblewrap" }).rung();
    expect(rung).not.toMatchObject({ program: expect.stringContaining(bin) });
    expect(() => readFileSync(join(folder, "ran"))).toThrow("ENOENT");
  });

  test("B1.11 a required sandbox that is missing runs nothing; switched off it is said", async () => {
    const required = create({ sandbox: "required", without: only(null).GROUNDPLAN_WITHOUT_RUNGS });
    expect(await required.run("echo ran", run)).toMatchObject({ exitCode: 126, stdout: "" });
    expect(await create({ sandbox: "off" }).rung()).toMatchObject({ kind: "none", reason: /switched off/ });
  });
});
