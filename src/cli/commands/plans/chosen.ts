/** The plan and the text of it that a command was asked for. */
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { hashText } from "../../../core/plan/hash.ts";
import { complain } from "../../complaint.ts";
import { planOf, type PlansRequest } from "./request.ts";
import { oneLine } from "./screen.ts";

/** The exit code where there is none, after saying why. */
export async function load(request: PlansRequest): Promise<LoadedPlan | number> {
  const [, ...more] = request.words;
  if (more.length > 0)
    return complain(request.streams, `One plan at a time: ${oneLine(more.join(" "))} is one too many.`, 2);
  const plan = await planOf(request, request.words[0]);
  return typeof plan === "number" ? plan : request.library.load(plan);
}

export function chosenText(
  loaded: LoadedPlan,
  wanted: number | null,
): { readonly text: string; readonly revision: number | null } | null {
  const { revisions, text } = loaded;
  if (wanted === null) {
    const hash = hashText(text);
    return { text, revision: revisions.findLast((revision) => revision.hash === hash)?.number ?? null };
  }
  const found = revisions.find(({ number }) => number === wanted);
  return found === undefined ? null : { text: found.text, revision: found.number };
}

export function noRevision({ revisions, entry }: LoadedPlan, wanted: number | null): string {
  if (wanted === null) return `Nothing is left of ${oneLine(entry.title)}: neither its file nor its session's log.`;
  const known = revisions.map(({ number }) => number).join(", ");
  return `There is no revision ${wanted}; there ${known === "" ? "is none" : `are ${known}`}.`;
}
