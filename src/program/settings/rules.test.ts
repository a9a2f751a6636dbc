/** "Always allow" and the file it is kept in. */
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { saveLocalRule } from "./rules.ts";

async function project() {
  const folder = realFolder("-rule");
  const projectRoot = join(folder, "project");
  await mkdir(projectRoot);
  const file = join(projectRoot, ".groundplan/settings.local.json");
  const save = (rule: string) => saveLocalRule({ configHome: join(folder, "home"), projectRoot, rule });
  const put = async (text: string): Promise<void> => {
    await mkdir(join(projectRoot, ".groundplan"), { recursive: true });
    await writeFile(file, text);
  };
  return { projectRoot, file, save, put };
}

describe("R17.2 always allow", () => {
  test("makes the folder and the file", async () => {
    const { file, save, projectRoot } = await project();
    expect(await save("Bash(npm test)")).toEqual({ kind: "added", file });
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ permissions: { allow: ["Bash(npm test)"] } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(projectRoot, ".groundplan"))).toEqual(["settings.local.json"]);
  });

  test("keeps comments, layout, line ends and mode of the file", async () => {
    const { file, save, put } = await project();
    await put(
      '// mine\r\n{\r\n\t// why\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Bash(ls)" // list\r\n\t\t]\r\n\t}\r\n}\r\n',
    );
    await chmod(file, 0o640);
    expect(await save("Edit(src/**)")).toEqual({ kind: "added", file });
    expect(await readFile(file, "utf8")).toBe(
      '// mine\r\n{\r\n\t// why\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Bash(ls)",\r\n\t\t\t"Edit(src/**)" // list\r\n\t\t]\r\n\t}\r\n}\r\n',
    );
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  test.each([
    ["", '{\n  "permissions": {\n    "allow": [\n      "Edit"\n    ]\n  }\n}\n'],
    ["// later\n", '// later\n{\n  "permissions": {\n    "allow": [\n      "Edit"\n    ]\n  }\n}\n'],
    ["{}", '{\n  "permissions": {\n    "allow": [\n      "Edit"\n    ]\n  }\n}'],
    [
      '{ "permissions": { "allow": [], "deny": ["Bash"] } }',
      '{\n  "permissions": {\n    "allow": [\n      "Edit"\n    ],\n    "deny": [\n      "Bash"\n    ]\n  }\n}',
    ],
  ])("into %j", async (before, after) => {
    const { file, save, put } = await project();
    await put(before);
    expect(await save("Edit")).toEqual({ kind: "added", file });
    expect(await readFile(file, "utf8")).toBe(after);
    expect(await save("Edit")).toEqual({ kind: "present", file });
    expect(await readFile(file, "utf8")).toBe(after);
  });

  test("a trailing comma and a byte order mark do no harm", async () => {
    const { file, save, put } = await project();
    await put('\uFEFF{ "permissions": { "allow": ["Edit",], }, }');
    expect(await save("Write")).toEqual({ kind: "added", file });
    expect(await save("Write")).toEqual({ kind: "present", file });
  });

  test("many at once are all kept", async () => {
    const { file, save } = await project();
    const rules = Array.from({ length: 20 }, (_, index) => `Bash(make ${index})`);
    expect((await Promise.all(rules.map(save))).map(({ kind }) => kind)).toEqual(rules.map(() => "added"));
    const { permissions } = JSON.parse(await readFile(file, "utf8")) as { permissions: { allow: string[] } };
    expect(permissions.allow.toSorted()).toEqual(rules.toSorted());
  });

  test("a broken file is left as it is, and the place of the problem is told", async () => {
    const { file, save, put } = await project();
    await put('{ "permissions": \n');
    expect(await save("Edit")).toEqual({
      kind: "failed",
      file,
      message: `${file}:2:1: this is not JSON: a value is missing here.`,
    });
    expect(await readFile(file, "utf8")).toBe('{ "permissions": \n');
  });

  test("what is not a rule is not written", async () => {
    const { file, save } = await project();
    expect(await save("Bash()")).toEqual({ kind: "failed", file, message: '"Bash()" is not a rule.' });
  });

  test("neither a linked folder nor a linked file is written through", async () => {
    const { projectRoot, file, save } = await project();
    const elsewhere = realFolder("-elsewhere");
    await symlink(elsewhere, join(projectRoot, ".groundplan"));
    expect(await save("Edit")).toEqual({
      kind: "failed",
      file,
      message: `${join(projectRoot, ".groundplan")} is a symbolic link.`,
    });
    expect(await readdir(elsewhere)).toEqual([]);
  });
});
