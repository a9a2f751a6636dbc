/** Finds project configuration that chooses which program a tool runs. */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { entriesIn } from "../../agent/host/files/entries.ts";
import type { ProjectTool } from "../../shell/index.ts";
import { projectToolsAt } from "../../agent/host/shell/shell-situation.ts";

const steering =
  /\b(cargo|rustc|rustup|go|yarn|pnpm|bundle|bundler|composer|mvn|python[23]?|node|nodejs|terraform|tofu|sqlite3)\b/;

export function mentionsProjectTool(command: string): boolean {
  return steering.test(command);
}

const deepest = 3;
const mostFolders = 400;

/** Looks above the directory, and a few levels into it. */
export function findProjectTools(directory: string): readonly ProjectTool[] {
  return projectToolsAt(directory, foldersIn(directory));
}

/** The directory and what lies a few levels below, but for packages and git's own. */
function foldersIn(directory: string): readonly string[] {
  const folders = [{ path: directory, depth: 0 }];
  for (let at = 0; at < folders.length && at < mostFolders; at += 1) {
    const { path, depth } = folders[at]!;
    if (depth === deepest) continue;
    for (const entry of entriesIn(path))
      if (entry.isDirectory() && !/^(node_modules|\.git)$/.test(entry.name))
        folders.push({ path: join(path, entry.name), depth: depth + 1 });
  }
  return folders.slice(0, mostFolders).map(({ path }) => path);
}

/** Database files in and below the directory that have no write-ahead log: reading leaves nothing beside them. */
export function findPlainDatabases(directory: string): readonly string[] {
  return foldersIn(directory).flatMap((folder) =>
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
