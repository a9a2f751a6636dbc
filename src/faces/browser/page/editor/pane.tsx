/** Editing: the source on one side, what becomes of it on the other. The editor is loaded when it is wanted. */
import { Fragment, type VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { hiddenCharacters } from "../../../../core/wire/visible.ts";
import { drawNode } from "../markdown/draw.tsx";
import { reading } from "../markdown/paint.tsx";
import type { Block } from "../markdown/parse.ts";
import { useLoaded } from "../view/lazy.tsx";
import type { Dispatch } from "../view/props.ts";

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
  const { part: editor, problem } = useLoaded(() => import("./editor.ts"));
  /** What the editor holds. Another text, from another tab or from the shelf, begins a new one. */
  const held = useRef(text);
  const begun = useRef(0);
  if (text !== held.current) begun.current += 1;
  useEffect(() => {
    held.current = text;
    return editor?.startEditor(host.current!, {
      text,
      hidden: hiddenCharacters,
      waits: text.length > 50_000 ? 400 : 150,
      onText: (edited) => {
        held.current = edited;
        dispatch({ type: "edited", text: edited });
      },
      onScroll: (now) => {
        share.current = now;
        follow();
      },
    });
  }, [editor, begun.current]);
  const draw = useMemo(previewPieces, []);
  const drawn = useGrowing(blocks.length);
  useLayoutEffect(follow, [blocks, drawn]);
  return (
    <main id="plan" class="editing" tabIndex={-1} aria-label="Edit the plan">
      <section class="source" aria-label="Source">
        {editor === null && (
          <p class="opening">
            {problem ? "The editor could not be loaded. Is the program still running?" : "Loading the editor…"}
          </p>
        )}
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

/** Remembers the blocks of the last drawing by their source: only what changed is drawn again. */
function previewPieces(): (blocks: readonly Block[]) => readonly VNode[] {
  let before = new Map<string, VNode>();
  return (blocks) => {
    const times = new Map<string, number>();
    const now = new Map<string, VNode>();
    for (const block of blocks) {
      const source = `${block.token.type}\n${block.source}`;
      const time = (times.get(source) ?? 0) + 1;
      times.set(source, time);
      const key = `${time}\n${source}`;
      now.set(key, before.get(key) ?? <Fragment key={key}>{drawNode(block, { ...reading, anchors: false })}</Fragment>);
    }
    before = now;
    return [...now.values()];
  };
}
