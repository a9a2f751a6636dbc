/** The difference of two trees in one form, whoever tells it: what `git diff-tree -r -z --no-renames --no-abbrev` writes, sorted by the bytes of the paths (B16.1). */
import { createHash } from "node:crypto";
import type { ChangedFile } from "./receipt.ts";

/** `path` holds bytes (latin1). */
export interface TreeChange {
  readonly path: string;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

export interface TreeEntry {
  /** Six octal digits. */
  readonly mode: string;
  readonly hash: string;
}

export function sortedChanges(changes: readonly TreeChange[]): readonly TreeChange[] {
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** SHA-256 of the canonical bytes. */
export function differenceHash(changes: readonly TreeChange[]): string {
  const hash = createHash("sha256");
  for (const change of sortedChanges(changes)) {
    const { from, modes, status, to } = changedFile(change);
    hash.update(`:${modes} ${from} ${to} ${status}\0`, "latin1").update(`${change.path}\0`, "latin1");
  }
  return hash.digest("hex");
}

export function changedFile({ path, before, after }: TreeChange): ChangedFile {
  const zeros = "0".repeat((before ?? after)?.hash.length ?? 40);
  return {
    from: before?.hash ?? zeros,
    modes: `${before?.mode ?? noMode} ${after?.mode ?? noMode}`,
    path: readablePath(path),
    status: before === null ? "A" : after === null ? "D" : isSameKind(before, after) ? "M" : "T",
    to: after?.hash ?? zeros,
  };
}

/** As it is where its bytes are UTF-8; otherwise bytes beyond ASCII as `\xNN`, and a backslash doubled. */
export function readablePath(path: string): string {
  const bytes = Buffer.from(path, "latin1");
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return text;
  return path.replaceAll("\\", "\\\\").replace(/[^\0-\x7f]/g, hexByte);
}

/** How a difference is another one than that of a receipt; empty lists where it is the same. */
export interface Deviation {
  readonly changedSince: readonly string[];
  readonly added: readonly string[];
  readonly missing: readonly string[];
}

export function deviationOf(changes: readonly TreeChange[], recorded: readonly ChangedFile[]): Deviation {
  const now = new Map(changes.map((change) => [readablePath(change.path), changedFile(change)]));
  const then = new Map(recorded.map((file) => [file.path, file]));
  return {
    changedSince: [...now].flatMap(([path, file]) =>
      then.has(path) && !isSameChange(file, then.get(path)!) ? [path] : [],
    ),
    added: [...now.keys()].filter((path) => !then.has(path)),
    missing: [...then.keys()].filter((path) => !now.has(path)),
  };
}

const noMode = "000000";

function hexByte(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16)}`;
}

function isSameChange(one: ChangedFile, other: ChangedFile): boolean {
  return one.from === other.from && one.to === other.to && one.modes === other.modes && one.status === other.status;
}

/** File, link or submodule. */
function isSameKind(one: TreeEntry, other: TreeEntry): boolean {
  return one.mode.slice(0, 2) === other.mode.slice(0, 2);
}
