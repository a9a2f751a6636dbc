/** Finds project configuration that chooses which program a tool runs. */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { entriesIn } from "../../agent/host/files/entries.ts";
import type { ShellSituation } from "../../shell/index.ts";
import { projectToolsAt } from "../../agent/host/shell/shell-situation.ts";

const steering =
  /\b(cargo|rustc|rustup|go|yarn|pnpm|bundle|bundler|composer|mvn|python[23]?|node|nodejs|terraform|tofu|sqlite3)\b/;

export function mentionsProjectTool(command: string): boolean {
  return steering.test(command);
}

const deepest = 3;
const mostFolders = 400;

/** Looks above the directory, and a few levels into it. */
export function findProjectTools(directory: string): Pick<ShellSituation, "projectTools" | "projectUnseen"> {
  const { seen, unseen } = foldersIn(directory);
  return { projectTools: projectToolsAt(directory, seen), projectUnseen: unseen };
}

/** The directory and what lies a few levels below, but for packages, git's own and links; and the folders where that ends. */
function foldersIn(directory: string): { seen: readonly string[]; unseen: readonly string[] } {
  const seen = [{ path: directory, depth: 0 }];
  const unseen: string[] = [];
  for (let at = 0; at < seen.length; at += 1) {
    const { path, depth } = seen[at]!;
    for (const entry of entriesIn(path)) {
      const inner = join(path, entry.name);
      const isPlain = entry.isDirectory() && !/^(node_modules|\.git)$/i.test(entry.name);
      if (isPlain && depth < deepest && seen.length < mostFolders) seen.push({ path: inner, depth: depth + 1 });
      else if (!entry.isFile()) unseen.push(inner);
    }
  }
  return { seen: seen.map(({ path }) => path), unseen };
}

/** Database files in and below the directory that have no write-ahead log: reading leaves nothing beside them. */
export function findPlainDatabases(directory: string): readonly string[] {
  return foldersIn(directory).seen.flatMap((folder) =>
    entriesIn(folder)
      .filter((entry) => entry.isFile() && /\.(db3?|sqlite3?)$/.test(entry.name))
      .map(({ name }) => join(folder, name))
      .filter(isRollbackDatabase),
  );
}

/** The two format numbers in the head of the file are 1 where there is no write-ahead log. */
function isRollbackDatabase(file: string): boolean {
  const head = Buffer.alloc(20);
  try {
    const descriptor = openSync(file, "r");
    try {
      readSync(descriptor, head, 0, head.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
  return head.toString("latin1", 0, 16) === "SQLite format 3\0" && head[18] === 1 && head[19] === 1;
}
