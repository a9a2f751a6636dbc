/** The difference as one rendered text: struck and added words in one paragraph, code by lines, what stayed folded to its headings. */
import type { ComponentChildren, VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { textOf } from "../markdown/draw-words.tsx";
import { drawNode } from "../markdown/draw.tsx";
import { anchor, markSpans, reading, rewordingPaint, showText, wordsOf } from "../markdown/paint.tsx";
import type { Block } from "../markdown/parse.ts";
import { diffBlocks, foldBlocks, isCode, isHeading, type DiffBlock } from "./blocks.ts";
import { diffLines, foldLines, rewordings, type DiffLine } from "./lines.ts";

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
  const titles = blocks.filter(isHeading).map(({ block }) => textOf([block]));
  const most = 6;
  return (
    <button
      type="button"
      class="fold"
      data-fold-from={blocks[0]!.block.from}
      data-fold-to={blocks.at(-1)!.block.to}
      onClick={() => setOpen(true)}
    >
      {titles.length > 0 && <span class="titles">{showText(titles.slice(0, most).join(" · "))}</span>}
      {titles.length > most && ` and ${titles.length - most} more sections`} {blocks.length} unchanged{" "}
      {blocks.length === 1 ? "block" : "blocks"}
    </button>
  );
}

function Blocks({ blocks, anchors }: BlocksProps): VNode {
  return <>{blocks.map((each) => drawBlock(each, { anchors }))}</>;
}

function drawBlock(each: DiffBlock, { anchors }: Pick<DiffProps, "anchors">): ComponentChildren {
  const { kind, block } = each;
  if (kind === "same") return drawNode(block, { ...reading, anchors });
  return (
    <div class={`change ${kind}`} role="group" aria-label={names[kind]} tabIndex={-1}>
      {kind === "reworded"
        ? drawReworded(each.before, block, { anchors })
        : drawNode(block, { ...reading, anchors: anchors && kind === "add" })}
    </div>
  );
}

const names = { add: "Added", del: "Removed", reworded: "Reworded" } as const;

function drawReworded(before: Block, block: Block, { anchors }: Pick<DiffProps, "anchors">): ComponentChildren {
  if (isCode(block)) return <CodeChange before={before} block={block} anchors={anchors} />;
  const words = wordsOf(block);
  const paint = rewordingPaint(words, rewordings(wordsOf(before).text, words.text));
  return drawNode(block, { paint, anchors, colours: false });
}

interface CodeProps extends Pick<DiffProps, "anchors"> {
  readonly before: Block;
  readonly block: Block;
}

/** With its fences: what they say is a part of it. */
function CodeChange({ before, block, anchors }: CodeProps): VNode {
  const folds = useMemo(() => foldLines(diffLines(before.source, block.source)), [before, block]);
  const [isWhole, setWhole] = useState(false);
  return (
    <figure class="code by-lines" dir="ltr">
      <pre tabIndex={0} role="group" aria-label="Code, by lines">
        <code>
          {folds.map((fold) =>
            fold.kind === "fold" && !isWhole ? (
              <button type="button" class="fold" onClick={() => setWhole(true)}>
                {fold.parts.length} unchanged lines
              </button>
            ) : (
              fold.parts.map((line) => drawLine(line, { anchors, first: block.from }))
            ),
          )}
        </code>
      </pre>
    </figure>
  );
}

function drawLine(line: DiffLine, { anchors, first }: { readonly anchors: boolean; readonly first: number }): VNode {
  const { kind, text, spans } = line;
  const place = line.new === null ? {} : anchor(stretch(first + line.new - 1), { ...reading, anchors });
  return (
    <span class={`line ${kind}`} {...place}>
      {kind === "same" ? showText(text) : markSpans(text, spans, kind === "del" ? "del" : "ins")}
      {"\n"}
    </span>
  );
}

function stretch(line: number): { readonly from: number; readonly to: number } {
  return { from: line, to: line };
}
