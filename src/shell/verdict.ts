/** The verdict on one command line. */
import type { ShellSituation, ShellVerdict } from "./types.ts";

/** Never throws. */
export function verdict(_command: string, _situation: ShellSituation): ShellVerdict {
  return {
    verdict: "unproven",
    reason: "the guard is not built yet",
    span: null,
    canonical: null,
    parts: [],
    reads: [],
    edits: null,
    network: false,
    gitDirectories: [],
  };
}
