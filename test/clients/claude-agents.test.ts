/** An agent of Claude Code's own whose name a file bears: its hooks and its work tree are the project's. */
import { describe, expect, test } from "vitest";
import { isReplaced } from "../../src/clients/claude-agents.ts";

function replacedBy(files: Readonly<Record<string, string | null>>): boolean {
  const paths = Object.keys(files);
  const listNames = (folder: string): readonly string[] => {
    const below = paths.filter((path) => path.startsWith(`${folder}/`));
    return [...new Set(below.map((path) => path.slice(folder.length + 1).split("/")[0]!))];
  };
  const sight = { environment: { HOME: "/home/u" }, readText: (path: string) => files[path] ?? null, listNames };
  return isReplaced("Explore", "/work/project/src", sight);
}

const head = (lines: string): string => `---\n${lines}\ndescription: "a\\nb: c"\n---\nDo it.\n`;

describe("B11.2 an agent that the client brings along", () => {
  test.each([
    "/work/project/.claude/agents/x.md",
    "/work/project/src/.claude/agents/deep/er/x.md",
    "/work/.claude/agents/x.md",
    "/home/u/.claude/agents/x.md",
  ])("is replaced by %s", (path) => {
    expect(replacedBy({ [path]: head("name: Explore") })).toBe(true);
    expect(replacedBy({ [path]: head("name: reviewer") })).toBe(false);
  });

  test.each([
    "name: 'Explore'",
    'name: "Explore" ',
    "name:   explore",
    "name: >-\n  Explore",
    'name: "\\x45xplore"',
    "name: other\nname: Explore",
    'name: other\n"name": Explore',
    "name: other\nn\\x61me: Explore",
    "name: other\n? name\n: Explore",
    "{name: Explore}",
    "name: &a Explore",
    "name: Explore # mine",
  ])("is replaced where the head says %j", (lines) => {
    expect(replacedBy({ "/work/project/.claude/agents/x.md": head(lines) })).toBe(true);
  });

  test.each([
    "---\f\nname: Explore\ndescription: x\n---\n",
    "---\u00a0\nname: Explore\ndescription: x\n---\n",
    "---\rname: Explore\rdescription: x\r---\r",
    "---\ndescription: x\nname: Explore---\n",
  ])("is replaced where a head begins or ends in another way: %j", (text) => {
    expect(replacedBy({ "/work/project/.claude/agents/x.md": text })).toBe(true);
    expect(replacedBy({ "/work/project/.claude/agents/x.MD": text })).toBe(true);
  });

  test("is replaced where a file cannot be read, or is larger than what is read", () => {
    expect(replacedBy({ "/work/project/.claude/agents/x.md": null })).toBe(true);
    expect(replacedBy({ "/work/project/.claude/agents/x.txt": null })).toBe(false);
  });

  test("is replaced where there are more files than anybody reads", () => {
    const files = Array.from({ length: 600 }, (_, at) => [
      `/work/project/.claude/agents/${at}.md`,
      head(`name: a${at}`),
    ]);
    expect(replacedBy(Object.fromEntries(files))).toBe(true);
    expect(replacedBy(Object.fromEntries(files.slice(0, 100)))).toBe(false);
    expect(replacedBy({ "/work/project/.claude/agents/README.md": "# Agents\n" })).toBe(false);
  });
});
