/** Keeps a snapshot of the work tree beside the session's log, so that the record of B1.6 survives the end of the process. */
import * as z from "zod";
import { replaceFile } from "../host/files/replace-file.ts";
import type { Kept, WorkTreeSnapshot } from "./work-tree.ts";
import { pacer, type BytePath } from "./work-tree-files.ts";
import { readRegularText } from "../host/files/read-regular.ts";

/** A head, then one line a file. Rejects when it cannot be written. */
export async function saveSnapshot(path: string, { files, ...head }: WorkTreeSnapshot): Promise<void> {
  const rest = pacer();
  const lines = [JSON.stringify({ v: version, count: files.size, ...head })];
  for (const [name, { mark, hash, byIndex }] of files) {
    const times = [mark.size, mark.mtime, mark.ctime, mark.inode].map(String);
    lines.push(JSON.stringify([name, mark.kind, mark.executable, ...times, hash, byIndex]));
    await rest();
  }
  await replaceFile(path, `${lines.join("\n")}\n`);
}

/** Null when there is none, or it is not whole: a record that may be wrong is worse than none. Never throws. */
export async function loadSnapshot(path: string): Promise<WorkTreeSnapshot | null> {
  try {
    const [first = "", ...lines] = (await readRegularText(path)).trimEnd().split("\n");
    const { v: _, count, ...head } = headShape.parse(JSON.parse(first));
    const files = new Map<BytePath, Kept>();
    const rest = pacer();
    for (const line of lines) {
      const [name, kind, executable, size, mtime, ctime, inode, hash, byIndex] = lineShape.parse(JSON.parse(line));
      files.set(name, { mark: { kind, executable, size, mtime, ctime, inode }, hash, byIndex });
      await rest();
    }
    return files.size === count ? { ...head, files } : null;
  } catch {
    return null;
  }
}

const version = 1;

const headShape = z.object({
  v: z.literal(version),
  count: z.number(),
  kind: z.enum(["git", "folder"]),
  hashName: z.enum(["sha1", "sha256"]),
  head: z.string(),
  isWhole: z.boolean(),
  takenAt: z.number(),
  limit: z.number(),
});

const digits = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);

const lineShape = z.tuple([
  z.string(),
  z.enum(["file", "link", "other"]),
  z.boolean(),
  digits,
  digits,
  digits,
  digits,
  z.string().nullable(),
  z.boolean(),
]);
