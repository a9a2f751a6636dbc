/** What a test needs of the machine beside Node and git: `test("…", needs("bubblewrap"), …)`; where it is missing the test is skipped, and the end of the run says so. */
import { inject } from "vitest";
import type { Program } from "./programs.ts";

/** Options for `test`, `test.each`, `describe` and `describe.each`. */
export function needs(...programs: readonly Program[]): { skip: boolean; meta: { missing?: readonly Program[] } } {
  const missing = programs.filter((program) => inject("missing").includes(program));
  return missing.length === 0 ? { skip: false, meta: {} } : { skip: true, meta: { missing } };
}
