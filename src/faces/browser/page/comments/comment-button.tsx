/** The button beside the line under the pointer or the focus, and beside selected words, that begins a comment. */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { newId } from "../connection.ts";
import { placeOf, type LineStretch, type QuotedPlace } from "../places.ts";
import { textOf, type PageState } from "../state.ts";
import { suggestionAt } from "../suggestions.ts";
import { linesOfElement, placeAround } from "../view/jump.ts";
import type { Dispatch } from "../view/props.ts";
import { selectedPlace } from "./selection.ts";

interface Spot {
  readonly top: number;
  readonly lines: LineStretch;
  readonly isSelection: boolean;
}

interface ButtonProps {
  readonly state: PageState;
  readonly dispatch: Dispatch;
}

export function CommentButton({ state, dispatch }: ButtonProps): VNode | null {
  const text = textOf(state);
  const [spot, setSpot] = useState<Spot | null>(null);
  const button = useRef<HTMLSpanElement>(null);
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
  const suggest = (): void => {
    openSuggestion({ state, dispatch }, placeOf(text, lines));
    setSpot(null);
  };
  return (
    <span ref={button} class={`comment-here ${isSelection ? "selection" : ""}`}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={isSelection ? "Comment on the selection" : `Comment on line ${lines.from}`}
        title="Comment (c)"
        onPointerDown={(event) => event.preventDefault()}
        onClick={begin}
      >
        {isSelection ? "Comment" : "+"}
      </button>
      {!isSelection && (
        <button
          type="button"
          class="suggest-here"
          tabIndex={-1}
          aria-label={`Suggest other words for line ${lines.from}`}
          title="Suggest other words (s)"
          onPointerDown={(event) => event.preventDefault()}
          onClick={suggest}
        >
          ✎
        </button>
      )}
    </span>
  );
}

/** One suggestion for the same lines is changed, not doubled. */
export function openSuggestion({ state, dispatch }: ButtonProps, place: QuotedPlace): void {
  const there = suggestionAt(state.words.drafts, place);
  dispatch({ type: "composer-opened", place: there ?? place, id: there?.id ?? newId(), suggests: true });
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
