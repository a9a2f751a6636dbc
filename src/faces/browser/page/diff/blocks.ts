/** The difference of two plans by rendered blocks: what stayed, went, came, and what was only worded otherwise. */
import { likeness } from "../../../../core/plan/likeness.ts";
import { inlineTokens, parsePlan, taskOf, type Block, type Node } from "../markdown/parse.ts";
import { wordsOf } from "../markdown/paint.tsx";
import { diffParts, type Fold } from "./lines.ts";

/** `reworded`: `before` in other words; both are drawn as one. */
export type DiffBlock =
  | { readonly kind: "same" | "add" | "del"; readonly block: Block }
  | { readonly kind: "reworded"; readonly block: Block; readonly before: Block };

export function diffBlocks(before: string, after: string): readonly DiffBlock[] {
  const blocks: DiffBlock[] = [];
  let went: Block[] = [];
  let came: Block[] = [];
  const close = (): void => {
    blocks.push(...paired(went, came));
    [went, came] = [[], []];
  };
  for (const { kind, part } of diffParts(unitsOf(before), unitsOf(after), isSame)) {
    if (kind === "del") went.push(part);
    else if (kind === "add") came.push(part);
    else {
      close();
      blocks.push({ kind, block: part });
    }
  }
  close();
  return blocks;
}

function isSame(one: Block, other: Block): boolean {
  return one.token.type === other.token.type && one.source === other.source;
}

/** In the order of the new text; what went stands before what took its place. */
function paired(went: readonly Block[], came: readonly Block[]): readonly DiffBlock[] {
  const result: DiffBlock[] = [];
  let next = 0;
  for (const block of came) {
    const match = went.findIndex((before, index) => index >= next && isReworded(before, block));
    if (match < 0) {
      result.push({ kind: "add", block });
      continue;
    }
    for (const gone of went.slice(next, match)) result.push({ kind: "del", block: gone });
    result.push({ kind: "reworded", block, before: went[match]! });
    next = match + 1;
  }
  const rest = went.slice(next).map((block): DiffBlock => ({ kind: "del", block }));
  const last = result.findLastIndex(({ kind }) => kind === "reworded");
  return [...result.slice(0, last + 1), ...rest, ...result.slice(last + 1)];
}

/** One drawing can show both: much the same words, and nothing beside the words that only the old one had. */
function isReworded(before: Block, block: Block): boolean {
  if (before.token.type !== block.token.type) return false;
  if (isCode(block)) return likeness(before.source, block.source) > enough;
  const [old, now] = [wordsOf(before).text, wordsOf(block).text];
  if (old === now || old.length + now.length > longest || likeness(old, now) <= enough) return false;
  const [facts, here] = [factsOf(before), factsOf(block)];
  if (block.token.type === "table_open") return facts.join("\n") === here.join("\n");
  return facts.every((fact) => here.includes(fact));
}

const enough = 0.45;
const longest = 8000;

export function isCode({ token }: Node): boolean {
  return token.type === "fence" || token.type === "code_block";
}

/** What a block has beside its words: addresses, titles, ticks; the shape of a table. */
function factsOf(node: Node): readonly string[] {
  const tick = taskOf(node);
  const own = inlineTokens(node.token).flatMap(({ attrs }) => (attrs ?? []).map(([name, value]) => `${name} ${value}`));
  const row = node.token.type === "tr_open" ? [`row of ${node.children.length}`] : [];
  return [...(tick === null ? [] : [`tick ${tick}`]), ...row, ...own, ...node.children.flatMap(factsOf)];
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

/** Shown are changes, what is short beside them, and the heading that they stand under; everything else is folded. */
export function foldBlocks(blocks: readonly DiffBlock[]): readonly Fold<DiffBlock>[] {
  const isShown = blocks.map(({ kind }) => kind !== "same");
  for (const [index, { kind }] of blocks.entries()) {
    if (kind === "same") continue;
    for (const near of [index - 1, index + 1])
      if (blocks[near] !== undefined && isShort(blocks[near])) isShown[near] = true;
    const heading = blocks.slice(0, index).findLastIndex(isHeading);
    if (heading >= 0) isShown[heading] = true;
  }
  const folds: { kind: "shown" | "fold"; parts: DiffBlock[] }[] = [];
  for (const [index, block] of blocks.entries()) {
    const kind = isShown[index] === true ? "shown" : "fold";
    if (folds.at(-1)?.kind === kind) folds.at(-1)!.parts.push(block);
    else folds.push({ kind, parts: [block] });
  }
  return folds;
}

export function isHeading({ block }: DiffBlock): boolean {
  return block.token.type === "heading_open";
}

function isShort({ block }: DiffBlock): boolean {
  return block.source.length < 240 && block.to - block.from < 3;
}
