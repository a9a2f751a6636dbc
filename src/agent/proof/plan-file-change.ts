/** The approved plan's own file, where it lies in the project, is no work: known by its bytes, whatever it is called (B16.1). */
import type { TreeChange } from "../../core/proof/difference.ts";
import { blobHash } from "../watch/work-tree-files.ts";

export function withoutPlan(changes: readonly TreeChange[], plan: string): readonly TreeChange[] {
  const bytes = Buffer.from(plan, "utf8");
  const blobs = new Set([blobHash(bytes, "sha1"), blobHash(bytes, "sha256")]);
  return changes.filter(({ before, after }) => before !== null || after === null || !blobs.has(after.hash));
}
