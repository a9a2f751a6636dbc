/** What a plan is made of, before it is written down. */
import type { Wishes } from "./feedback.ts";
import type { Definition, Findings } from "./findings.ts";
import type { Ranking } from "./rank.ts";
import type { Selection } from "./select.ts";
import type { Fit } from "./telling.ts";

export interface Draft {
  readonly task: string;
  readonly ranking: Ranking;
  readonly selection: Selection;
  readonly findings: Findings;
  readonly wishes: Wishes;
  readonly fit: Fit;
  /** What the person chose when asked, or what was assumed; empty when nothing was asked. */
  readonly decisions: readonly string[];
  /** The project's own instructions. */
  readonly rules: readonly string[];
  /** Headings that the project wants in every plan. */
  readonly headings: readonly string[];
}

export function titleFor(task: string): string {
  const line = task.split("\n").find((text) => text.trim() !== "") ?? "";
  const plain = oneLine(line.replace(/^[#>\s]+/, ""), 90).replace(/[.:;,]+$/, "");
  return plain === "" ? "Plan" : plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Definitions of a file that fit the task, best first; a local name is none. */
export function definitionsIn(path: string, { definitions }: Findings): readonly Definition[] {
  const own = definitions.filter((definition) => definition.path === path);
  const least = (own[0]?.fit ?? 0) * 0.6;
  return own.filter(({ fit }) => fit >= least);
}

export function oneLine(text: string, longest: number): string {
  const plain = text.replace(/[\s\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
  return plain.length > longest ? `${plain.slice(0, longest - 1).trimEnd()}…` : plain;
}
