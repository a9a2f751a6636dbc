/** Moves the eye and the focus to a line of the plan. */

/** Long plans are drawn piece by piece, so the line may still be on its way. */
export function goToLine(line: number, tries = 90): void {
  const place = elementOfLine(line);
  if (place === null) {
    if (tries > 0) requestAnimationFrame(() => goToLine(line, tries - 1));
    return;
  }
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "center" });
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

export function linesOfElement(place: HTMLElement): { readonly from: number; readonly to: number } {
  return { from: Number(place.dataset["from"]), to: Number(place.dataset["to"]) };
}

export function placeAround(node: globalThis.Node | null): HTMLElement | null {
  const element = node instanceof HTMLElement ? node : (node?.parentElement ?? null);
  return element?.closest<HTMLElement>("#plan [data-from]") ?? null;
}
