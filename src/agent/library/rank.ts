/** Ranks plans by how well they fit the words: rare words count more, a title more than a heading, a heading more than the body. */
import { headingsOf } from "../../core/plan/outline.ts";
import { fold, placesOf, type Term } from "./fold.ts";

/** A plan's title, headings and body, folded. */
export interface FoldedPlan {
  readonly id: string;
  readonly fields: readonly [title: string, headings: string, body: string];
}

export function foldPlan({ id, title }: { readonly id: string; readonly title: string }, text: string): FoldedPlan {
  const body = text.slice(0, longestBody);
  return { id, fields: [fold(title), headingsOf(body).map(fold).join("\n"), fold(body)] };
}

/** Every plan that has any of the terms, and how many of them (BM25 over weighted fields). */
export function rankPlans(plans: readonly FoldedPlan[], terms: readonly Term[]) {
  const lengths = plans.map(({ fields }) => fields.join("").length);
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, plans.length));
  const found = terms.map((term) => plans.map((plan) => weightIn(plan, term)));
  const rarities = found.map((weights) => {
    const count = weights.filter((weight) => weight > 0).length;
    return Math.log(1 + (plans.length - count + 0.5) / (count + 0.5));
  });
  return plans.flatMap(({ id }, at) => {
    const length = 1.2 * (0.25 + 0.75 * (lengths[at]! / average));
    const shares = found.map((weights, term) => (rarities[term]! * weights[at]! * 2.2) / (weights[at]! + length));
    const has = shares.filter((share) => share > 0).length;
    return has === 0 ? [] : [{ id, score: shares.reduce((sum, share) => sum + share, 0), terms: has }];
  });
}

const fieldWeights = [10, 3, 1] as const;
/** So often in one plan says enough. */
const enough = 40;
const longestBody = 512 * 1024;

function weightIn({ fields }: FoldedPlan, term: Term): number {
  let weight = 0;
  for (const [field, text] of fields.entries()) {
    for (const { isWhole } of placesOf(text, term)) {
      weight += fieldWeights[field]! * (isWhole ? 1 : 0.5);
      if (weight > enough) return weight;
    }
  }
  return weight;
}
