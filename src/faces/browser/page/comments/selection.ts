/** The selected part of the rendered plan as a place in its source. */
import { placeOf, type QuotedPlace } from "../places.ts";
import { linesOfElement, placeAround } from "../view/jump.ts";

/** `null`: nothing of the plan is selected. */
export function selectedPlace(text: string): QuotedPlace | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const [first, last] = [placeAround(range.startContainer), placeAround(range.endContainer)];
  const start = first ?? last;
  if (start === null) return null;
  const end = last !== null && range.endOffset > 0 ? last : start;
  const [one, other] = [linesOfElement(start), linesOfElement(end)];
  const lines = { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
  return placeOf(text, start === end ? one : lines, selection.toString());
}
