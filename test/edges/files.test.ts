/** The Files port against a real file system: links, races, crashes, names. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { createFiles } from "../../src/agent/host/files/files.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import { realFolder } from "../support/folder.ts";
import { remove } from "../support/remove.ts";
import { until } from "../support/until.ts";

const files = createFiles({ home: "/home/someone" });
const systems = [
  ["with handles that know their path", files, true],
  ["with paths compared before and after", createFiles({ pathOf: () => Promise.resolve(undefined) }), false],
] as const;
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (error: unknown) => (error as { code?: string }).code,
  );
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
const pause = (ms: number): Promise<void> => new Promise((next) => setTimeout(next, ms));

describe("R5.3 a path is resolved before it is judged", () => {
  test("relative parts, `..`, `.` and `~`", async () => {
    const root = realFolder();
    mkdirSync(join(root, "a/b"), { recursive: true });
    expect(await files.canonical("./a/../a//b/new.md", root)).toBe(join(root, "a/b/new.md"));
    expect(await files.canonical("../../../../../../../etc/passwd", root)).toBe("/etc/passwd");
    expect(await files.canonical("~/x", root)).toBe("/home/someone/x");
    expect(await files.canonical("/", root)).toBe("/");
  });

  test("links in the middle, at the end, dangling, and `..` behind a link", async () => {
    const root = realFolder();
    mkdirSync(join(root, "real/deep"), { recursive: true });
    symlinkSync("real/deep", join(root, "link"));
    symlinkSync(join(root, "nowhere/target"), join(root, "dangling"));
    expect(await files.canonical("link/new/file", root)).toBe(join(root, "real/deep/new/file"));
    expect(await files.canonical("link/../x", root)).toBe(join(root, "real/x"));
    expect(await files.canonical("dangling", root)).toBe(join(root, "nowhere/target"));
    expect(await files.canonical("missing/../link/x", root)).toBe(join(root, "real/deep/x"));
  });

  test("a circle of links and a NUL are refused", async () => {
    const root = realFolder();
    symlinkSync("b", join(root, "a"));
    symlinkSync("a", join(root, "b"));
    expect(await codeOf(files.canonical("a/x", root))).toBe("symlink");
    expect(await codeOf(files.canonical("plan.md\0.txt", root))).toBe("bad-path");
  });

  test("names with spaces, quotes, line ends and Unicode stay what they are", async () => {
    const root = realFolder();
    for (const name of ["a b", "ünï code 日本語.md", 'quo"te', "line\nend", "-dash", "e\u0301.txt"]) {
      writeFileSync(join(root, name), name);
      expect(await files.canonical(name, root)).toBe(join(root, name));
      expect(new TextDecoder().decode(await files.readBytes(join(root, name)))).toBe(name);
    }
  });
});

describe.each(systems)("reading opens the judged file alone, %s", (_, files) => {
  test("R3.6 a link at the end or in a folder of the path is not followed", async () => {
    const root = realFolder();
    mkdirSync(join(root, "secret"));
    writeFileSync(join(root, "secret/key"), "secret");
    symlinkSync("secret/key", join(root, "plan.md"));
    symlinkSync("secret", join(root, "plans"));
    expect(await codeOf(files.readBytes(join(root, "plan.md")))).toBe("symlink");
    expect(await codeOf(files.readBytes(join(root, "plans/key")))).toBe("swapped");
  });

  test("folders, pipes and missing files have codes of their own, and a pipe does not block", async () => {
    const root = realFolder();
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(root, "pipe")]);
    expect(await codeOf(files.readBytes(root))).toBe("not-a-file");
    expect(await codeOf(files.readBytes(join(root, "pipe")))).toBe("not-a-file");
    expect(await codeOf(files.readBytes(join(root, "none")))).toBe("missing");
    expect(await codeOf(files.readBytes("relative"))).toBe("bad-path");
    expect(await files.stat(join(root, "pipe"))).toMatchObject({ kind: "other" });
    expect(await files.stat(join(root, "none/deeper"))).toBe(null);
  });

  test("a range of a 200 MB file costs its own size", async () => {
    const path = join(realFolder(), "huge");
    writeFileSync(path, "head");
    truncateSync(path, 200 * 1024 * 1024);
    expect((await files.readBytes(path, { offset: 2, limit: 10 })).length).toBe(10);
    expect((await files.readBytes(path, { offset: 200 * 1024 * 1024 - 3 })).length).toBe(3);
  });

  test("files of the system that claim to be empty are read", async () => {
    const path = await files.canonical("/proc/self/status", "/");
    expect(new TextDecoder().decode(await files.readBytes(path))).toContain("Name:");
  });
});

describe.each(systems)("R3.5 writing is atomic, %s", (_, files, knowsPaths) => {
  test("makes folders, keeps the mode, leaves nothing beside the file", async () => {
    const root = realFolder();
    const path = join(root, "new/folder/a.sh");
    await files.writeText(path, "one");
    chmodSync(path, 0o751);
    await files.writeText(path, "two");
    expect(readFileSync(path, "utf8")).toBe("two");
    expect(statSync(path).mode & 0o777).toBe(0o751);
    await files.writeText(join(root, "own"), "x", { mode: 0o600 });
    expect(statSync(join(root, "own")).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(root, "new/folder"))).toEqual(["a.sh"]);
  });

  test("R3.6 a plan file that is a link to a secret is refused and the secret untouched", async () => {
    const root = realFolder();
    writeFileSync(join(root, "secret"), "secret");
    mkdirSync(join(root, "plans"));
    symlinkSync("../secret", join(root, "plans/plan.md"));
    expect(await codeOf(files.writeText(join(root, "plans/plan.md"), "x"))).toBe("symlink");
    expect(await files.claim(join(root, "plans/plan.md"))).toBe(false);
    expect(readFileSync(join(root, "secret"), "utf8")).toBe("secret");
    expect(readdirSync(join(root, "plans"))).toEqual(["plan.md"]);
  });

  test("R3.6 a link in any folder of the path is refused, also where folders are to be made", async () => {
    const root = realFolder();
    mkdirSync(join(root, "outside"));
    symlinkSync("outside", join(root, "plans"));
    expect(await codeOf(files.writeText(join(root, "plans/plan.md"), "x"))).not.toBe("no error");
    expect(await codeOf(files.writeText(join(root, "plans/a/b/plan.md"), "x"))).not.toBe("no error");
    expect(await codeOf(files.claim(join(root, "plans/plan.md")))).not.toBe("no error");
    expect(readdirSync(join(root, "outside"))).toEqual([]);
  });

  test("R3.6 a second name of a plan file is refused; of other files it is left alone", async () => {
    const root = realFolder();
    writeFileSync(join(root, "source.ts"), "old");
    linkSync(join(root, "source.ts"), join(root, "plan.md"));
    expect(await codeOf(files.writeText(join(root, "plan.md"), "x", { refuseHardLinks: true }))).toBe("hard-link");
    await files.writeText(join(root, "plan.md"), "new");
    expect(readFileSync(join(root, "source.ts"), "utf8")).toBe("old");
  });

  test("folders, pipes and bad paths are refused without leaving a trace", async () => {
    const root = realFolder();
    mkdirSync(join(root, "folder"));
    expect(await codeOf(files.writeText(join(root, "folder"), "x"))).toBe("not-a-file");
    expect(await codeOf(files.writeText(join(root, "a\0b"), "x"))).toBe("bad-path");
    expect(await codeOf(files.writeText(join(root, "n".repeat(300)), "x"))).toBe("bad-path");
    expect(readdirSync(root)).toEqual(["folder"]);
  });

  test("the expected content is checked, and null means that nothing may be there", async () => {
    const path = join(realFolder(), "a");
    await files.writeText(path, "one", { expectedHash: null });
    expect(await codeOf(files.writeText(path, "two", { expectedHash: null }))).toBe("exists");
    expect(await codeOf(files.writeText(path, "two", { expectedHash: hashText("other") }))).toBe("changed");
    await files.writeText(path, "two", { expectedHash: hashText("one") });
    rmSync(path);
    expect(await codeOf(files.writeText(path, "three", { expectedHash: hashText("two") }))).toBe("changed");
    expect(readdirSync(join(path, ".."))).toEqual([]);
  });

  test("R3.3 of many that claim one name, one gets it", async () => {
    const path = join(realFolder(), "plans/plan.md");
    const claims = await Promise.all(Array.from({ length: 20 }, () => files.claim(path)));
    expect(claims.filter(Boolean).length).toBe(1);
    const writes = Array.from({ length: 20 }, (_, at) =>
      files.writeText(`${path}.new`, String(at), { expectedHash: null }),
    );
    expect((await Promise.allSettled(writes)).filter(({ status }) => status === "fulfilled").length).toBe(1);
    expect(readdirSync(join(path, ".."))).toEqual(["plan.md", "plan.md.new"]);
  });

  test("R3.6 a folder swapped for a link during 300 writes never lets one through", async () => {
    const root = realFolder();
    const inside = join(root, "plans");
    mkdirSync(inside);
    mkdirSync(join(root, "outside"));
    writeFileSync(join(root, "outside/plan.md"), "secret");
    const over = new AbortController();
    /** A write under way may put something into the place between the two. */
    const isBack = (): boolean => {
      remove(inside);
      try {
        renameSync(join(root, "aside"), inside);
        return true;
      } catch {
        return false;
      }
    };
    const swapping = (async () => {
      while (!over.signal.aborted) {
        renameSync(inside, join(root, "aside"));
        try {
          symlinkSync("outside", inside);
        } catch {
          rmSync(inside, { recursive: true });
        }
        await pause(Math.random() * 2);
        await until("the folder is back", () => isBack());
        await pause(Math.random() * 12);
      }
    })();
    const seen = new Set<string>();
    for (let at = 0; at < 300; at += 1) {
      await files.writeText(join(inside, "plan.md"), `plan ${at}`).catch(() => undefined);
      await files.readBytes(join(inside, "plan.md")).then(
        (bytes) => seen.add(new TextDecoder().decode(bytes).slice(0, 4)),
        () => undefined,
      );
    }
    over.abort();
    await swapping;
    expect(readFileSync(join(root, "outside/plan.md"), "utf8")).toBe("secret");
    const strays = ["outside", "plans"]
      .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
      .filter((stray) => stray.endsWith(".tmp"));
    expect(strays.filter((stray) => statSync(stray).size > 0)).toEqual([]);
    if (knowsPaths) expect(strays).toEqual([]);
    expect([...seen].filter((begin) => begin !== "plan")).toEqual([]);
  });
});

