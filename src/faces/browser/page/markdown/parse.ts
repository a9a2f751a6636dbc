/** A plan's Markdown as blocks that know their source lines. */
import MarkdownIt, { type Token } from "markdown-it";
import { makeVisible } from "../../../../core/visible.ts";

/** One node of the text: an element with children, or a leaf with content. Lines are counted from 1, both ends included. */
export interface Node {
  readonly token: Token;
  readonly children: readonly Node[];
  readonly from: number;
  readonly to: number;
}

export interface Block extends Node {
  /** The source lines of the block, as they are shown. */
  readonly source: string;
}

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 60 });

/** Hidden characters are made visible before anything else (B2.5); lines stay where they are. */
export function parsePlan(text: string): readonly Block[] {
  const visible = makeVisible(text);
  const lines = visible.split("\n");
  return tree(withTasks(markdown.parse(visible, {}))).map(({ token, children, from, to }) => {
    return { token, children, from, to, source: lines.slice(from - 1, to).join("\n") };
  });
}

/** Whether a list item is a done task or one to do; `null`: no task. */
export function taskOf({ token }: Node): boolean | null {
  return token.type === "list_item_open" && typeof token.meta?.["done"] === "boolean" ? token.meta["done"] : null;
}

/** `- [x] words`: the box leaves the words and becomes a fact of the item. */
function withTasks(tokens: readonly Token[]): readonly Token[] {
  for (const [index, item] of tokens.entries()) {
    const words = tokens[index + 2]?.type === "inline" ? tokens[index + 2]!.children?.[0] : undefined;
    const box = words?.type === "text" ? /^\[([ xX])\]\s/.exec(words.content) : null;
    if (item.type !== "list_item_open" || box === null) continue;
    item.meta = { done: box[1] !== " " };
    words!.content = words!.content.slice(box[0].length);
  }
  return tokens;
}

function tree(tokens: readonly Token[]): readonly Node[] {
  const roots: Node[] = [];
  const open: { token: Token; children: Node[] }[] = [];
  for (const token of tokens) {
    if (token.hidden && token.nesting === 0) continue;
    if (token.nesting === 1) open.push({ token, children: [] });
    else {
      const made = token.nesting === 0 ? { token, children: [] } : open.pop()!;
      const siblings = open.at(-1)?.children ?? roots;
      siblings.push({ ...made, ...linesOf(made, siblings.at(-1)) });
    }
  }
  return roots;
}

function linesOf(
  { token, children }: { readonly token: Token; readonly children: readonly Node[] },
  before: Node | undefined,
): { readonly from: number; readonly to: number } {
  if (token.map !== null) return { from: token.map[0] + 1, to: Math.max(token.map[0] + 1, token.map[1]) };
  const first = children[0];
  if (first !== undefined) return { from: first.from, to: children.at(-1)!.to };
  const line = before?.to ?? 1;
  return { from: line, to: line };
}

/** Inline tokens of a leaf, as nodes. */
export function inlineNodes(token: Token): readonly Node[] {
  return tree(token.children ?? []);
}
