/** What the files that a plan names look like now: their hashes, for the comparison of later (B5.5). */
import type { FileState } from "../../core/plan/ledger.ts";
import { hashBytes } from "../host/files/atomic-write.ts";
import type { Files } from "../ports/ports.ts";

/** Relative paths are the project's. Files that cannot be read are left out; `hash` is null for what is no file. */
export async function fileStates(
  paths: readonly string[],
  { files, projectRoot }: { readonly files: Files; readonly projectRoot: string },
): Promise<readonly FileState[]> {
  const states = paths.map(async (path): Promise<FileState> => {
    const canonical = await files.canonical(path, projectRoot);
    const stat = await files.stat(canonical).catch(() => null);
    if (stat?.kind !== "file") return { path, hash: null };
    return { path, hash: hashBytes(await files.readBytes(canonical, { limit: evidenceLimit })) };
  });
  const settled = await Promise.allSettled(states);
  return settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

/** Beyond this size a named file's content says little and costs time. */
const evidenceLimit = 4 * 1024 * 1024;
