/** Which memory files are read, in what order, and how much of them. */
import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { readMemory } from "./memory-files.ts";

async function project(files: Record<string, string>) {
  const folder = realFolder("-memory");
  const projectRoot = join(folder, "project");
  await mkdir(join(projectRoot, "a/b"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(projectRoot, path)), { recursive: true });
    await writeFile(join(projectRoot, path), text);
  }
  return { folder, projectRoot, directory: join(projectRoot, "a/b") };
}

const whole = (path: string, text: string) => ({ path, text, cut: false });

describe("B8.6 project memory", () => {
  test("is AGENTS.md, else CLAUDE.md, of the root and of the folders on the way, the root's first", async () => {
    const places = await project({
      "AGENTS.md": "root\n",
      "CLAUDE.md": "not this\n",
      "a/CLAUDE.md": "a\n",
      "a/b/AGENTS.md": "b\n",
      "a/b/c/AGENTS.md": "below\n",
      "other/AGENTS.md": "beside\n",
    });
    expect(await readMemory(places)).toEqual({
      files: [whole("AGENTS.md", "root\n"), whole("a/CLAUDE.md", "a\n"), whole("a/b/AGENTS.md", "b\n")],
      notes: [],
    });
    expect((await readMemory({ ...places, directory: places.projectRoot })).files).toEqual([
      whole("AGENTS.md", "root\n"),
    ]);
  });

  test("is nothing where there is nothing: no file, a blank one, no folder", async () => {
    expect(await readMemory(await project({ "AGENTS.md": " \n\n" }))).toEqual({ files: [], notes: [] });
    expect(await readMemory({ projectRoot: "/nonexistent", directory: "/nonexistent/x" })).toEqual({
      files: [],
      notes: [],
    });
  });

  test("does not come from above the root, nor from a directory outside of it", async () => {
    const places = await project({ "AGENTS.md": "root\n" });
    await writeFile(join(places.folder, "AGENTS.md"), "above\n");
    await mkdir(join(places.folder, "project-evil"));
    await writeFile(join(places.folder, "project-evil/AGENTS.md"), "evil\n");
    for (const directory of [places.folder, join(places.folder, "project-evil")]) {
      expect((await readMemory({ ...places, directory })).files).toEqual([whole("AGENTS.md", "root\n")]);
    }
  });

  test("is read through a link inside the project, once, and not through one that leads out", async () => {
    const places = await project({ "docs/rules.md": "rules\n", "a/CLAUDE.md": "a\n" });
    await writeFile(join(places.folder, "secret"), "secret\n");
    await symlink("docs/rules.md", join(places.projectRoot, "AGENTS.md"));
    await symlink("../../docs/rules.md", join(places.directory, "AGENTS.md"));
    await symlink(join(places.folder, "secret"), join(places.projectRoot, "a/AGENTS.md"));
    expect(await readMemory(places)).toEqual({
      files: [whole("AGENTS.md", "rules\n"), whole("a/CLAUDE.md", "a\n")],
      notes: ["a/AGENTS.md is not used: it is a link that leads out of the project."],
    });
  });

  test("is text in a regular file", async () => {
    const places = await project({ "AGENTS.md": "a\0b" });
    execFileSync("mkfifo", [join(places.projectRoot, "a/AGENTS.md")]);
    await mkdir(join(places.directory, "AGENTS.md"));
    expect(await readMemory(places)).toEqual({
      files: [],
      notes: [
        "AGENTS.md is not used: it is not text.",
        "a/AGENTS.md is not used: it is not a regular file.",
        "a/b/AGENTS.md is not used: it is not a regular file.",
      ],
    });
  });

  test("is bounded: small files stay whole, large ones share the rest and end with a line", async () => {
    const places = await project({
      "AGENTS.md": "é234567\n".repeat(1000),
      "a/AGENTS.md": "small\n",
      "a/b/AGENTS.md": "x".repeat(5000),
    });
    const { files } = await readMemory({ ...places, limit: 1006 });
    expect(files.map(({ path, text, cut }) => [path, Buffer.byteLength(text), cut])).toEqual([
      ["AGENTS.md", 495, true],
      ["a/AGENTS.md", 6, false],
      ["a/b/AGENTS.md", 500, true],
    ]);
    expect(files[0]!.text.endsWith("\n")).toBe(true);
    const standard = await readMemory(await project({ "AGENTS.md": "é".repeat(100_000) }));
    expect(Buffer.byteLength(standard.files[0]!.text)).toBe(32 * 1024);
    expect(standard.files[0]!.text).toMatch(/^é+$/);
  });
});
