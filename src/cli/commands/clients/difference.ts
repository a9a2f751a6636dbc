/** What an install will write, as a difference that a person reads. */
import { createTwoFilesPatch } from "diff";
import { makeVisible } from "../../../core/wire/visible.ts";
import { isChanging, type Change } from "../../../clients/install/change.ts";

/** Nothing where nothing changes. */
export function differenceText(changes: readonly Change[]): string {
  return changes
    .filter(isChanging)
    .map(({ part, before, after }) => {
      const [old, made] = [before === null ? "/dev/null" : part.file, after === null ? "/dev/null" : part.file];
      const patch = createTwoFilesPatch("", "", before ?? "", after ?? "", "", "", { context: 2 });
      const lines = patch.slice(Math.max(0, patch.indexOf("@@ -")));
      return makeVisible(`--- ${old}\n+++ ${made}\n${lines}`);
    })
    .join("");
}
