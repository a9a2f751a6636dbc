/** Where submodules keep their settings, in real repositories. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { probeGit } from "../../src/agent/host/launch/git-config.ts";
import { remove } from "../support/remove.ts";

const folder = mkdtempSync(join(tmpdir(), "groundplan-modules-"));
afterAll(() => remove(folder));

function repository(name: string): string {
  const root = join(folder, name);
  execFileSync("git", ["init", "-q", root]);
  mkdirSync(join(root, ".git/modules/inner/modules/deep"), { recursive: true });
  writeFileSync(join(root, ".git/modules/inner/modules/deep/config"), "[diff]\n\texternal = ./evil\n");
  return root;
}

const probe = (directory: string) =>
  probeGit({ directory, environment: { PATH: process.env["PATH"]!, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" } });

test("B1.5 the settings of a submodule within a submodule are known", async () => {
  const { known, overrides } = await probe(repository("nested"));
  expect({ known, keys: overrides.map(({ key }) => key) }).toEqual({ known: true, keys: ["diff.external"] });
});

test.each([
  ["out of the modules", "modules/out", "/"],
  ["round in a circle", "modules/inner/round", "../.."],
  ["to a configuration elsewhere", "modules/inner/config", "../../config"],
])("B1.5 where a link leads %s nothing is known, and nothing is walked for it", async (_where, link, target) => {
  const root = repository(link.replaceAll("/", "-"));
  symlinkSync(target, join(root, ".git", link));
  expect(await probe(root)).toMatchObject({ known: false });
});

test("a link that names no folder and no configuration is none of its business", async () => {
  const root = repository("old-head");
  symlinkSync("refs/heads/main", join(root, ".git/modules/inner/HEAD"));
  expect(await probe(root)).toMatchObject({ known: true });
});
