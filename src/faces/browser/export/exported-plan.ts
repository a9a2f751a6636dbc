/** What is told of a plan in a file that is sent to somebody else: no path of this machine is in it. Types only. */
import type { Comment } from "../../../core/verdict.ts";

export interface ExportedPlan {
  readonly title: string;
  /** Name and value of each, in order. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Said aloud above the text. */
  readonly warnings: readonly string[];
  /** The text to read, first; then the other revisions, newest first. */
  readonly revisions: readonly ExportedRevision[];
}

export interface ExportedRevision {
  /** `Revision 2`, or what else the text is. */
  readonly name: string;
  /** Told beside the name: by whom and when. */
  readonly made: string;
  /** Null where it is not kept. */
  readonly text: string | null;
  /** SHA-256 of the text. */
  readonly hash: string;
  readonly decisions: readonly ExportedDecision[];
  /** All that were said on these lines. */
  readonly comments: readonly Comment[];
}

export interface ExportedDecision {
  readonly kind: "good" | "bad" | "plain";
  /** `approved`, `sent back`, … */
  readonly name: string;
  readonly made: string;
  /** Empty where nothing was said. */
  readonly words: string;
}

/** What the built page's `export.cjs` gives. */
export interface PageExport {
  readonly planDocument: (plan: ExportedPlan) => string;
}
