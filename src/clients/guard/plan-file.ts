/** The one file that another agent may write while it plans: where its client keeps the plan, and only if no link leads elsewhere. */
import { basename, dirname, join, relative } from "node:path";
import type { Files } from "../../agent/ports/ports.ts";
import type { RefusedFiles } from "../../agent/ports/refused.ts";
import { isInside } from "../../core/decide/access.ts";
import { lexicalPath } from "../../agent/host/files/canonical.ts";

export interface PlanFilePlace {
  readonly files: Files;
  readonly refused: RefusedFiles;
  /** As the client names it, which may lead through links. */
  readonly given: string;
  /** Canonical, as is the root. */
  readonly directory: string;
  readonly root: string;
}

/** Canonical; null where there is none, or where writing it could write something else. */
export async function writablePlanFile(named: string | null, place: PlanFilePlace): Promise<string | null> {
  if (named === null || named === "" || named.includes("\0") || !/\.md$/i.test(named)) return null;
  const { files, refused, directory, given, root } = place;
  const written = lexicalPath(named, given);
  const lexical = isInside(written, given) ? join(directory, relative(given, written)) : written;
  const path = await files.canonical(lexical, directory);
  const folder = await files.canonical(dirname(lexical), directory);
  if (path !== join(folder, basename(lexical))) return null;
  if (isInside(lexical, root) ? path !== lexical : isInside(path, root)) return null;
  const found = await files.stat(path);
  if (found !== null && (found.kind !== "file" || found.links > 1)) return null;
  return (await refused.ownAt(path)) === null ? path : null;
}
