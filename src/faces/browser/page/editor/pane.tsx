/** Editing: the source on one side, what becomes of it on the other. The editor is loaded when it is wanted. */
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { parsePlan } from "../markdown/parse.ts";
import type { Dispatch } from "../view/props.ts";
import { previewPieces } from "./preview.tsx";

const waits = 150;

export function EditorPane({ text, dispatch }: { readonly text: string; readonly dispatch: Dispatch }): VNode {
  const host = useRef<HTMLDivElement>(null);
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
          waits,
          onText: (edited) => dispatch({ type: "edited", text: edited }),
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
  const blocks = useMemo(() => parsePlan(text), [text]);
  return (
    <main id="plan" class="editing" tabIndex={-1} aria-label="Edit the plan">
      <section class="source" aria-label="Source">
        {!isReady && <p class="opening">{problem ?? "Loading the editor…"}</p>}
        <div ref={host} class="editor" />
      </section>
      <section class="preview" aria-label="Preview" tabIndex={0}>
        <article class="plan">{draw(blocks)}</article>
      </section>
    </main>
  );
}
