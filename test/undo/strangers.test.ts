/** From outside: files of the person's that no picture held come into its view by a command. They were not made by it, and going back must not remove them. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStage, type Stage } from "../headless/program.ts";

interface Case {
  readonly files?: Readonly<Record<string, string>>;
  readonly command: string;
  /** What the person has there that git does not look at. */
  readonly before: (root: string) => void;
  /** Where their bytes are after the command, and must be after an undo. */
  readonly theirs: string;
}

const ofSize = (path: string, megabytes: number): void => {
  writeFileSync(path, "");
  truncateSync(path, megabytes * 1024 * 1024);
};
const secret = (path: string) => (root: string) => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), "secret\n");
};
const innerRepository = (root: string): void => {
  execFileSync("git", ["init", "-q", join(root, "inner")]);
  writeFileSync(join(root, "inner", "file"), "inner\n");
};

const cases: Readonly<Record<string, Case>> = {
  "ignored by a list that a command empties": {
    files: { ".gitignore": ".env\n" },
    before: secret(".env"),
    command: "echo > .gitignore",
    theirs: ".env",
  },
  "ignored by a list that a command removes": {
    files: { "sub/.gitignore": "data/\n" },
    before: secret("sub/data/x"),
    command: "rm sub/.gitignore",
    theirs: "sub/data/x",
  },
  "ignored, and moved to a name that is not": {
    files: { ".gitignore": ".env\n" },
    before: secret(".env"),
    command: "mv .env env.txt && echo more >> env.txt",
    theirs: "env.txt",
  },
  "too large, and cut": {
    before: (root) => ofSize(join(root, "big"), 65),
    command: "truncate -s 1M big",
    theirs: "big",
  },
  "too large, and replaced by its beginning": {
    before: (root) => ofSize(join(root, "big"), 65),
    command: "head -c 1000 big > b && mv b big",
    theirs: "big",
  },
  "of a repository inside that is one no more": {
    before: innerRepository,
    command: "rm -rf inner/.git",
    theirs: "inner/file",
  },
};

async function changedBy({ files = {}, before, command }: Case): Promise<Stage> {
  const turns = [{ calls: [{ tool: "Bash", input: { command } }] }];
  const stage = await openStage({
    files: { ...files, "a.txt": "a\n" },
    script: () => turns.shift() ?? { text: "Done." },
  });
  before(stage.repository);
  const ran = await stage.run(["-p", "go", "--dangerously-skip-permissions", "--no-sandbox"]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return stage;
}

test.each(Object.entries(cases))("B15.3 a file that is %s stays, and is named", async (_, one) => {
  const stage = await changedBy(one);
  const place = join(stage.repository, one.theirs);
  const bytes = readFileSync(place);
  const undone = await stage.run(["undo"]);
  expect(undone).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(place) && readFileSync(place).equals(bytes)).toBe(true);
  expect(undone.stdout).toContain(`Left as it is, changed by somebody else since:\n  ${one.theirs}\n`);
  expect((await stage.run(["redo"])).code).toBe(0);
  expect(readFileSync(place).equals(bytes)).toBe(true);
});

test("B15.3 what a command renames, links or copies of known files goes back as before, changed on the way or not", async () => {
  const command =
    "mv a.txt b.txt && echo more >> b.txt && ln b.txt c.txt && cp -p b.txt d.txt && mkdir e && mv d.txt e";
  const stage = await changedBy({ before: () => undefined, command, theirs: "" });
  const undone = await stage.run(["undo", "--json"]);
  expect(JSON.parse(undone.stdout)).toMatchObject({ restored: ["a.txt", "b.txt", "c.txt", "e/d.txt"], kept: [] });
  expect(readFileSync(join(stage.repository, "a.txt"), "utf8")).toBe("a\n");
});
