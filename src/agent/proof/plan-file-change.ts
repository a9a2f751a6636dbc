/** The approved plan's own file, where it lies in the project, is no work: a plain Markdown file that is new and has its very bytes (B16.1). */
import type { TreeChange } from "../../core/proof/difference.ts";
import { blobHash } from "../watch/work-tree-files.ts";

export function withoutPlan(changes: readonly TreeChange[], plan: string): readonly TreeChange[] {
  const bytes = Buffer.from(plan, "utf8");
  const blobs = new Set([blobHash(bytes, "sha1"), blobHash(bytes, "sha256")]);
  const isPlan = ({ path, before, after }: TreeChange): boolean =>
    before === null && after?.mode === "100644" && path.endsWith(".md") && blobs.has(after.hash);
  return changes.filter((change) => !isPlan(change));
}
