/** Bars beside what is new since the person saw the plan last. */
import { mapLines } from "../../../../core/plan/line-map.ts";

/** By their numbers, blank ones aside; none for a text that was not seen before. */
export function newLines(previous: string | null, text: string): ReadonlySet<number> {
  if (previous === null || previous === text) return new Set();
  const lines = text.split("\n");
  const { hunks } = mapLines(previous.split("\n"), lines);
  const numbers = hunks.flatMap(({ now }) => Array.from({ length: now.to - now.from }, (_, index) => now.from + index));
  return new Set(numbers.filter((index) => lines[index]!.trim() !== "").map((index) => index + 1));
}

export function markNew(article: ParentNode, fresh: ReadonlySet<number>): void {
  for (const place of article.querySelectorAll<HTMLElement>("[data-new]")) delete place.dataset["new"];
  if (fresh.size === 0) return;
  for (const place of article.querySelectorAll<HTMLElement>("[data-from]")) {
    const [from, to] = [Number(place.dataset["from"]), Number(place.dataset["to"])];
    for (let line = from; line <= to; line += 1) {
      if (!fresh.has(line)) continue;
      place.dataset["new"] = "";
      break;
    }
  }
}
