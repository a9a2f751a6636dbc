/** Permission rules that stand for more than the tool of their name. */
import { deniedGlobs, type Roots, type RuleBook } from "../../core/decide/rules.ts";

/** Whatever reads a path is asked under its own name and under this one; and what writes one under the other. */
export const readRule = "Read";
export const editRule = "Edit";

/** Rules under these names let commands or agents run (R11.2); PowerShell is a tool of other hosts, whose rules may stand here. */
export const runnerRules: readonly string[] = ["Bash", "PowerShell", "Agent"];

/** Absolute globs of what no tool may read. */
export function hiddenGlobs(book: RuleBook, roots: Roots): readonly string[] {
  return deniedGlobs(book, readRule, roots);
}
