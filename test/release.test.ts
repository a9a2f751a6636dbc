/** What a release needs: the workflow may prove where it was built, names no registry and no token; every file that the package names is built. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Package {
  readonly version: string;
  readonly man: readonly string[];
  readonly files: readonly string[];
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const own = JSON.parse(read("package.json")) as Package;

test("the workflow publishes with provenance, by the identity of its run alone", () => {
  const workflow = read(".github/workflows/release.yml");
  expect(workflow).toMatch(/^ {4}permissions:\n {6}contents: read\n {6}id-token: write$/m);
  expect(workflow).toMatch(/publish --provenance --access public --ignore-scripts$/m);
  expect(workflow.match(/id-token/g)).toHaveLength(1);
  expect(workflow).not.toMatch(/registry-url|_authToken|secrets\.|https?:/);
});

test("the Nodes that it tries begin with the oldest that the package allows", () => {
  const tried = JSON.parse(/node: (\[.*\])/.exec(read(".github/workflows/release.yml"))![1]!) as readonly string[];
  expect(`>=${tried[0]}`).toBe(own.engines.node);
  expect(tried.slice(1)).toEqual(["22", "24"]);
});

test("the manual page is named in a list: npm links no other", () => {
  expect(own.man).toEqual(["./dist/man/groundplan.1"]);
});

test("nothing runs at an install, and what only the bundle needs is not installed", () => {
  expect(Object.keys(own.scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);
  expect(Object.keys(own.dependencies).filter((name) => /koffi|highlight|preact|codemirror/.test(name))).toEqual([]);
});

test("the plugin's marketplace names the plugin beside it, at the package's version", () => {
  const market = JSON.parse(read("plugin/.claude-plugin/marketplace.json")) as {
    readonly name: string;
    readonly owner: { readonly name: string };
    readonly plugins: readonly { readonly name: string; readonly source: string; readonly version: string }[];
  };
  const plugin = JSON.parse(read("plugin/.claude-plugin/plugin.json")) as { readonly name: string };
  expect(own.files).toContain("plugin");
  expect(market.owner.name).not.toBe("");
  expect(market.plugins).toEqual([
    { name: plugin.name, source: "./", description: expect.any(String) as string, version: own.version },
  ]);
});
