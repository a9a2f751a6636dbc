/** Editing: the source on one side, what becomes of it on the other. The editor is loaded when it is wanted. */
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Block } from "../markdown/parse.ts";
import type { Dispatch } from "../view/props.ts";
import { previewPieces } from "./preview.tsx";

/** Milliseconds of rest before the preview follows. */
function waitsFor(text: string): number {
  return text.length > 50_000 ? 400 : 150;
}

interface PaneProps {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly dispatch: Dispatch;
}

export function EditorPane({ text, blocks, dispatch }: PaneProps): VNode {
  const host = useRef<HTMLDivElement>(null);
  const preview = useRef<HTMLElement>(null);
  const share = useRef(0);
  const follow = (): void => {
    const box = preview.current;
    if (box !== null) box.scrollTop = share.current * (box.scrollHeight - box.clientHeight);
  };
  const [isReady, setReady] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isGone = false;
    import("./editor.ts").then(
      ({ startEditor }) => {
        if (isGone || host.current === null) return;
        stop = startEditor(host.current, {
          text,
          waits: waitsFor(text),
          onText: (edited) => dispatch({ type: "edited", text: edited }),
          onScroll: (now) => {
            share.current = now;
            follow();
          },
        });
        setReady(true);
      },
      () => setProblem("The editor could not be loaded. Is the program still running?"),
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, []);
  const draw = useMemo(previewPieces, []);
  const drawn = useGrowing(blocks.length);
  useLayoutEffect(follow, [blocks, drawn]);
  return (
    <main id="plan" class="editing" tabIndex={-1} aria-label="Edit the plan">
      <section class="source" aria-label="Source">
        {!isReady && <p class="opening">{problem ?? "Loading the editor…"}</p>}
        <div ref={host} class="editor" />
      </section>
      <section class="preview" ref={preview} aria-label="Preview" tabIndex={0}>
        <article class="plan">{draw(blocks.slice(0, drawn))}</article>
      </section>
    </main>
  );
}

/** A long preview is drawn piece by piece. */
function useGrowing(all: number): number {
  const [drawn, setDrawn] = useState(100);
  useEffect(() => {
    if (drawn >= all) return;
    const timer = setTimeout(() => setDrawn(drawn + 200), 0);
    return () => clearTimeout(timer);
  }, [drawn, all]);
  return drawn;
}
