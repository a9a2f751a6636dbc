/** Which files are read, as what, and what happens with files that cannot be. */
import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { mergeSettings } from "../../core/settings/settings.ts";
import { loadSettings } from "./files.ts";
import { problemText } from "./text.ts";

async function places() {
  const folder = realFolder("-settings");
  const at = { configHome: join(folder, "home"), projectRoot: join(folder, "project é"), directory: folder };
  await mkdir(at.configHome);
  await mkdir(join(at.projectRoot, ".groundplan"), { recursive: true });
  return {
    ...at,
    user: join(at.configHome, "settings.json"),
    project: join(at.projectRoot, ".groundplan/settings.json"),
    local: join(at.projectRoot, ".groundplan/settings.local.json"),
  };
}

const write = async (path: string, settings: unknown): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof settings === "string" ? settings : JSON.stringify(settings));
};

describe("the files", () => {
  test("none of them need be there, nor the folders", async () => {
    const nowhere = { configHome: "/nonexistent/a", projectRoot: "/nonexistent/b", directory: "/" };
    expect(await loadSettings(nowhere)).toEqual({ sources: [], problems: [] });
  });

  test("user, project, local and --settings are read, each with its origin and file", async () => {
    const at = await places();
    await write(at.user, { theme: "dark" });
    await write(at.project, { theme: "light" });
    await write(at.local, '// mine\n{ "theme": "auto", }');
    await write(join(at.directory, "more.json"), { planLength: "cut" });
    const loaded = await loadSettings({ ...at, argument: "more.json" });
    expect(loaded).toEqual({
      sources: [
        { origin: "user", file: at.user, settings: { theme: "dark" } },
        { origin: "project", file: at.project, settings: { theme: "light" } },
        { origin: "local", file: at.local, settings: { theme: "auto" } },
        { origin: "command line", file: join(at.directory, "more.json"), settings: { planLength: "cut" } },
      ],
      problems: [],
    });
    expect(mergeSettings(loaded.sources, { trusted: true }).settings).toMatchObject({
      theme: "auto",
      planLength: "cut",
    });
  });

  test("R2.4 --settings takes JSON too: defaultMode plan from the command line", async () => {
    const at = await places();
    const { sources } = await loadSettings({ ...at, argument: ' {"defaultMode": "plan"}' });
    expect(sources).toEqual([{ origin: "command line", file: "--settings", settings: { defaultMode: "plan" } }]);
  });

  test("in the home directory the person's file is not taken for a project's", async () => {
    const at = await places();
    const configHome = join(at.projectRoot, ".groundplan");
    await write(at.project, { editor: "vi" });
    const { sources } = await loadSettings({ ...at, configHome });
    expect(sources.map(({ origin }) => origin)).toEqual(["user"]);
    await symlink(configHome, join(at.directory, "link"));
    expect((await loadSettings({ ...at, configHome: join(at.directory, "link") })).sources).toHaveLength(1);
  });
});

describe("B8.4 what does not hold is a problem with its place, and nothing of that file is used", () => {
  test("each file's problems are told, the good files are still there", async () => {
    const at = await places();
    await write(at.user, { theme: "dark" });
    await write(at.project, '{\n  "permissions": {\n    "deny": ["Bash(rm:*)"],\n    "defaultMode": "plan"\n  }\n}');
    await write(at.local, "{ nope");
    const { sources, problems } = await loadSettings({ ...at, argument: '{"themes": 1}' });
    expect(sources.map(({ origin }) => origin)).toEqual(["user"]);
    expect(problems.map(problemText)).toEqual([
      `${at.project}:4:5: "defaultMode" does not belong inside "permissions"; move it to the top level.`,
      `${at.local}:1:3: this is not JSON: put names and texts in double quotes.`,
      '--settings:1:2: unknown setting "themes"; did you mean "theme"?',
    ]);
  });

  test("a missing --settings file, a folder, a pipe, a huge file, and text that is not UTF-8", async () => {
    const at = await places();
    const first = async (argument: string) => (await loadSettings({ ...at, argument })).problems.map(problemText);
    const path = (name: string) => join(at.directory, name);
    expect(await first("missing.json")).toEqual([
      `${path("missing.json")}:1:1: there is no such file; --settings takes a file, or JSON that begins with {.`,
    ]);
    expect(await first(".")).toEqual([`${at.directory}:1:1: this is not a regular file; put the settings into one.`]);
    execFileSync("mkfifo", [path("pipe")]);
    expect(await first("pipe")).toEqual([
      `${path("pipe")}:1:1: this is not a regular file; put the settings into one.`,
    ]);
    await writeFile(path("huge"), "x".repeat(1024 * 1024 + 1));
    expect(await first("huge")).toEqual([`${path("huge")}:1:1: this is larger than 1 MB; settings are small.`]);
    await writeFile(path("latin"), Buffer.from([0x7b, 0xe9, 0x7d]));
    expect(await first("latin")).toEqual([`${path("latin")}:1:1: this is not UTF-8 text; save it as UTF-8.`]);
  });
});
