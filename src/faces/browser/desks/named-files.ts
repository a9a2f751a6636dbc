/** The files that a plan names, compared with what they were when it was submitted (B5.5). */
import type { Evidence } from "../../../core/plan/ledger.ts";
import { hashBytes } from "../../../agent/host/files/atomic-write.ts";
import type { Files } from "../../../agent/ports/ports.ts";
import type { NamedFile } from "./wire.ts";

type LookAtFiles = (evidence: Evidence | null, project: string) => Promise<readonly NamedFile[]>;

/** A file whose time and size are as before is not read again. */
export function lookAtFiles(files: Files): LookAtFiles {
  const known = new Map<string, { readonly stamp: string; readonly hash: string }>();
  const hashOf = async (path: string): Promise<string | null> => {
    const stat = await files.stat(path).catch(() => null);
    if (stat?.kind !== "file") return null;
    const stamp = `${stat.mtimeMs} ${stat.size}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.hash;
    const hash = hashBytes(await files.readBytes(path, { limit: sizeLimit }));
    known.set(path, { stamp, hash });
    return hash;
  };
  return async (evidence, project) => {
    const compared = (evidence?.files ?? []).map(async ({ path, hash: then }): Promise<NamedFile> => {
      const now = await hashOf(await files.canonical(path, project)).catch(() => null);
      if (now === null) return { path, state: then === null ? "new" : "missing" };
      return { path, state: now === then ? "same" : "changed" };
    });
    return Promise.all(compared);
  };
}

/** As much of a file as counts at the submission. */
const sizeLimit = 4 * 1024 * 1024;
