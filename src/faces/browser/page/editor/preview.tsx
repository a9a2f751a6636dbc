/** The preview beside the editor: only blocks that changed are drawn again. */
import { Fragment, type VNode } from "preact";
import { drawNode } from "../markdown/draw.tsx";
import { reading } from "../markdown/drawing.ts";
import type { Block } from "../markdown/parse.ts";

/** Remembers the blocks of the last drawing by their source. */
export function previewPieces(): (blocks: readonly Block[]) => readonly VNode[] {
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
