/** The rendered plan. A long one is drawn piece by piece, so that its beginning is there at once. */
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { placeThreads, type Thread } from "../comments/threads.ts";
import { drawNodes } from "../markdown/draw.tsx";
import { reading } from "../markdown/paint.tsx";
import type { Block } from "../markdown/parse.ts";
import { highlightQuotes } from "../comments/highlight.ts";
import { markNew, newLines } from "../comments/new-lines.ts";
import { textOf, type PageState } from "../state.ts";
import { followAddress, followLink } from "./contents.tsx";
import { placeAround, linesOfElement } from "./jump.ts";
import type { Dispatch } from "./props.ts";

interface PlanProps {
  readonly blocks: readonly Block[];
  readonly threads: readonly Thread[];
  readonly state: PageState;
  readonly dispatch: Dispatch;
}

export function Plan({ blocks, threads, state, dispatch }: PlanProps): VNode {
  const { active, shown } = state;
  const text = textOf(state);
  const previous = shown?.facts.previous ?? null;
  const fresh = useMemo(() => newLines(previous, text), [previous, text]);
  const article = useRef<HTMLElement>(null);
  const { pieces, drawn } = usePieces(blocks);
  useLayoutEffect(() => {
    if (article.current === null) return;
    placeThreads(article.current, threads);
    highlightQuotes(article.current, threads, active);
  }, [threads, active, blocks, drawn]);
  useEffect(() => followAddress(blocks, text), []);
  useLayoutEffect(() => markNew(article.current!, fresh), [fresh, drawn]);
  const choose = (event: MouseEvent): void => {
    if (followLink(event, blocks, text)) return;
    const place = placeAround(event.target as HTMLElement);
    if (place === null || getSelection()?.isCollapsed === false) return;
    const { from, to } = linesOfElement(place);
    const here = threads.find((thread) => thread.comment.from <= to && thread.comment.to >= from);
    dispatch({ type: "comment-chosen", id: here?.comment.id ?? null });
  };
  return (
    <article class="plan" ref={article} tabIndex={0} aria-label="Plan text" onClick={choose}>
      {pieces}
    </article>
  );
}

const pieceSize = 40;

/** A table of many columns may use the margin, where nothing stands in it. */
function isWide({ token, children }: Block): boolean {
  return token.type === "table_open" && (children[0]?.children[0]?.children.length ?? 0) > 3;
}

/** Pieces that were drawn are kept as they are: nothing is compared again while somebody types elsewhere. */
function usePieces(blocks: readonly Block[]): { readonly pieces: readonly VNode[]; readonly drawn: number } {
  const made = useMemo((): VNode[] => [], [blocks]);
  const [drawn, setDrawn] = useState(1);
  const all = Math.ceil(blocks.length / pieceSize);
  useEffect(() => setDrawn(1), [blocks]);
  useEffect(() => {
    if (drawn >= all) return;
    const timer = setTimeout(() => setDrawn(Math.min(all, drawn * 3)), 0);
    return () => clearTimeout(timer);
  }, [drawn, blocks]);
  for (let piece = made.length; piece < Math.min(all, drawn); piece += 1) {
    const start = piece * pieceSize;
    const part = blocks.slice(start, start + pieceSize);
    made.push(
      <section class={part.some(isWide) ? "piece wide" : "piece"} key={start}>
        {drawNodes(part, reading)}
      </section>,
    );
  }
  return { pieces: made.slice(0, drawn), drawn };
}
