/** What the documents for people say of the house is so: paths, links, settings, widths. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { filesBelow } from "./support/walk.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (page: string): string => readFileSync(join(root, page), "utf8");
const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "AGENTS.md",
  ...filesBelow(join(root, "docs")).map((name) => `docs/${name}`),
  ...filesBelow(join(root, "examples")).map((name) => `examples/${name}`),
].filter((page) => page.endsWith(".md") && !/^docs\/spec\/|docs\/conformance|^examples\/plans\//.test(page));

describe.each(pages)("%s", (page) => {
  test("every link to a file leads to one", () => {
    const links = [...read(page).matchAll(/\]\(([^)\s#]+)\)/g)].map((match) => match[1]!);
    const broken = links.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(root, dirname(page), link)));
    expect(broken).toEqual([]);
  });

  test("every path that it names exists", () => {
    expect(pathsIn(page).filter((path) => !places(page).some((place) => existsSync(join(place, path))))).toEqual([]);
  });
});

test("the README has no line above 100 columns, in tables neither", () => {
  expect(
    read("README.md")
      .split("\n")
      .filter((line) => /^.{101}/u.test(line)),
  ).toEqual([]);
});

test("the rules for contributors fit on a page", () => {
  expect(read("AGENTS.md").split("\n").length).toBeLessThanOrEqual(80);
});

test("the paths of the house are found in the text, so that the test above can fail", () => {
  expect(pathsIn("ARCHITECTURE.md")).toEqual(
    expect.arrayContaining(["core/decide/gate.ts", "faces/terminal/screen/paint.ts", "test/seams", "agent/auto/"]),
  );
  expect(pathsIn("README.md")).toContain("src/core/decide/decide.ts");
});

test("every setting, and no other, stands in the page of settings", () => {
  const schema = JSON.parse(read("schema/settings.schema.json")) as { readonly properties: object };
  const table = read("docs/settings.md").split("## Every key")[1]!.split("\n## ")[0]!;
  const named = [...table.matchAll(/^\| (`.*?) \|/gm)].map((row) => row[1]!).join(" ");
  expect(named.match(/[$\w]+/g)!.toSorted()).toEqual(Object.keys(schema.properties).toSorted());
});

/** In backquotes, with a slash and a known folder or ending; braces are spelled out. */
function pathsIn(page: string): readonly string[] {
  const quoted = [
    ...read(page)
      .replaceAll(/```[\s\S]*?```/g, "")
      .matchAll(/`([^`\s]+)`/g),
  ].map((match) => match[1]!);
  const room =
    /^(src|test|docs|scripts|bench|examples|schema|\.ci|core|shell|prompts|agent|scout|mail|faces|program|cli|testing)\//;
  return quoted
    .filter((text) => (room.test(text) || /^[\w./{},-]+\.(ts|mjs|sh)$/.test(text)) && !/[*<>…$]/.test(text))
    .flatMap((text) => {
      const [, before = "", inside = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(text) ?? ["", text];
      return text.includes("{") ? inside.split(",").map((part) => `${before}${part}${after}`) : [text];
    });
}

/** From the root, from the source, from the page; in the table of rooms from each room. */
function places(page: string): readonly string[] {
  const rooms = [...read("ARCHITECTURE.md").matchAll(/^\| `([a-z/]+)\/` \|/gm)].map((match) => `src/${match[1]!}`);
  const own = page === "ARCHITECTURE.md" ? rooms : [];
  return ["", "src", dirname(page), ...own].map((place) => join(root, place));
}
