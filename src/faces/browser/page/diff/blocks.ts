/** The difference of two plans by rendered blocks: what stayed, went, came, and which words changed in between. */
import { parsePlan, type Block } from "../markdown/parse.ts";
import type { MarkedSpan } from "../markdown/paint.tsx";
import { wordsOf } from "../markdown/words.ts";
import { changesOf, folded, wordSpans, type Fold } from "./lines.ts";

export interface DiffBlock {
  readonly kind: "same" | "add" | "del";
  readonly block: Block;
  readonly spans: readonly MarkedSpan[];
}

export function diffBlocks(before: string, after: string): readonly DiffBlock[] {
  const old = unitsOf(before);
  const now = unitsOf(after);
  let oldAt = 0;
  let nowAt = 0;
  const changes = changesOf(sources(old), sources(now)).map(({ kind, values }) => {
    const blocks = kind === "del" ? old.slice(oldAt, oldAt + values.length) : now.slice(nowAt, nowAt + values.length);
    if (kind !== "add") oldAt += values.length;
    if (kind !== "del") nowAt += values.length;
    return { kind, blocks };
  });
  return changes.flatMap(({ kind, blocks }, index): readonly DiffBlock[] => {
    if (kind === "same") return blocks.map((block) => ({ kind, block, spans: [] }));
    const partner = changes[index + (kind === "del" ? 1 : -1)];
    const others = partner === undefined || partner.kind === "same" ? [] : partner.blocks;
    return blocks.map((block, place) => ({ kind, block, spans: spansBetween(kind, block, others[place]) }));
  });
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

function sources(blocks: readonly Block[]): readonly string[] {
  return blocks.map(({ token, source }) => `${token.type}\n${source}`);
}

function spansBetween(kind: "add" | "del", block: Block, other: Block | undefined): readonly MarkedSpan[] {
  if (other === undefined || other.token.type !== block.token.type) return [];
  const [own, others] = [wordsOf(block).text, wordsOf(other).text];
  return wordSpans(kind === "del" ? [own, others] : [others, own])[kind];
}

/** Headings and one block around each change stay; longer stretches without one are folded. */
export function foldBlocks(blocks: readonly DiffBlock[]): readonly Fold<DiffBlock>[] {
  const isNear = (index: number) => [-1, 0, 1].some((step) => (blocks[index + step]?.kind ?? "same") !== "same");
  const isShown = ({ block }: DiffBlock, index: number) => isNear(index) || block.token.type === "heading_open";
  return folded(blocks, { isShown, fewest: 2 });
}
