/** What was put where, kept in the config home: by it the original bytes come back. */
import { createHash } from "node:crypto";
import { readdir, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { makePrivateFolder } from "../../agent/host/config-home.ts";
import { textAt } from "../../agent/host/files/read-regular.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import { parseJson } from "../../core/wire/shape.ts";
import { clientNames } from "../client.ts";

const recordShape = z.object({
  agent: z.enum(clientNames),
  scope: z.enum(["user", "project"]),
  /** As the client knows it. */
  file: z.string(),
  /** Whether the client's own entries are in it, not something beside them. */
  isMain: z.boolean(),
  /** The inserted texts. */
  put: z.array(z.string()),
  /** Whether the file was not there before. */
  isOurs: z.boolean(),
  /** Folders that were made for it. */
  made: z.array(z.string()),
});

export type InstallRecord = Readonly<z.infer<typeof recordShape>>;

const folderOf = (home: string): string => join(home, "installed");

function recordPath(home: string, { agent, file }: Pick<InstallRecord, "agent" | "file">): string {
  return join(folderOf(home), `${agent}-${createHash("sha256").update(file).digest("hex").slice(0, 16)}.json`);
}

/** Null where there is none, or none that can be read. */
export function recordOf(home: string, of: Pick<InstallRecord, "agent" | "file">): InstallRecord | null {
  return readRecord(recordPath(home, of));
}

function readRecord(path: string): InstallRecord | null {
  const parsed = recordShape.safeParse(parseJson(textAt(path, { limit: 16 * 1024 * 1024 }) ?? ""));
  return parsed.success ? parsed.data : null;
}

export async function keepRecord(home: string, record: InstallRecord): Promise<void> {
  await makePrivateFolder(folderOf(home));
  await replaceFile(recordPath(home, record), `${JSON.stringify(record, null, 2)}\n`);
}

export async function dropRecord(home: string, of: Pick<InstallRecord, "agent" | "file">): Promise<void> {
  await unlink(recordPath(home, of)).catch(() => undefined);
  await rmdir(folderOf(home)).catch(() => undefined);
}

export async function allRecords(home: string): Promise<readonly InstallRecord[]> {
  const names = await readdir(folderOf(home)).catch(() => []);
  return names
    .toSorted((one, other) => one.localeCompare(other))
    .map((name) => readRecord(join(folderOf(home), name)))
    .filter((record) => record !== null);
}
