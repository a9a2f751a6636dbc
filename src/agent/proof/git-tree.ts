/** Commits and trees for proof: asked of git so that nothing of the repository runs, names taken as bytes, a range never as an option (B16.2). */
import type { TreeChange, TreeEntry } from "../../core/proof/difference.ts";
import { ownEnvironment } from "../host/launch/environment.ts";
import { askGit } from "../host/launch/own-git.ts";

export interface GitProblem {
  readonly problem: string;
}

export interface CommitRange {
  readonly base: string;
  /** Null: the work tree. */
  readonly head: string | null;
  /** The left side as it was named; the base may be older, and whoever made the branch chose it. */
  readonly left: string;
}

/** `A..B`, `A...B` (from where they parted) or `A` (to the work tree), as `git diff` takes them; an empty side is HEAD. */
export async function resolveRange(root: string, range: string): Promise<CommitRange | GitProblem> {
  const [, left = "", dots = "", right = ""] = /^(.*?)(?:(\.{2,3})(.*))?$/s.exec(range) ?? [];
  const isOdd = range === "" || range.length > longestRange || unfit.test(range) || /^-|\.\.-/.test(range);
  if (isOdd || right.startsWith(".") || (dots !== "" && left + right === ""))
    return {
      problem: `--diff takes a range of commits, as in main...HEAD; not ${JSON.stringify(range.slice(0, 100))}.`,
    };
  const start = await commitOf(root, left === "" ? "HEAD" : left);
  if (typeof start !== "string") return start;
  if (dots === "") return { base: start, head: null, left: start };
  const head = await commitOf(root, right === "" ? "HEAD" : right);
  if (typeof head !== "string") return head;
  if (dots === "..") return { base: start, head, left: start };
  const parted = await gitText(root, ["merge-base", start, head]);
  if (parted === null) return { problem: `${left} and ${right} have no commit in common${await shallowHint(root)}.` };
  return { base: parted.trim(), head, left: start };
}

/** The whole name of a commit that is here. */
export async function commitOf(root: string, name: string): Promise<string | GitProblem> {
  const { code, bytes, complaint } = await ask(root, ["rev-parse", "--verify", `${name}^{commit}`]);
  const found = bytes.toString("latin1").trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(found)) return found;
  if (code === null) return { problem: "git is not installed, or did not answer." };
  const isOurs = complaint === "" || /Needed a single revision|unknown revision|ambiguous argument/.test(complaint);
  if (isOurs) return { problem: `There is no commit ${JSON.stringify(name)} here${await shallowHint(root)}.` };
  return { problem: `git: ${complaint.split("\n")[0]!.replace(/^fatal: /, "")}` };
}

/** What changed from one commit to another. */
export async function changesBetween(
  root: string,
  base: string,
  head: string,
): Promise<readonly TreeChange[] | GitProblem> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv"];
  const { code, bytes, complaint, isCut } = await ask(root, [...args, "--ignore-submodules=none", base, head, "--"]);
  if (isCut) return { problem: "The difference is too large to be looked at." };
  if (code !== 0) return { problem: `git cannot tell the difference: ${complaint.split("\n")[0] ?? "it was ended"}` };
  const parts = bytes.toString("latin1").split("\0");
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, before, after, from, to] = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/.exec(parts[at]!) ?? [];
    if (to === undefined) return { problem: "git told a difference in a form that is not known." };
    changes.push({ path: parts[at + 1]!, before: entryOf(before!, from!), after: entryOf(after!, to) });
  }
  return changes;
}

/** The files of a commit by path (bytes). */
export async function treeOf(root: string, commit: string): Promise<ReadonlyMap<string, TreeEntry> | GitProblem> {
  const listing = await gitText(root, ["ls-tree", "-r", "-z", commit, "--"]);
  if (listing === null) return { problem: `The files of commit ${commit} cannot be listed${await shallowHint(root)}.` };
  const entries = new Map<string, TreeEntry>();
  for (const line of listing.split("\0")) {
    const [, mode, hash, path] = /^(\d{6}) [a-z]+ ([0-9a-f]+)\t([\s\S]+)$/.exec(line) ?? [];
    if (path !== undefined) entries.set(path, { mode: mode!, hash: hash! });
  }
  return entries;
}

export async function isMerging(root: string): Promise<boolean> {
  return ((await gitText(root, ["ls-files", "-z", "--unmerged"])) ?? "") !== "";
}

/** The text of a file in a commit; null only where the commit has none of that name. */
export async function fileIn(root: string, commit: string, path: string): Promise<string | null | GitProblem> {
  const listed = await gitText(root, ["ls-tree", "-z", "--full-tree", commit, "--", path]);
  if (listed === "") return null;
  const { code, bytes, isCut } = await ask(root, ["cat-file", "blob", `${commit}:${path}`], 1024 * 1024);
  if (listed !== null && code === 0 && !isCut) return bytes.toString("utf8");
  return {
    problem: `${path} of commit ${commit} cannot be read here: too large, or a partial clone (fetch it whole).`,
  };
}

/** Bytes as a string (latin1); null where git failed. */
export async function gitText(root: string, args: readonly string[]): Promise<string | null> {
  const { code, bytes, isCut } = await ask(root, args);
  return code === 0 && !isCut ? bytes.toString("latin1") : null;
}

function entryOf(mode: string, hash: string): TreeEntry | null {
  return mode === "000000" ? null : { mode, hash };
}

async function shallowHint(root: string): Promise<string> {
  const isShallow = (await gitText(root, ["rev-parse", "--is-shallow-repository"]))?.trim() === "true";
  return isShallow
    ? "; this clone is shallow: fetch the whole history (git fetch --unshallow; fetch-depth: 0 in a workflow)"
    : "";
}

function ask(root: string, args: readonly string[], limit: number = mostBytes) {
  return askGit(args, { directory: root, environment: ownEnvironment(root), limit });
}

const mostBytes = 1 << 28;
const longestRange = 500;
const unfit = /[\s\0-\x1f\x7f]/;
