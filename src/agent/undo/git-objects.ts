/** What git says of differences and contents, read from its output. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BytePath } from "../watch/work-tree-files.ts";
import type { OwnGit } from "./git-ground.ts";
import type { EntryChange, KeptEntry } from "./store.ts";

/** `diff-tree --stdin -z --raw` of pairs of trees, by the pair: a line with its names, then each difference in two parts. */
export function parseDifferences(output: string): ReadonlyMap<string, readonly EntryChange[]> {
  const found = new Map<string, EntryChange[]>();
  let current: EntryChange[] = [];
  const parts = output.split("\0");
  for (let at = 0; at < parts.length; at += 1) {
    const lines = parts[at]!.split("\n");
    for (const pair of lines.slice(0, -1)) found.set(pair, (current = []));
    const raw = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(lines.at(-1)!);
    if (raw === null) continue;
    const path: BytePath = parts[(at += 1)]!;
    current.push({ path, before: entryOf(raw[1]!, raw[3]!), after: entryOf(raw[2]!, raw[4]!) });
  }
  return found;
}

/** The contents of the first that fit into memory together; what is missing is left out. */
export async function readBlobs(git: OwnGit, hashes: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  const fitting = await fittingOf(git, [...new Set(hashes)]);
  if (fitting.length === 0) return contents;
  const output = Buffer.from(await git(["cat-file", "--batch"], lines(fitting)), "latin1");
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at);
    const [hash = "", , size] = output.toString("latin1", at, end).split(" ");
    contents.set(hash, output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return contents;
}

/** One at least. */
async function fittingOf(git: OwnGit, hashes: readonly string[]): Promise<readonly string[]> {
  if (hashes.length === 0) return [];
  const fitting: string[] = [];
  let sum = 0;
  for (const line of (await git(["cat-file", "--batch-check"], lines(hashes))).split("\n")) {
    const [hash, type, bytes] = line.split(" ");
    if (hash === undefined || type !== "blob") continue;
    if (sum > 0 && sum + Number(bytes) > mostAtOnce) continue;
    sum += Number(bytes);
    fitting.push(hash);
  }
  return fitting;
}

/** Of our own objects those that these trees need stay. */
export async function keepObjects(git: OwnGit, own: string, trees: readonly string[]): Promise<void> {
  const asked = ["rev-list", "--objects", "--no-object-names", "--missing=allow-any", "--stdin"];
  const needed = new Set((await git(asked, lines([...new Set(trees)]))).split("\n"));
  const objects = join(own, "objects");
  for (const folder of (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const rest of await readdir(join(objects, folder)))
      if (!needed.has(folder + rest)) await rm(join(objects, folder, rest), { force: true });
}

const mostAtOnce = 64 * 1024 * 1024;

function lines(hashes: readonly string[]): Buffer {
  return Buffer.from(hashes.map((hash) => `${hash}\n`).join(""), "latin1");
}

function entryOf(mode: string, hash: string): KeptEntry | null {
  if (mode === "100644") return { kind: "file", hash };
  if (mode === "100755") return { kind: "program", hash };
  return mode === "120000" ? { kind: "link", hash } : null;
}
