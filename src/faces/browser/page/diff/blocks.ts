/** The difference of two plans by rendered blocks: what stayed, went, came, and which words changed in between. */
import { parsePlan, type Block } from "../markdown/parse.ts";
import { wordsOf, type MarkedSpan } from "../markdown/paint.tsx";
import { changedWords, diffParts, folded, type DiffPart, type Fold } from "./lines.ts";

export interface DiffBlock extends Pick<DiffPart<Block>, "kind"> {
  readonly block: Block;
  readonly spans: readonly MarkedSpan[];
}

export function diffBlocks(before: string, after: string): readonly DiffBlock[] {
  return diffParts(unitsOf(before), unitsOf(after), isSame).map(({ kind, part: block, partner }) => {
    const other = partner?.token.type === block.token.type ? partner : undefined;
    const spans = other === undefined ? [] : changedWords(kind, wordsOf(block).text, wordsOf(other).text);
    return { kind, block, spans };
  });
}

function isSame(one: Block, other: Block): boolean {
  return one.token.type === other.token.type && one.source === other.source;
}

/** Blocks, and lists item by item: what stayed in a list is not shown twice. */
function unitsOf(text: string): readonly Block[] {
  return parsePlan(text).flatMap((block) => {
    if (!block.token.type.endsWith("_list_open")) return [block];
    const lines = block.source.split("\n");
    const first = Number(block.token.attrGet("start") ?? 1);
    return block.children.map((item, index) => {
      const source = lines
        .slice(item.from - block.from, item.to - block.from + 1)
        .join("\n")
        .trimEnd();
      return { token: block.token, children: [item], from: item.from, to: item.to, source, start: first + index };
    });
  });
}

/** Headings stay. */
export function foldBlocks(blocks: readonly DiffBlock[]): readonly Fold<DiffBlock>[] {
  return folded(blocks, { around: 1, fewest: 2 }, ({ block }) => block.token.type === "heading_open");
}
