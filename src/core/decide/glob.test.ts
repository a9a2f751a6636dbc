import { expect, test } from "vitest";
import { parseGlob } from "./glob.ts";

test.each<[string, string, boolean]>([
  ["/a/*.ts", "/a/b.ts", true],
  ["/a/*.ts", "/a/.ts", true],
  ["/a/*.ts", "/a/b/c.ts", false],
  ["/a/**/c.ts", "/a/c.ts", true],
  ["/a/**/c.ts", "/a/b/b/c.ts", true],
  ["/a/**/c.ts", "/a/bc.ts", false],
  ["/a/**", "/a", true],
  ["/a/**", "/ab", false],
  ["/a/**.ts", "/a/b/c.ts", true],
  ["/a/?.ts", "/a/b.ts", true],
  ["/a/?.ts", "/a//.ts", false],
  ["/a/[bc].ts", "/a/c.ts", true],
  ["/a/[!bc].ts", "/a/c.ts", false],
  ["/a/[!bc].ts", "/a/d.ts", true],
  ["/a/{b,c}.ts", "/a/c.ts", true],
  ["/a/{b,c}.ts", "/a/d.ts", false],
  ["/a/{b,{c,d}}.ts", "/a/d.ts", true],
  ["/a/{b", "/a/{b", true],
  ["/a/b,c}", "/a/b,c}", true],
  ["/a/[b", "/a/[b", true],
  ["/a/b.ts", "/a/bxts", false],
  ["/a/(b)+$.ts", "/a/(b)+$.ts", true],
  ["/a/*", "/a/ü\n.ts", true],
  ["/a/[z-a].ts", "/a/[z-a].ts", true],
])("R17.1 the glob %s on %j: %s", (glob, path, matches) => {
  expect(parseGlob(glob).test(path)).toBe(matches);
});

test.each<[string, string]>([
  [`/${"*a".repeat(200)}b`, `/${"a".repeat(4000)}`],
  [`/${"**/*".repeat(200)}b`, `/${"a/".repeat(2000)}`],
  [`/${"{a,a*,*a}".repeat(100)}b`, `/${"a".repeat(4000)}`],
  [`/${"{".repeat(500)}a,b${"}".repeat(500)}${"*".repeat(999)}c`, `/${"a".repeat(4000)}`],
])("B1.14 a hostile glob is matched in bounded steps: %.20s…", (glob, path) => {
  expect(parseGlob(glob).test(path)).toBe(false);
});
