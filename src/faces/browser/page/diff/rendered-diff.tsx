/** The difference as rendered blocks, changed words marked inside of them. */
import type { ComponentChildren, VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { drawNode } from "../markdown/draw.tsx";
import { markingPaint, reading, wordsOf } from "../markdown/paint.tsx";
import { diffBlocks, foldBlocks, type DiffBlock } from "./blocks.ts";

export interface DiffProps {
  readonly before: string;
  readonly after: string;
  /** Whether the new text is the one that is decided on: then its lines can be commented on. */
  readonly anchors: boolean;
}

export function RenderedDiff({ before, after, anchors }: DiffProps): VNode {
  const folds = useMemo(() => foldBlocks(diffBlocks(before, after)), [before, after]);
  return (
    <article class="plan rendered-diff" aria-label="Rendered difference">
      {folds.map((fold, index) =>
        fold.kind === "fold" ? (
          <Folded key={index} blocks={fold.parts} anchors={anchors} />
        ) : (
          <Blocks key={index} blocks={fold.parts} anchors={anchors} />
        ),
      )}
    </article>
  );
}

interface BlocksProps {
  readonly blocks: readonly DiffBlock[];
  readonly anchors: boolean;
}

function Folded({ blocks, anchors }: BlocksProps): VNode {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Blocks blocks={blocks} anchors={anchors} />;
  return (
    <button type="button" class="fold" onClick={() => setOpen(true)}>
      {blocks.length} unchanged {blocks.length === 1 ? "block" : "blocks"}
    </button>
  );
}

function Blocks({ blocks, anchors }: BlocksProps): VNode {
  return <>{blocks.map((each) => drawBlock(each, { anchors }))}</>;
}

function drawBlock({ kind, block, spans }: DiffBlock, { anchors }: Pick<DiffProps, "anchors">): ComponentChildren {
  if (kind === "same") return drawNode(block, { ...reading, anchors });
  const mark = kind === "add" ? "ins" : "del";
  const paint = markingPaint(wordsOf(block), spans, mark);
  return (
    <div
      class={`change ${kind} ${spans.length > 0 ? "words" : ""}`}
      role="group"
      aria-label={kind === "add" ? "Added" : "Removed"}
    >
      {drawNode(block, { paint, anchors: anchors && kind === "add", colours: spans.length === 0 })}
    </div>
  );
}
