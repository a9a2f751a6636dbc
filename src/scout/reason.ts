/** Says in a few words why a file is in the list. */
import type { Evidence, Judgement } from "./evidence.ts";

export function reasonFor(file: number, evidence: Evidence, judgement: Judgement): string {
  return `${file} ${evidence.survey.paths.length} ${judgement.scores[file]}`;
}
