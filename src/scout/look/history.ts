/** The past of a repository, up to the commit that is checked out and never beyond. */
import { runGit } from "./git.ts";

export interface Commit {
  readonly message: string;
  /** The files it changed, by the names they bear today. */
  readonly files: readonly number[];
}

const mostCommits = 10_000;
const longestMessage = 1500;

/** The commit that is checked out, or nothing in a repository without one. */
export async function headOf(root: string): Promise<string | undefined> {
  const head = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return head.ok ? head.text.trim() : undefined;
}

/** The log as text; `parseLog` reads it. */
export async function readLog(root: string, head: string): Promise<{ text: string; notes: readonly string[] }> {
  const output = await runGit(root, [
    "log",
    head,
    `--max-count=${mostCommits}`,
    "--no-merges",
    "--name-status",
    "--find-renames",
    "-l200",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature",
    "--no-decorate",
    "--no-color",
    "--no-notes",
    "--ignore-submodules=all",
    "--format=%x01%B%x02",
  ]);
  if (!output.ok) return { text: "", notes: [`history is not used: ${output.reason}`] };
  const shallow = await runGit(root, ["rev-parse", "--is-shallow-repository"]);
  const isShallow = shallow.ok && shallow.text.trim() === "true";
  return { text: output.text, notes: isShallow ? ["a shallow clone: only the history at hand is used"] : [] };
}

/** Walks from the newest commit back, so that a renamed file's older commits count for its present name. */
export function parseLog(text: string, paths: readonly string[]): readonly Commit[] {
  const present = new Map<string, number>(paths.map((path, file) => [path, file]));
  const commits: Commit[] = [];
  for (const record of text.split("\u0001").slice(1)) {
    const [message = "", changes = ""] = record.split("\u0002");
    const files = new Set<number>();
    for (const line of changes.split("\n")) {
      const [status = "", from = "", to] = line.split("\t");
      if (status === "" || from === "") continue;
      const file = present.get(to ?? from);
      if (file === undefined) continue;
      files.add(file);
      if (to !== undefined && status.startsWith("R") && !present.has(from)) present.set(from, file);
    }
    commits.push({ message: message.slice(0, longestMessage), files: [...files] });
  }
  return commits;
}
