/** The record of what changed while planning: begun at entry, asked at submission, ended at exit (B1.6). */
import { compareWorkTree, snapshotWorkTree, type WorkTreeSnapshot } from "./work-tree.ts";

export type WorkTreeWatch = ReturnType<typeof watchWorkTree>;

/** `exclude`: absolute paths that do not count, with all below them: the plans. */
export function watchWorkTree(root: string, exclude: readonly string[]) {
  let begun: Promise<WorkTreeSnapshot | null> | null = null;
  /** What differs from the first picture; empty while nothing was begun. */
  const changed = async (): Promise<readonly string[]> =>
    begun === null ? [] : compareWorkTree(await begun, root, exclude);
  return {
    /** Takes the first picture in the background. */
    begin: (): void => void (begun ??= snapshotWorkTree(root)),
    changed,
    /** What begins while the pictures are compared is another one. */
    end: (): Promise<readonly string[]> => {
      const result = changed();
      begun = null;
      return result;
    },
  };
}
