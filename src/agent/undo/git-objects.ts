/** What git says of differences and contents, read from its output. */
import type { BytePath } from "../watch/work-tree-files.ts";
import type { OwnGit } from "./git-ground.ts";
import type { EntryChange, KeptEntry } from "./store.ts";

/** `diff-tree --stdin -z --raw` of pairs of trees, by the pair: a line with its names, then each difference in two parts. */
export function parseDifferences(output: string): ReadonlyMap<string, readonly EntryChange[]> {
  const found = new Map<string, EntryChange[]>();
  let current: EntryChange[] = [];
  const parts = output.split("\0");
  for (let at = 0; at < parts.length; at += 1) {
    const head = /^(?:([0-9a-f]+ [0-9a-f]+)\n)*([\s\S]*)$/.exec(parts[at]!)!;
    if (head[1] !== undefined) found.set(head[1], (current = []));
    const raw = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(head[2]!);
    if (raw === null) continue;
    const path: BytePath = parts[(at += 1)]!;
    current.push({ path, before: entryOf(raw[1]!, raw[3]!), after: entryOf(raw[2]!, raw[4]!) });
  }
  return found;
}

/** The contents, in groups that fit into memory; what is missing is left out. */
export async function readBlobs(git: OwnGit, hashes: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const group of await groupsOf(git, [...new Set(hashes)])) {
    const output = Buffer.from(await git(["cat-file", "--batch"], lines(group)), "latin1");
    for (let at = 0; at < output.length;) {
      const end = output.indexOf(0x0a, at);
      const [hash = "", , size] = output.toString("latin1", at, end).split(" ");
      contents.set(hash, output.subarray(end + 1, end + 1 + Number(size)));
      at = end + 1 + Number(size) + 1;
    }
  }
  return contents;
}

/** Those that are there, so many at once as are not too large together. */
async function groupsOf(git: OwnGit, hashes: readonly string[]): Promise<readonly (readonly string[])[]> {
  if (hashes.length === 0) return [];
  const groups: string[][] = [];
  let size = Infinity;
  for (const line of (await git(["cat-file", "--batch-check"], lines(hashes))).split("\n")) {
    const [hash, type, bytes] = line.split(" ");
    if (hash === undefined || type !== "blob") continue;
    if (size + Number(bytes) > mostAtOnce) groups.push([]);
    size = (size + Number(bytes) > mostAtOnce ? 0 : size) + Number(bytes);
    groups.at(-1)!.push(hash);
  }
  return groups;
}

const mostAtOnce = 128 * 1024 * 1024;

function lines(hashes: readonly string[]): Buffer {
  return Buffer.from(hashes.map((hash) => `${hash}\n`).join(""), "latin1");
}

function entryOf(mode: string, hash: string): KeptEntry | null {
  if (mode === "100644") return { kind: "file", hash };
  if (mode === "100755") return { kind: "program", hash };
  return mode === "120000" ? { kind: "link", hash } : null;
}
