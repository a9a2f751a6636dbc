/** Trust and the state file: kept, private, and robust against damage. */
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../test/support/folder.ts";
import { openState } from "./state-file.ts";

async function fresh() {
  const folder = realFolder("-state");
  const configHome = join(folder, "home");
  const project = join(folder, "project");
  await mkdir(join(project, "inner"), { recursive: true });
  const warnings: string[] = [];
  const state = openState({ configHome, now: () => 7, warn: (message) => warnings.push(message) });
  return { folder, configHome, project, file: join(configHome, "state.json"), warnings, state };
}

const empty = { trust: {}, tips: {}, granted: {}, optIns: {}, sessions: 0 };

describe("trust", () => {
  test("R17.3 a folder is trusted only after the person said so: that one, by its real path", async () => {
    const { state, project, folder, warnings } = await fresh();
    expect(await state.isTrusted(project)).toBe(false);
    await state.trust(project);
    await symlink(project, join(folder, "link"));
    expect(await state.isTrusted(project)).toBe(true);
    expect(await state.isTrusted(join(folder, "link"))).toBe(true);
    expect(await state.isTrusted(join(project, "inner"))).toBe(false);
    expect(await state.isTrusted(folder)).toBe(false);
    expect(await state.isTrusted("__proto__")).toBe(false);
    expect(warnings).toEqual([]);
  });

  test("R14.7 the file is 0600 in a folder of 0700, and nothing else stays behind", async () => {
    const { state, project, configHome, file } = await fresh();
    await state.trust(project);
    expect((await stat(configHome)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(configHome)).toEqual(["state.json"]);
  });
});

describe("the state", () => {
  test("reading makes no file", async () => {
    const { state, folder } = await fresh();
    expect(await state.read()).toEqual(empty);
    expect(await readdir(folder)).toEqual(["project"]);
  });

  test("keys of a newer version are kept", async () => {
    const { state, project, configHome, file } = await fresh();
    await mkdir(configHome);
    await writeFile(file, JSON.stringify({ future: [1], trust: { "/a": { at: 1, by: "x" } } }));
    await state.trust(project);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      ...empty,
      future: [1],
      trust: { "/a": { at: 1, by: "x" }, [project]: { at: 7 } },
    });
  });

  test("many changes at once are all kept", async () => {
    const { state } = await fresh();
    await Promise.all(
      Array.from({ length: 25 }, () => state.update((before) => ({ ...before, sessions: before.sessions + 1 }))),
    );
    expect((await state.read()).sessions).toBe(25);
  });

  test.each(["{ nope", "[]", '{"trust":[]}', '{"trust":{"/a":true}}', '{"optIns":{"auto":"yes"}}', "\0"])(
    "a damaged file counts as empty and trusts nobody, is set aside, and a warning says so: %j",
    async (text) => {
      const { state, project, configHome, file, warnings } = await fresh();
      await mkdir(configHome);
      await writeFile(file, text);
      expect(await state.isTrusted(project)).toBe(false);
      expect(warnings).toEqual([`${file} is damaged and is taken for empty; it is kept as ${file}.broken.`]);
      expect(await readFile(`${file}.broken`, "utf8")).toBe(text);
      await state.trust(project);
      expect(await state.isTrusted(project)).toBe(true);
      expect(warnings).toHaveLength(1);
    },
  );

  test("a config home that cannot be written rejects the change", async () => {
    const { folder } = await fresh();
    await writeFile(join(folder, "file"), "");
    const state = openState({ configHome: join(folder, "file/home"), now: () => 7, warn: () => undefined });
    await expect(state.trust(folder)).rejects.toThrow("ENOTDIR");
    expect(await state.read()).toEqual(empty);
  });
});
