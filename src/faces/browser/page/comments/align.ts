/** Sets cards at the height of their lines without letting them overlap; the focused one has its place for sure. */
import { elementOfLine } from "../view/jump.ts";

export interface Card {
  readonly wish: number;
  readonly height: number;
}

const gap = 10;

/** The top of each card: as wished where possible; those above the focused one give way upwards, the others downwards. */
export function topsOf(cards: readonly Card[], focused: number): readonly number[] {
  const tops = cards.map(({ wish }) => wish);
  const start = Math.max(0, focused);
  for (let index = start + 1; index < cards.length; index += 1) {
    tops[index] = Math.max(tops[index]!, tops[index - 1]! + cards[index - 1]!.height + gap);
  }
  for (let index = start - 1; index >= 0; index -= 1) {
    tops[index] = Math.min(tops[index]!, tops[index + 1]! - cards[index]!.height - gap);
  }
  return tops;
}

export function alignCards(column: HTMLElement, focused: string | null): void {
  const cards = [...column.querySelectorAll<HTMLElement>("[data-card]")];
  if (cards.length === 0) {
    column.style.removeProperty("min-height");
    return;
  }
  const isBeside = getComputedStyle(column).getPropertyValue("--beside").trim() === "1";
  if (!isBeside) {
    for (const card of cards) card.style.removeProperty("top");
    column.style.removeProperty("min-height");
    return;
  }
  const origin = column.getBoundingClientRect().top;
  const floor = column.querySelector("[data-floor]")?.getBoundingClientRect();
  const least = floor === undefined ? 0 : floor.bottom - origin + gap;
  const measured = cards.map((card) => ({ card, height: card.offsetHeight, wish: wishOf(card, origin) }));
  const lowest = Math.max(least, ...measured.map(({ wish, height }) => (wish ?? 0) + height + gap));
  const wished = measured
    .map(({ card, height, wish }) => ({ card, height, wish: Math.max(least, wish ?? lowest) }))
    .toSorted((a, b) => a.wish - b.wish);
  const tops = topsOf(
    wished,
    wished.findIndex(({ card }) => card.dataset["card"] === focused),
  );
  for (const [index, { card }] of wished.entries()) card.style.top = `${tops[index]!}px`;
  const bottom = wished.map(({ height }, index) => tops[index]! + height);
  column.style.minHeight = `${Math.max(0, ...bottom)}px`;
}

function wishOf(card: HTMLElement, origin: number): number | null {
  const line = card.dataset["line"];
  const place = line === undefined ? null : (elementOfLine(Number(line)) ?? foldOfLine(Number(line)));
  return place === null ? null : place.getBoundingClientRect().top - origin;
}

/** Where unchanged lines of a difference are folded away. */
function foldOfLine(line: number): HTMLElement | null {
  const folds = [...document.querySelectorAll<HTMLElement>("#plan [data-fold-from]")];
  return folds.findLast(({ dataset }) => Number(dataset["foldFrom"]) <= line) ?? null;
}
