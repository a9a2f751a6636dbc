/** Each view keeps its place: coming back to the same text, one is where one left it. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PageState } from "../state.ts";
import { showLine } from "./jump.ts";

export function usePlace({ view, shown, words }: PageState): void {
  const left = useRef(new Map<string, number>());
  const name = `${view.kind} ${shown?.hash ?? ""}`;
  const before = useRef(name);
  const { composer } = words;
  if (before.current !== name) {
    left.current.set(before.current, scrollY);
    before.current = name;
  }
  useLayoutEffect(() => {
    if (shown === null) return;
    if (composer !== null) showLine(composer.place.from);
    else goTo(left.current.get(name) ?? 0, mostFrames);
  }, [name]);
}

/** Long plans are drawn piece by piece: the place may not be there yet. */
function goTo(top: number, frames: number): void {
  scrollTo({ top });
  if (frames > 0 && scrollY < top - 1) requestAnimationFrame(() => goTo(top, frames - 1));
}

const mostFrames = 60;
