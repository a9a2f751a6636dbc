/** The button beside the line under the pointer or the focus, and beside selected words, that begins a comment. */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { newId } from "../connection.ts";
import { placeOf, type LineStretch } from "../places.ts";
import { linesOfElement, placeAround } from "../view/jump.ts";
import type { Dispatch } from "../view/props.ts";
import { selectedPlace } from "./selection.ts";

interface Spot {
  readonly top: number;
  readonly lines: LineStretch;
  readonly isSelection: boolean;
}

interface ButtonProps {
  readonly text: string;
  readonly dispatch: Dispatch;
}

export function CommentButton({ text, dispatch }: ButtonProps): VNode | null {
  const [spot, setSpot] = useState<Spot | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => watchSpots(setSpot), []);
  useEffect(() => {
    if (button.current !== null && spot !== null) button.current.style.top = `${spot.top}px`;
  }, [spot]);
  if (spot === null) return null;
  const { lines, isSelection } = spot;
  const begin = (): void => {
    const place = (isSelection ? selectedPlace(text) : null) ?? placeOf(text, lines);
    dispatch({ type: "composer-opened", place, id: newId() });
    getSelection()?.removeAllRanges();
    setSpot(null);
  };
  return (
    <button
      type="button"
      ref={button}
      tabIndex={-1}
      class={`comment-here ${isSelection ? "selection" : ""}`}
      aria-label={isSelection ? "Comment on the selection" : `Comment on line ${lines.from}`}
      title="Comment (c)"
      onPointerDown={(event) => event.preventDefault()}
      onClick={begin}
    >
      {isSelection ? "Comment" : "+"}
    </button>
  );
}

function watchSpots(setSpot: (spot: Spot | null) => void): () => void {
  const plan = document.getElementById("plan")!;
  const spotOf = (place: HTMLElement, isSelection: boolean): Spot => {
    const top = place.getBoundingClientRect().top - plan.getBoundingClientRect().top;
    return { top, lines: linesOfElement(place), isSelection };
  };
  const point = (event: Event): void => {
    const target = event.target as HTMLElement;
    if (target.closest(".comment-here") !== null || !(getSelection()?.isCollapsed ?? true)) return;
    const place = placeAround(target);
    if (place !== null) setSpot(spotOf(place, false));
  };
  const select = (): void => {
    const selection = getSelection();
    if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
    const range = selection.getRangeAt(0);
    const place = placeAround(range.endContainer) ?? placeAround(range.startContainer);
    if (place === null) return;
    const last = [...range.getClientRects()].at(-1);
    const bottom = last === undefined ? 0 : last.bottom - plan.getBoundingClientRect().top;
    setSpot({ ...spotOf(place, true), top: bottom + 4 });
  };
  const leave = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") setSpot(null);
  };
  const ending = new AbortController();
  const { signal } = ending;
  plan.addEventListener("pointerover", point, { signal });
  plan.addEventListener("focusin", point, { signal });
  plan.addEventListener("pointerleave", leave, { signal });
  document.addEventListener("selectionchange", select, { signal });
  return () => ending.abort();
}
