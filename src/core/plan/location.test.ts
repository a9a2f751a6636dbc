import { describe, expect, test } from "vitest";
import { isPlanPath, planFileName, planFileProblem, plansDirectory, type Resolve } from "./location.ts";

const standard = "/home/me/.groundplan/plans";
const asItIs: Resolve = (path) => path;
const linked: Resolve = (path) => (path.startsWith("/repo/out") ? path.replace("/repo/out", "/elsewhere") : path);

function directory(setting: string | null, resolve: Resolve = asItIs) {
  const facts = { setting, projectRoot: "/repo", configHome: "/home/me/.groundplan", platform: "posix" } as const;
  return plansDirectory(facts, resolve);
}

describe("the plans' folder", () => {
  test.each<[string, string | null, Resolve, ReturnType<typeof directory>]>([
    ["no setting", null, asItIs, { path: standard, refused: null }],
    ["a folder of the project", "docs/plans", asItIs, { path: "/repo/docs/plans", refused: null }],
    ["the same with ./", "./docs/plans/", asItIs, { path: "/repo/docs/plans", refused: null }],
    ["an absolute path inside", "/repo/plans", asItIs, { path: "/repo/plans", refused: null }],
    ["..", "../plans", asItIs, { path: standard, refused: "outside-project" }],
    ["a hidden ..", "docs/../../plans", asItIs, { path: standard, refused: "outside-project" }],
    ["an absolute path outside", "/tmp/plans", asItIs, { path: standard, refused: "outside-project" }],
    ["a sibling with the same prefix", "/repo-evil/plans", asItIs, { path: standard, refused: "outside-project" }],
    ["the same by ..", "../repo-evil", asItIs, { path: standard, refused: "outside-project" }],
    ["a symlink that leads out", "out/plans", linked, { path: standard, refused: "outside-project" }],
    ["a way out and in again", "../repo/plans", asItIs, { path: "/repo/plans", refused: null }],
    ["the project itself", ".", asItIs, { path: standard, refused: "outside-project" }],
    ["nothing", " ", asItIs, { path: standard, refused: "empty" }],
    ["a NUL", "plans\0/x", asItIs, { path: standard, refused: "empty" }],
  ])("R3.1 with %s", (_, setting, resolve, expected) => {
    expect(directory(setting, resolve)).toEqual(expected);
  });

  test("R3.1 a project that is itself reached by a symlink keeps its folder", () => {
    expect(directory("plans", (path) => path.replace(/^\/repo/, "/real/repo"))).toEqual({
      path: "/real/repo/plans",
      refused: null,
    });
  });

  test("R3.1 on Windows", () => {
    const facts = { projectRoot: "C:\\repo", configHome: "C:\\me\\.groundplan", platform: "win32" } as const;
    expect(plansDirectory({ ...facts, setting: "plans" }, asItIs)).toEqual({ path: "C:\\repo\\plans", refused: null });
    expect(plansDirectory({ ...facts, setting: "C:\\repo-evil" }, asItIs)).toEqual({
      path: "C:\\me\\.groundplan\\plans",
      refused: "outside-project",
    });
    expect(plansDirectory({ ...facts, setting: "D:\\x" }, asItIs).refused).toBe("outside-project");
  });
});

describe("names", () => {
  test.each<[string, string | undefined, string | null]>([
    ["calm-baking-otter", undefined, "calm-baking-otter.md"],
    ["calm-baking-otter", "a1", "calm-baking-otter-agent-a1.md"],
    ["2026-11-15-añadir-登录-bright", undefined, "2026-11-15-añadir-登录-bright.md"],
    ["calm-baking-otter", "../a1", null],
    ["calm-baking-otter", "a/b", null],
    ["calm-baking-otter", "a\\b", null],
    ["calm-baking-otter", "..", null],
    ["calm-baking-otter", "", null],
    ["calm-baking-otter", "a\0", null],
    ["calm-baking-otter", "a".repeat(65), null],
    ["../calm", undefined, null],
    ["a/b", undefined, null],
    ["", undefined, null],
    ["a--b", undefined, null],
    ["con", undefined, null],
    ["a".repeat(121), undefined, null],
  ])("R3.2 slug %j and agent %j give %j", (slug, agent, name) => {
    expect(planFileName(slug, agent)).toBe(name);
  });

  test.each<[string, string, string | undefined, boolean]>([
    ["/plans/a-b-c.md", "a-b-c", undefined, true],
    ["/plans/a-b-c-agent-x.md", "a-b-c", "x", true],
    ["C:\\plans\\a-b-c.md", "a-b-c", undefined, true],
    ["/plans/a-b-c.md", "a-b-c", "x", false],
    ["/plans/other.md", "a-b-c", undefined, false],
    ["plans/a-b-c.md", "a-b-c", undefined, false],
    ["/plans/../a-b-c.md", "a-b-c", undefined, false],
    ["/plans//a-b-c.md", "a-b-c", undefined, false],
    ["/plans/a-b-c.md/", "a-b-c", undefined, false],
  ])("R3.2 R3.6 %s is the plan of %s (agent %s): %s", (file, slug, agent, expected) => {
    expect(isPlanPath(file, slug, agent)).toBe(expected);
  });
});

describe("the file itself", () => {
  const regular = { isRegular: true, links: 1, realPath: "/plans/a.md" };
  test.each<[string, string, Parameters<typeof planFileProblem>[2], ReturnType<typeof planFileProblem>]>([
    ["a regular file in the folder", "/plans/a.md", regular, null],
    ["no file yet", "/plans/a.md", null, null],
    ["a symlink", "/plans/a.md", { ...regular, realPath: "/etc/passwd" }, "symlink"],
    ["a folder", "/plans/a.md", { ...regular, isRegular: false }, "not-a-file"],
    ["a file with a second name", "/plans/a.md", { ...regular, links: 2 }, "several-links"],
    ["another folder", "/plans/sub/a.md", regular, "not-in-folder"],
    ["a sibling folder", "/plans-evil/a.md", regular, "not-in-folder"],
    ["a way through ..", "/plans/../plans/a.md", regular, "not-in-folder"],
    ["the parent", "/plans/..", null, "not-in-folder"],
  ])("R3.6 %s", (_, file, facts, problem) => {
    expect(planFileProblem(file, "/plans", facts)).toBe(problem);
  });
});
