/** Scout on real repositories in real trouble. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rank } from "../../src/scout/rank.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-scout-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const shop = {
  "src/cart.ts": 'import { priceOf } from "./price.ts";\nexport function addToCart() { return priceOf(); }\n',
  "src/price.ts": "export function priceOf() { return 1; }\n",
  "src/login.ts": "export function logIn() { return true; }\n",
  "README.md": "A shop.\n",
};

describe("B10.2 scout answers in every sort of folder", () => {
  test("a repository: the file that the task names comes first, with paths from the root even in a subfolder", async () => {
    const root = repository("plain", shop);
    const { files, notes } = await look("Fix addToCart", join(root, "src"));
    expect({ first: files[0]?.path, score: files[0]?.score, notes }).toEqual({
      first: "src/cart.ts",
      score: 1,
      notes: [],
    });
    expect(files[0]?.why).toContain("defines addToCart");
  });

  test("no repository: the folders are walked and the note says what is missing", async () => {
    const root = folder("loose", { ...shop, "node_modules/cart/index.js": "addToCart" });
    const { files, notes } = await look("Fix addToCart", root);
    expect(files[0]?.path).toBe("src/cart.ts");
    expect(files.map(({ path }) => path).filter((path) => path.startsWith("node_modules"))).toEqual([]);
    expect(notes).toEqual(["not a git repository: history is not used"]);
  });

  test("an empty folder, an empty repository and no folder at all give an empty list and a note", async () => {
    const empty = folder("empty", {});
    const bare = folder("bare", {});
    git(bare, "init", "--quiet");
    const answers = await Promise.all([empty, bare, join(base, "nowhere")].map((place) => look("Fix it", place)));
    expect(answers.map(({ files }) => files)).toEqual([[], [], []]);
    expect(answers.map(({ notes }) => notes.length > 0)).toEqual([true, true, true]);
  });

  test("a repository without a commit is ranked by its words", async () => {
    const root = folder("unborn", shop);
    git(root, "init", "--quiet");
    const { files, notes } = await look("priceOf", root);
    expect({ first: files[0]?.path, notes }).toEqual({
      first: "src/price.ts",
      notes: ["no commit yet: history is not used"],
    });
  });

  test("new files count, ignored ones and packages nobody ignored do not", async () => {
    const root = repository("new", { ...shop, ".gitignore": "*.log\n" });
    folder("new", {
      "src/lantern.ts": "lantern\n",
      "lantern.log": "lantern\n",
      "node_modules/lantern/index.js": "lantern\n",
    });
    const { files } = await look("lantern", root);
    expect(files[0]?.path).toBe("src/lantern.ts");
    expect(files.map(({ path }) => path).filter((path) => /log$|node_modules/.test(path))).toEqual([]);
  });

  test("a shallow clone uses the history at hand and says so", async () => {
    const root = repository("deep", shop);
    change(root, "src/price.ts", "export function priceOf() { return 2; }\n", "Raise the price");
    const shallow = join(base, "shallow");
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, shallow]);
    const { files, notes } = await look("Raise the price", shallow);
    expect({ first: files[0]?.path, notes }).toEqual({
      first: "src/price.ts",
      notes: ["a shallow clone: only the history at hand is used"],
    });
  });

  test("without a git program the folders are walked", async () => {
    const root = repository("gitless", shop);
    const path = process.env["PATH"];
    process.env["PATH"] = join(base, "no-programs");
    try {
      const { files, notes } = await look("addToCart", root);
      expect({ first: files[0]?.path, notes }).toEqual({
        first: "src/cart.ts",
        notes: ["history is not used: git is not installed"],
      });
    } finally {
      process.env["PATH"] = path;
    }
  });

  test("binary files, a 200 MB file and broken links do no harm", async () => {
    const root = repository("odd", shop);
    writeFileSync(join(root, "addToCart.bin"), Buffer.from([0, 1, 2, 0, 255]));
    writeFileSync(join(root, "huge.ts"), "addToCart\n");
    truncateSync(join(root, "huge.ts"), 200_000_000);
    symlinkSync("gone.ts", join(root, "broken.ts"));
    const { files, notes } = await look("Fix addToCart", root);
    expect(files.map(({ path }) => path)).not.toContain("broken.ts");
    expect(files[0]?.path).toBe("src/cart.ts");
    expect(notes).toEqual(["1 file above 1 MB known by name only"]);
  });

  test("links that lead out of the repository are not followed", async () => {
    const outside = folder("outside", { "secret.ts": "export const wholeSecret = 1;\n" });
    const root = repository("linked", shop);
    symlinkSync(join(outside, "secret.ts"), join(root, "inside.ts"));
    symlinkSync(outside, join(root, "out"));
    rmSync(join(root, "src"), { recursive: true });
    mkdirSync(join(outside, "src"));
    writeFileSync(join(outside, "src/cart.ts"), "wholeSecret\n");
    symlinkSync(join(outside, "src"), join(root, "src"));
    const { files } = await look("wholeSecret", root);
    expect(files.map(({ path }) => path)).toEqual(["README.md"]);
  });

  test("a pipe in the folder is not waited for", async () => {
    const root = folder("piped", shop);
    execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", join(root, "pipe.ts")]);
    expect((await look("addToCart", root)).files[0]?.path).toBe("src/cart.ts");
  });

  test("file names with spaces, quotes, line ends and letters of other scripts are listed as they are", async () => {
    const names = ["a b.ts", 'quo"te.ts', "line\nend.ts", "écrire.ts", "корзина.ts"];
    const root = repository("names", Object.fromEntries(names.map((name) => [name, "export const it = 1;\n"])));
    const { files } = await look("it", root);
    expect(files.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
  });

  test("a task in another language works by the names in it and by its own words", async () => {
    const root = repository("words", { ...shop, "src/tax.ts": "// 計算消費税の処理\nexport const rate = 0.1;\n" });
    expect((await look("`addToCart` が二回呼ばれるバグを直す", root)).files[0]?.path).toBe("src/cart.ts");
    expect((await look("Исправить priceOf", root)).files[0]?.path).toBe("src/price.ts");
    expect((await look("消費税を直す", root)).files[0]?.path).toBe("src/tax.ts");
  });
});

test("B10.2 a quoted text of an error leads to the file that has it literally", async () => {
  const root = folder("quoted", {
    "src/a.ts": "fail('cannot open the door while it is locked');\n",
    "src/b.ts": "door open locked cannot while\nfail('the door cannot open'); locked; while\n",
    "src/c.ts": "open();\n",
  });
  expect((await look('Crash: "cannot open the door while it is locked"', root)).files[0]?.path).toBe("src/a.ts");
});

describe("B10.2 scout looks only at the past", () => {
  test("commits after the one checked out are never seen", async () => {
    const root = repository("past", shop);
    const parent = git(root, "rev-parse", "HEAD").trim();
    for (const round of [1, 2, 3])
      change(root, "src/login.ts", `export const round = ${round};\n`, "Brighten the lantern");
    git(root, "checkout", "--quiet", "--detach", parent);
    const other = join(base, "past-only");
    execFileSync("git", ["init", "--quiet", other]);
    git(other, "pull", "--quiet", root, parent);
    const answers = [await look("Brighten the lantern", root), await look("Brighten the lantern", other)];
    expect(answers[0]?.files).toEqual(answers[1]?.files);
    expect(JSON.stringify(answers[0])).not.toContain("Brighten");
  });

  test("a past commit that sounds like the task lifts what it changed, also under a new name", async () => {
    const root = repository("renamed", {
      ...shop,
      "src/a.ts": "export const a = 1;\n",
      "src/b.ts": "export const b = 1;\n",
    });
    change(root, "src/a.ts", "export const a = 2;\n", "Brighten the lantern");
    git(root, "mv", "src/a.ts", "src/z.ts");
    commit(root, "Move a file");
    change(root, "src/b.ts", "export const b = 2;\n", "Something else");
    const { files } = await look("The lantern is too dark, brighten it", root);
    expect(files[0]?.path).toBe("src/z.ts");
    expect(files[0]?.why).toContain("Brighten the lantern");
  });
});

describe("scout trusts nothing in a repository", () => {
  test("no program that the repository's settings name is run, and nothing in it is written", async () => {
    const root = repository("hostile", { ...shop, ".gitattributes": "*.ts filter=evil diff=evil\n" });
    const mark = join(base, "mark");
    const evil = join(base, "evil.sh");
    writeFileSync(evil, `#!/bin/sh\ntouch ${mark}\nexec cat\n`);
    chmodSync(evil, 0o755);
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
    const root = repository("moved", shop);
    const other = repository("other", { "addToCart.ts": "addToCart\n" });
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
    const root = folder("long", Object.fromEntries([...files, ...words]));
    const start = performance.now();
    await look("Fix the word", root);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

describe("what scout keeps", () => {
  test("the cache is private, changes no answer, and a corrupt one is ignored", async () => {
    const root = repository("kept", shop);
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
    const root = repository("fresh", shop);
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
  for (let at = 0; at < 30; at += 1) await rank("x", { cwd: folder(`many/${at}`, { "x.ts": "x\n" }), cache });
  expect(readdirSync(cache).length).toBe(24);
});

function look(task: string, cwd: string): ReturnType<typeof rank> {
  return rank(task, { cwd, cache: false });
}

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(base, name);
  mkdirSync(root, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function repository(name: string, files: Readonly<Record<string, string>>): string {
  const root = folder(name, files);
  git(root, "init", "--quiet");
  commit(root, "Start");
  return root;
}

function change(root: string, path: string, text: string, message: string): void {
  writeFileSync(join(root, path), text);
  commit(root, message);
}

function commit(root: string, message: string): void {
  git(root, "add", "--all");
  git(
    root,
    "-c",
    "user.name=A",
    "-c",
    "user.email=a@b.c",
    "-c",
    "commit.gpgSign=false",
    "commit",
    "--quiet",
    "-m",
    message,
  );
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
}

function stateOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => `${name} ${statSync(join(root, name)).mtimeMs} ${statSync(join(root, name)).size}`);
}

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[copy.length - 40] = copy[copy.length - 40]! ^ 0xff;
  return copy;
}
