/** The build rewrites the providers' modules: only the versions that we know, and never without noticing that they changed. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { slimmed }: { readonly slimmed: (name: string, text: string) => string } = await import(
  `${root}scripts/slim-providers.mjs`
);
const packages = ["anthropic", "google", "openai", "openai-compatible", "provider", "provider-utils"];

describe("providers are bundled without what they carry along", () => {
  test.each(packages)("@ai-sdk/%s looks as the build expects", (name) => {
    const slim = slimmed(name, moduleOf(name));
    expect(slim).not.toMatch(/import \{ z\b.*"zod\/v4"/);
    expect(slim.startsWith("const Headers")).toBe(name === "provider-utils");
  });

  test.each([
    ["anthropic", /import \{ z(?: as \w+)? \} from "zod\/v4"/g, 'import { zz } from "zod/v4"'],
    ["openai-compatible", /import \{ z(?: as \w+)? \} from "zod\/v4"/g, ""],
    ["provider-utils", "new Headers(normalizeHeaders(headers))", "joined(headers)"],
    ["provider-utils", "ZodFirstPartyTypeKind", "Kind"],
  ])("another %s fails the build", (name, pattern, text) => {
    expect(() => slimmed(name, moduleOf(name).replaceAll(pattern as string, text))).toThrow(/slim-providers\.mjs/);
  });

  test("a package that nobody looked at fails the build", () => {
    expect(() => slimmed("mistral", "")).toThrow(/not known/);
  });

  test("their versions are pinned", () => {
    const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const versions = Object.entries(dependencies).filter(([name]) => name.startsWith("@ai-sdk/"));
    expect(versions.length).toBe(5);
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

function moduleOf(name: string): string {
  return readFileSync(`${root}node_modules/@ai-sdk/${name}/dist/index.mjs`, "utf8");
}
