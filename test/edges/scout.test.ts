/** Scout on real repositories in real trouble. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rank } from "../../src/scout/rank/rank.ts";
import { change, commit, folder, git, makeBase, repository, shop } from "./repository.ts";
import { remove } from "../support/remove.ts";

const base = makeBase();
afterAll(() => remove(base));

describe("B10.2 scout answers in every sort of folder", () => {
  test("a repository: the file that the task names comes first, with paths from the root even in a subfolder", async () => {
    const root = repository(join(base, "plain"), shop);
    const { files, notes } = await look("Fix addToCart", join(root, "src"));
    expect({ first: files[0]?.path, score: files[0]?.score, notes }).toEqual({
      first: "src/cart.ts",
      score: 1,
      notes: [],
    });
    expect(files[0]?.why).toContain("defines addToCart");
  });

  test("the project's own instructions are named: of the folders down to where it looks, one each, none that a rule hides", async () => {
    const texts = ["AGENTS.md", "CLAUDE.md", "src/CLAUDE.md", "lib/AGENTS.md", "src/deep/AGENTS.md"];
    const root = repository(join(base, "rules"), {
      ...shop,
      ...Object.fromEntries(texts.map((path) => [path, "x\n"])),
    });
    const rulesOf = async (options: Partial<Parameters<typeof rank>[1]>) =>
      (await rank("Fix addToCart", { cwd: root, cache: false, ...options })).rules;
    expect(await rulesOf({})).toEqual(["AGENTS.md"]);
    expect(await rulesOf({ cwd: join(root, "src") })).toEqual(["AGENTS.md", "src/CLAUDE.md"]);
    expect(await rulesOf({ isHidden: (path) => path.endsWith("AGENTS.md") })).toEqual(["CLAUDE.md"]);
  });

  test("no repository: the folders are walked and the note says what is missing", async () => {
    const root = folder(join(base, "loose"), { ...shop, "node_modules/cart/index.js": "addToCart" });
    const { files, notes } = await look("Fix addToCart", root);
    expect(files[0]?.path).toBe("src/cart.ts");
    expect(files.map(({ path }) => path).filter((path) => path.startsWith("node_modules"))).toEqual([]);
    expect(notes).toEqual(["not a git repository: history is not used"]);
  });

  test("an empty folder, an empty repository and no folder at all give an empty list and a note", async () => {
    const empty = folder(join(base, "empty"), {});
    const bare = folder(join(base, "bare"), {});
    git(bare, "init", "--quiet");
    const answers = await Promise.all([empty, bare, join(base, "nowhere")].map((place) => look("Fix it", place)));
    expect(answers.map(({ files }) => files)).toEqual([[], [], []]);
    expect(answers.map(({ notes }) => notes.length > 0)).toEqual([true, true, true]);
  });

  test("a repository without a commit is ranked by its words", async () => {
    const root = folder(join(base, "unborn"), shop);
    git(root, "init", "--quiet");
    const { files, notes } = await look("priceOf", root);
    expect({ first: files[0]?.path, notes }).toEqual({
      first: "src/price.ts",
      notes: ["no commit yet: history is not used"],
    });
  });

  test("new files count, ignored ones and packages nobody ignored do not", async () => {
    const root = repository(join(base, "new"), { ...shop, ".gitignore": "*.log\n" });
    folder(join(base, "new"), {
      "src/lantern.ts": "lantern\n",
      "lantern.log": "lantern\n",
      "node_modules/lantern/index.js": "lantern\n",
    });
    const { files } = await look("lantern", root);
    expect(files[0]?.path).toBe("src/lantern.ts");
    expect(files.map(({ path }) => path).filter((path) => /log$|node_modules/.test(path))).toEqual([]);
  });

  test("a shallow clone uses the history at hand and says so", async () => {
    const root = repository(join(base, "deep"), shop);
    change(root, { "src/price.ts": "export function priceOf() { return 2; }\n" }, "Raise the price");
    const shallow = join(base, "shallow");
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, shallow]);
    const { files, notes } = await look("Raise the price", shallow);
    expect({ first: files[0]?.path, notes }).toEqual({
      first: "src/price.ts",
      notes: ["a shallow clone: only the history at hand is used"],
    });
  });

  test("without a git program the folders are walked", async () => {
    const root = repository(join(base, "gitless"), shop);
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
    const root = repository(join(base, "odd"), shop);
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
    const outside = folder(join(base, "outside"), { "secret.ts": "export const wholeSecret = 1;\n" });
    const root = repository(join(base, "linked"), shop);
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
    const root = folder(join(base, "piped"), shop);
    execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", join(root, "pipe.ts")]);
    expect((await look("addToCart", root)).files[0]?.path).toBe("src/cart.ts");
  });

  test("file names with spaces, quotes, line ends and letters of other scripts are listed as they are", async () => {
    const names = ["a b.ts", 'quo"te.ts', "line\nend.ts", "écrire.ts", "корзина.ts"];
    const root = repository(
      join(base, "names"),
      Object.fromEntries(names.map((name) => [name, "export const it = 1;\n"])),
    );
    const { files } = await look("it", root);
    expect(files.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
  });

  test("a task in another language works by the names in it and by its own words", async () => {
    const root = repository(join(base, "words"), {
      ...shop,
      "src/tax.ts": "// 計算消費税の処理\nexport const rate = 0.1;\n",
    });
    expect((await look("`addToCart` が二回呼ばれるバグを直す", root)).files[0]?.path).toBe("src/cart.ts");
    expect((await look("Исправить priceOf", root)).files[0]?.path).toBe("src/price.ts");
    expect((await look("消費税を直す", root)).files[0]?.path).toBe("src/tax.ts");
  });
});

test("B10.2 a quoted text of an error leads to the file that has it literally", async () => {
  const root = folder(join(base, "quoted"), {
    "src/a.ts": "fail('cannot open the door while it is locked');\n",
    "src/b.ts": "door open locked cannot while\nfail('the door cannot open'); locked; while\n",
    "src/c.ts": "open();\n",
  });
  expect((await look('Crash: "cannot open the door while it is locked"', root)).files[0]?.path).toBe("src/a.ts");
});

describe("B10.2 scout looks only at the past", () => {
  test("commits after the one checked out are never seen", async () => {
    const root = repository(join(base, "past"), shop);
    const parent = git(root, "rev-parse", "HEAD").trim();
    for (const round of [1, 2, 3])
      change(root, { "src/login.ts": `export const round = ${round};\n` }, "Brighten the lantern");
    git(root, "checkout", "--quiet", "--detach", parent);
    const other = join(base, "past-only");
    execFileSync("git", ["init", "--quiet", other]);
    git(other, "pull", "--quiet", root, parent);
    const answers = [await look("Brighten the lantern", root), await look("Brighten the lantern", other)];
    expect(answers[0]?.files).toEqual(answers[1]?.files);
    expect(JSON.stringify(answers[0])).not.toContain("Brighten");
  });

  test("a past commit that sounds like the task lifts what it changed, also under a new name", async () => {
    const root = repository(join(base, "renamed"), {
      ...shop,
      "src/a.ts": "export const a = 1;\n",
      "src/b.ts": "export const b = 1;\n",
    });
    change(root, { "src/a.ts": "export const a = 2;\n" }, "Brighten the lantern");
    git(root, "mv", "src/a.ts", "src/z.ts");
    commit(root, "Move a file");
    change(root, { "src/b.ts": "export const b = 2;\n" }, "Something else");
    const { files } = await look("The lantern is too dark, brighten it", root);
    expect(files[0]?.path).toBe("src/z.ts");
    expect(files[0]?.why).toContain("Brighten the lantern");
  });
});

function look(task: string, cwd: string): ReturnType<typeof rank> {
  return rank(task, { cwd, cache: false });
}
