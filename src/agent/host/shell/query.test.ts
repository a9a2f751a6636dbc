import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { verdict } from "../../../shell/index.ts";
import { withReach } from "./query.ts";
import { gatherSituation } from "./shell-situation.ts";
import { remove } from "../../../../test/support/remove.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-query-")));
afterAll(() => remove(home));
writeFileSync(join(home, ".npmrc"), "registry=https://registry.example.invalid/\n");

function judge(command: string, files: Readonly<Record<string, string>> = {}) {
  const directory = mkdtempSync(join(home, "project-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const look = (caged: boolean) =>
    verdict(command, gatherSituation({ platform: "linux", directory, home, caged, gitPrograms: [] }));
  const { verdict: judged, network } = withReach(look(true), { directory, home, uncaged: () => look(false) });
  return { verdict: judged, network };
}

const granted = { verdict: "read-only", network: true };
const alone = { verdict: "unproven", network: false };

describe("the network", () => {
  test.each(["gh pr list", "npm view left-pad version", "kubectl get pods", "aws s3 ls", "docker ps -a", "helm list"])(
    "B1.13 is for one simple proved query: %s",
    (command) => expect(judge(command)).toEqual(granted),
  );

  test.each([
    "hostid; ls",
    "gh pr list; node -e 1",
    "gh pr list && cat README.md",
    "gh pr list | head",
    "gh pr list &",
    "timeout 5 gh pr list",
    "env gh pr list",
    "bash -c 'gh pr list'",
    "GH_DEBUG=1 gh pr list",
    "python3 -m pip index versions requests",
    "for x in a b; do npm view $x; done",
  ])("B1.13 is not for what has company: %s", (command) => {
    expect(judge(command).network).toBe(false);
    expect(judge(command).verdict).not.toBe("read-only");
  });

  test.each<[string, string, string]>([
    ["npm view left-pad", ".npmrc", "registry=http://127.0.0.1:1/"],
    ["pnpm outdated", "package.json", '{"packageManager":"pnpm@9.0.0"}'],
    ["pnpm outdated", ".pnpmfile.cjs", ""],
    ["yarn info left-pad", ".yarnrc.yml", "yarnPath: ./evil.cjs"],
    ["cargo search serde", "rust-toolchain.toml", '[toolchain]\npath = "."'],
    ["cargo search serde", ".cargo/config.toml", "[registry]"],
    ["glab mr list", ".git/glab-cli/config.yml", "host: evil.example.invalid"],
    ["docker compose ps", "compose.yaml", ""],
    ["terraform output", "main.tf", ""],
  ])("B1.13 is not for an address or a program of the project: %s with %s", (command, file, text) => {
    expect(judge(command, { [file]: text })).toEqual(alone);
  });

  test("a plain read needs none and stays what it is", () => {
    expect(judge("ls | head")).toEqual({ verdict: "read-only", network: false });
  });
});

test.each<[string, string]>([
  ["python3 -c 'import json; print(json.loads(\"1\"))'", "json/__init__.pyc"],
  ["python3 -c 'import json; print(json.loads(\"1\"))'", "json/__init__.abi3.so"],
  ["python3 -c 'print(1 / 0)'", "traceback.py"],
  ["node -p 'require(\"./package.json\").name'", "package.json/index.js"],
])("B1.3 code of the directory takes the place of what is loaded: %s beside %s", (command, name) => {
  const uncaged = (file: string): string => {
    const directory = mkdtempSync(join(home, "project-"));
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), "");
    return verdict(command, gatherSituation({ platform: "linux", directory, home, caged: false, gitPrograms: [] }))
      .verdict;
  };
  expect([uncaged(name), uncaged("README.md")]).toEqual(["unproven", "read-only"]);
});
