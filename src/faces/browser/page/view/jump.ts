/** Moves the eye and the focus to a line of the plan. */
import type { LineStretch } from "../places.ts";

/** Long plans are drawn piece by piece: the line may still be on its way, and what lies before it may grow when it comes. */
export function goToLine(line: number, block: "center" | "start" = "center"): void {
  whenDrawn(line, 90, (place) => {
    const show = (): void => place.scrollIntoView({ block });
    place.focus({ preventScroll: true });
    show();
    requestAnimationFrame(() => requestAnimationFrame(show));
  });
}

/** The focus stays where it is. */
export function showLine(line: number): void {
  whenDrawn(line, 90, (place) => place.scrollIntoView({ block: "center" }));
}

function whenDrawn(line: number, tries: number, use: (place: HTMLElement) => void): void {
  const place = elementOfLine(line);
  if (place !== null) use(place);
  else if (tries > 0) requestAnimationFrame(() => whenDrawn(line, tries - 1, use));
}

/** The innermost element that holds the line. */
export function elementOfLine(line: number): HTMLElement | null {
  const plan = document.getElementById("plan");
  const exact = plan?.querySelectorAll<HTMLElement>(`[data-from="${line}"]`);
  if (exact !== undefined && exact.length > 0) return exact[exact.length - 1]!;
  let best: HTMLElement | null = null;
  for (const place of plan?.querySelectorAll<HTMLElement>("[data-from]") ?? []) {
    const from = Number(place.dataset["from"]);
    if (from > line) break;
    if (Number(place.dataset["to"]) >= line) best = place;
  }
  return best;
}

export function linesOfElement(place: HTMLElement): LineStretch {
  return { from: Number(place.dataset["from"]), to: Number(place.dataset["to"]) };
}

export function placeAround(node: globalThis.Node | null): HTMLElement | null {
  const element = node instanceof HTMLElement ? node : (node?.parentElement ?? null);
  return element?.closest<HTMLElement>("#plan [data-from]") ?? null;
}
