/** Scout on repositories that mean harm, and what it keeps of any. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rank } from "../../src/scout/rank/rank.ts";
import { folder, git, makeBase, repository, shop } from "./repository.ts";
import { namesBelow } from "../support/walk.ts";
import { remove } from "../support/remove.ts";
import { writeProgram } from "../support/write-program.ts";
import { cpuTime } from "../support/cpu-time.ts";

const base = makeBase();
afterAll(() => remove(base));

describe("scout trusts nothing in a repository", () => {
  test("no program that the repository's settings name is run, and nothing in it is written", async () => {
    const root = repository(join(base, "hostile"), { ...shop, ".gitattributes": "*.ts filter=evil diff=evil\n" });
    const mark = join(base, "mark");
    const evil = join(base, "evil.sh");
    writeProgram(evil, `#!/bin/sh\ntouch ${mark}\nexec cat\n`);
    const settings = {
      "core.fsmonitor": evil,
      "core.pager": evil,
      "core.sshCommand": evil,
      "core.editor": evil,
      "core.hooksPath": dirname(evil),
      "diff.external": evil,
      "diff.evil.textconv": evil,
      "diff.evil.command": evil,
      "filter.evil.clean": evil,
      "filter.evil.smudge": evil,
      "gpg.program": evil,
      "log.showSignature": "true",
      "pager.log": evil,
      "alias.log": `!${evil}`,
      "remote.origin.url": `ext::${evil}`,
      "remote.origin.promisor": "true",
      "extensions.partialClone": "origin",
    };
    for (const [name, value] of Object.entries(settings)) execFileSync("git", ["-C", root, "config", name, value]);
    rmSync(mark, { force: true });
    const before = stateOf(root);
    const { files } = await look("Fix addToCart", root);
    expect(files[0]?.path).toBe("src/cart.ts");
    expect(stateOf(root)).toEqual(before);
    expect(readdirSync(base)).not.toContain("mark");
  });

  test("a repository cannot move its work tree elsewhere, nor the environment the repository", async () => {
    const root = repository(join(base, "moved"), shop);
    const other = repository(join(base, "other"), { "addToCart.ts": "addToCart\n" });
    git(root, "config", "core.worktree", other);
    process.env["GIT_DIR"] = join(other, ".git");
    try {
      const ranking = await look("addToCart", root);
      expect({ root: ranking.root, first: ranking.files[0]?.path }).toEqual({ root, first: "src/cart.ts" });
    } finally {
      delete process.env["GIT_DIR"];
    }
  });

  test("lines without end do not hang the patterns", async () => {
    const long = [
      `  ${"a(".repeat(200_000)}`,
      `import${" ".repeat(300_000)}x`,
      `use ${"a::".repeat(100_000)}`,
      "word ".repeat(150_000),
    ];
    const endings = ["ts", "py", "rs", "c", "java", "go", "rb"];
    const files = endings.flatMap((ending) => long.map((text, at): [string, string] => [`f${at}.${ending}`, text]));
    const words = endings.map((ending): [string, string] => [`w.${ending}`, "word word\n".repeat(80_000)]);
    const root = folder(join(base, "long"), Object.fromEntries([...files, ...words]));
    const start = cpuTime();
    await look("Fix the word", root);
    expect(cpuTime() - start).toBeLessThan(15_000);
  });
});

describe("what scout keeps", () => {
  test("the cache is private, changes no answer, and a corrupt one is ignored", async () => {
    const root = repository(join(base, "kept"), shop);
    const cache = join(base, "kept-cache");
    const first = await rank("Fix addToCart", { cwd: root, cache });
    const [name = ""] = readdirSync(cache);
    const place = join(cache, name);
    expect([statSync(cache).mode & 0o777, statSync(place).mode & 0o777]).toEqual([0o700, 0o600]);
    const whole = readFileSync(place);
    const broken = [Buffer.from("nonsense"), Buffer.alloc(0), whole.subarray(0, whole.length / 2), flipped(whole)];
    for (const bytes of [whole, ...broken]) {
      writeFileSync(place, bytes);
      expect(await rank("Fix addToCart", { cwd: root, cache })).toEqual(first);
    }
    rmSync(cache, { recursive: true });
    expect(await rank("Fix addToCart", { cwd: root, cache })).toEqual(first);
    expect(readdirSync(cache)).toEqual([name]);
  });

  test("a changed file is seen at once, and a cache folder that cannot be written is no failure", async () => {
    const root = repository(join(base, "fresh"), shop);
    const cache = join(base, "fresh-cache");
    await rank("wholly new word", { cwd: root, cache });
    writeFileSync(join(root, "src/login.ts"), "export function whollyNewWord() {}\n");
    expect((await rank("whollyNewWord", { cwd: root, cache })).files[0]?.path).toBe("src/login.ts");
    writeFileSync(join(base, "no-folder"), "");
    expect((await rank("whollyNewWord", { cwd: root, cache: join(base, "no-folder") })).files[0]?.path).toBe(
      "src/login.ts",
    );
  });
});

test("the cache keeps only the repositories seen last", async () => {
  const cache = join(base, "many-cache");
  for (let at = 0; at < 30; at += 1)
    await rank("x", { cwd: folder(join(base, `many/${at}`), { "x.ts": "x\n" }), cache });
  expect(readdirSync(cache).length).toBe(24);
});

function look(task: string, cwd: string): ReturnType<typeof rank> {
  return rank(task, { cwd, cache: false });
}

function stateOf(root: string): string[] {
  return namesBelow(root).map(
    (name) => `${name} ${statSync(join(root, name)).mtimeMs} ${statSync(join(root, name)).size}`,
  );
}

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 40] = copy[copy.length - 40]! ^ 0xff;
  return copy;
}