test("R3.5 kill -9 at 25 random moments leaves the old content or the new one, whole", async () => {
  const root = realFolder();
  const path = join(root, "plans/plan.md");
  const program = join(root, "writer.mjs");
  await build({
    stdin: {
      contents: `import { createFiles } from "./src/agent/host/files/files.ts"; const files = createFiles();
        console.log("ready");
        for (let at = 0; ; at += 1) await files.writeText(${JSON.stringify(path)}, String(at % 10).repeat(300_000));`,
      resolveDir: join(import.meta.dirname, "../.."),
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
  });
  for (let round = 0; round < 25; round += 1) {
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    await pause(Math.random() * 60);
    if (round === 24) await until("it was written once", () => existsSync(path));
    child.kill("SIGKILL");
    await once(child, "exit");
    if (existsSync(path)) expect(readFileSync(path, "utf8")).toMatch(/^(\d)\1{299999}$/);
  }
  expect(existsSync(path)).toBe(true);
});

test("R5.3 of 3000 random paths through a maze of links, those that exist resolve as the system resolves them", async () => {
  const root = realFolder();
  const names = ["a", "b", "c", "d"];
  const randomPath = (most: number): string =>
    Array.from({ length: 1 + Math.floor(Math.random() * most) }, () => pick([...names, "..", "."])).join("/");
  for (const one of names) {
    for (const two of names) mkdirSync(join(root, one, two), { recursive: true });
  }
  for (let made = 0; made < 60; made += 1) {
    const place = join(root, pick(names), pick(names), pick([...names, "e"]));
    try {
      symlinkSync(Math.random() < 0.2 ? join(root, randomPath(3)) : randomPath(4), place);
    } catch {
      continue;
    }
  }
  let existing = 0;
  for (let tried = 0; tried < 3000; tried += 1) {
    const path = `${root}/${randomPath(7)}${pick(["", "/e", "/"])}`;
    const real = await realpath(path).catch(() => null);
    if (real === null) continue;
    existing += 1;
    expect([path, await files.canonical(path, "/")]).toEqual([path, real]);
  }
  expect(existing).toBeGreaterThan(300);
});
