import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanPath, personalPath, searchPath } from "./search-path.ts";
import { remove } from "../../../../test/support/remove.ts";

describe("the PATH of a child", () => {
  test.each([
    ["/usr/bin:/bin", "/usr/bin:/bin"],
    [".:/usr/bin", "/usr/bin"],
    ["/usr/bin:", "/usr/bin"],
    ["bin:./x:../y:/usr/bin", "/usr/bin"],
    ["/home/ada/proj/bin:/usr/bin", "/usr/bin"],
    ["/home/ada/proj:/usr/bin", "/usr/bin"],
    ["/home/ada/proj/../proj/bin:/usr/bin", "/usr/bin"],
    ["/home/ada/project2/bin:/usr/bin", "/home/ada/project2/bin:/usr/bin"],
    ["/opt/x/node_modules/.bin:/usr/bin", "/usr/bin"],
    ["/usr/bin:/usr/bin", "/usr/bin"],
    [undefined, "/usr/local/bin:/usr/bin:/bin"],
    ["./only", "/usr/local/bin:/usr/bin:/bin"],
  ])("B1.5 %s becomes %s", (was, is) => {
    expect(cleanPath(was, ["/home/ada/proj"])).toBe(is);
  });

  test("a person's own keeps what they chose, without what npm puts before it", () => {
    expect(personalPath("/p/node_modules/.bin:/n/node-gyp-bin::x:/p/.venv/bin:/bin")).toBe("/p/.venv/bin:/bin");
    expect(personalPath(undefined)).toBe("/usr/local/bin:/usr/bin:/bin");
  });
});

describe("where programs are looked for", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-path-")));
  const [home, tree, project] = [join(folder, "home"), join(folder, "tree"), join(folder, "tree/packages/a")];
  for (const place of [join(home, "bin"), join(tree, ".git"), join(tree, "tools"), join(project, "bin")])
    mkdirSync(place, { recursive: true });
  symlinkSync(join(tree, "tools"), join(home, "linked"));
  afterAll(() => remove(folder));
  const look = (path: string, directory = project) => searchPath({ path, directories: [directory], home });

  test("B1.12 not in the project, nor in the work tree above it, nor through a link into one", () => {
    const path = [join(project, "bin"), join(tree, "tools"), join(home, "linked"), join(home, "bin"), "/bin"].join(":");
    expect(look(path)).toBe(`${join(home, "bin")}:/bin`);
  });

  test("B1.12 a project that is reached through a link is the same project", () => {
    symlinkSync(project, join(folder, "alias"));
    expect(look(`${join(project, "bin")}:${join(folder, "alias/bin")}:/bin`, join(folder, "alias"))).toBe("/bin");
  });

  test("a home that is kept in git keeps its programs", () => {
    mkdirSync(join(home, ".git"));
    mkdirSync(join(home, "code/b"), { recursive: true });
    expect(look(`${join(home, "bin")}:/bin`, join(home, "code/b"))).toBe(`${join(home, "bin")}:/bin`);
  });

  test("where nothing is left the usual folders are looked at", () => {
    expect(look(join(tree, "tools"))).toBe("/usr/local/bin:/usr/bin:/bin");
  });
});
