/** The first index of a session: the repository's, where what it says of a file is what the file holds, byte by byte. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { textAt } from "../host/files/read-regular.ts";
import { ownEnvironment } from "../host/launch/environment.ts";
import { askGit } from "../host/launch/own-git.ts";
import type { BytePath } from "../watch/work-tree-files.ts";
import { parseIndex, type IndexEntry } from "../watch/work-tree-git.ts";
import { shownPath } from "./entries.ts";
import { copyIndex, type OwnGit, type PersonsRepository } from "./git-ground.ts";

/**
 * Without submodules, and without what the person told git not to look at. What git converts between the file and its own content is
 * read anew: the file itself is kept. An index that cannot be read is none: all files are then.
 */
export async function seedIndex(repository: PersonsRepository, own: string, git: OwnGit): Promise<void> {
  if (!(await copyIndex(repository, own).catch(() => false))) return;
  const staged = await git(["ls-files", "-z", "--stage", "--debug"]).catch(() => null);
  if (staged === null) return rm(join(own, "index"), { force: true });
  const isPlain = staged.includes("\tflags: 0\n") && !/\tflags: (?!0\n)/.test(staged);
  if (!isPlain) await lookAgain(git, (await git(["ls-files", "-z", "-v"])).split("\0"));
  const entries = await parseIndex(staged);
  const modules = [...entries].flatMap(([path, { hash }]) => (hash === "" ? [path] : []));
  if (modules.length > 0) await git(["update-index", "-z", "--force-remove", "--stdin"], lines(modules));
  const files = new Map([...entries].filter(([, { hash }]) => hash !== ""));
  const converted = await convertedIn(repository, files, git);
  if (converted.length > 0) {
    await git(["update-index", "-z", "--force-remove", "--stdin"], lines(converted));
    await git(
      ["update-index", "-z", "--index-info"],
      lines(converted.map((path) => `100644 ${files.get(path)!.hash}\t${path}`)),
    );
  }
  await git(["update-index", "-q", "--really-refresh"]).catch(() => undefined);
}

/** "Assume unchanged" is a lower letter, "not in this work tree" an S. */
async function lookAgain(git: OwnGit, marked: readonly string[]): Promise<void> {
  const assumed = marked.filter((line) => /^[a-z] /.test(line)).map((line) => line.slice(2));
  const skipped = marked.filter((line) => /^s /i.test(line)).map((line) => line.slice(2));
  if (assumed.length > 0) await git(["update-index", "--no-assume-unchanged", "-z", "--stdin"], lines(assumed));
  if (skipped.length > 0) await git(["update-index", "--no-skip-worktree", "-z", "--stdin"], lines(skipped));
}

async function convertedIn(
  repository: PersonsRepository,
  files: ReadonlyMap<BytePath, IndexEntry>,
  git: OwnGit,
): Promise<readonly BytePath[]> {
  const words = attributeTexts(repository, [...files.keys()]);
  const resized =
    repository.turnsLineEnds || /\b(text|eol|crlf|filter|ident|working-tree-encoding|binary)\b/.test(words)
      ? await resizedIn(files, git)
      : [];
  if (!/\b(filter|ident|working-tree-encoding)\b/.test(words)) return resized;
  return [...new Set([...resized, ...(await filteredIn(repository, [...files.keys()]))])];
}

/** Files whose size is not that of what git keeps for them. */
async function resizedIn(files: ReadonlyMap<BytePath, IndexEntry>, git: OwnGit): Promise<readonly BytePath[]> {
  const hashes = [...new Set([...files.values()].map(({ hash }) => hash))];
  const input = Buffer.from(hashes.map((hash) => `${hash}\n`).join(""), "latin1");
  const output = await git(["cat-file", "--batch-check=%(objectname) %(objectsize)"], input);
  const sizes = new Map(output.split("\n").map((line) => line.split(" ") as [string, string]));
  return [...files].flatMap(([path, { hash, size }]) => (String(size) === sizes.get(hash) ? [] : [path]));
}

/** Files that attributes of the repository pass through a filter; asking for attributes runs nothing. */
async function filteredIn({ root }: PersonsRepository, paths: readonly BytePath[]): Promise<readonly BytePath[]> {
  const place = { directory: root, environment: ownEnvironment(root), timeoutMs: 60_000, input: lines(paths) };
  const names = ["filter", "ident", "working-tree-encoding"];
  const { code, bytes } = await askGit(["check-attr", "-z", "--stdin", ...names], place);
  if (code !== 0) return paths;
  const parts = bytes.toString("latin1").split("\0");
  const found = new Set<BytePath>();
  for (let at = 0; at + 2 < parts.length; at += 3)
    if (!["unspecified", "unset"].includes(parts[at + 2]!)) found.add(parts[at]!);
  return [...found];
}

function attributeTexts({ root, common, attributesFile }: PersonsRepository, paths: readonly BytePath[]): string {
  const home = process.env["XDG_CONFIG_HOME"] ?? join(process.env["HOME"] ?? "/", ".config");
  const inside = paths
    .filter((path) => path === name || path.endsWith(`/${name}`))
    .map((path) => join(root, shownPath(path)));
  const around = [
    join(root, name),
    join(common, "info", "attributes"),
    join(home, "git", "attributes"),
    "/etc/gitattributes",
  ];
  const places = [...inside, ...around, ...(attributesFile === null ? [] : [attributesFile])];
  return places.map((place) => textAt(place, { limit: 1 << 20 }) ?? "").join("\n");
}

function lines(parts: readonly string[]): Buffer {
  return Buffer.from(parts.map((part) => `${part}\0`).join(""), "latin1");
}

const name = ".gitattributes";
