/** A plan's Markdown as blocks that know their source lines. */
import MarkdownIt, { type Env, type Token } from "markdown-it";
import { makeVisible } from "../../../../core/wire/visible.ts";
import type { LineStretch } from "../places.ts";
import { readNote, withMarks } from "./marks.ts";
import { unseenLines } from "./unseen.ts";

/** One node of the text: an element with children, or a leaf with content. */
export interface Node extends LineStretch {
  readonly token: Token;
  readonly children: readonly Node[];
  /** The number of a list's first item, where it is not the source's. */
  readonly start?: number;
}

export interface Block extends Node {
  /** The source lines of the block, as they are shown. */
  readonly source: string;
}

const options = { html: false, linkify: false, typographer: false, maxNesting: 60 } as const;
const markdown = new MarkdownIt(options);
/** The words of 5,000 lines take longer than their blocks, and most of them are not on the screen yet. */
const blockParser = new MarkdownIt(options);
blockParser.core.ruler.enableOnly(["normalize", "block"]);
blockParser.block.ruler.before("reference", "note", readNote);

/** Hidden characters are made visible before anything else (B2.5); lines stay where they are. */
export function parsePlan(text: string): readonly Block[] {
  const visible = makeVisible(text);
  const lines = visible.split("\n");
  const env: Env = {};
  const tokens = blockParser.parse(visible, env);
  const unseen = unseenLines(tokens, lines);
  const withSource = ({ token, children, from, to }: Node): Block => {
    return { token, children, from, to, source: lines.slice(from - 1, to).join("\n") };
  };
  const blocks = tree(prepared(tokens, env)).map(withSource);
  if (unseen.length === 0) return blocks;
  const shown = unseen.map((stretch) => withSource(asCode(stretch, lines)));
  return [...blocks, ...shown].toSorted((one, other) => one.from - other.from || one.to - other.to);
}

/** Whether it stands in the source alone, and is shown as that. */
export function isUnseen({ token }: Node): boolean {
  return token.meta?.["unseen"] === true;
}

function asCode({ from, to }: LineStretch, lines: readonly string[]): Node {
  const [token] = blockParser.parse("    code", {});
  token!.content = `${lines.slice(from - 1, to).join("\n")}\n`;
  token!.meta = { unseen: true };
  return { token: token!, children: [], from, to };
}

/** Whether a list item is a done task or one to do; `null`: no task. */
export function taskOf({ token }: Node): boolean | null {
  return token.type === "list_item_open" && typeof token.meta?.["done"] === "boolean" ? token.meta["done"] : null;
}

/** `- [x] words`: the box leaves the words and becomes a fact of the item. Words are parsed when they are drawn. */
function prepared(tokens: readonly Token[], env: Env): readonly Token[] {
  for (const [index, token] of tokens.entries()) {
    if (token.type === "inline") token.meta = { env };
    const words = token.type === "list_item_open" ? tokens[index + 2] : undefined;
    const box = words?.type === "inline" ? /^\[([ xX])\]\s/.exec(words.content) : null;
    if (box === null) continue;
    token.meta = { done: box[1] !== " " };
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
      if (open.length > deepest && isStyle(token)) for (const child of made.children) siblings.push(child);
      else siblings.push({ ...made, ...linesOf(made, siblings.at(-1)) });
    }
  }
  return roots;
}

/** Thousands of stars are not thousands of elements, each in the other. */
const deepest = 24;

function isStyle({ type }: Token): boolean {
  return type === "em_close" || type === "strong_close" || type === "s_close";
}

function linesOf({ token, children }: Pick<Node, "token" | "children">, before: Node | undefined): LineStretch {
  if (token.map !== null) return { from: token.map[0] + 1, to: Math.max(token.map[0] + 1, token.map[1]) };
  const first = children[0];
  if (first !== undefined) return { from: first.from, to: children.at(-1)!.to };
  const line = before?.to ?? 1;
  return { from: line, to: line };
}

/** The words of a leaf, parsed when they are first wanted. */
export function inlineTokens(token: Token): readonly Token[] {
  if (token.children === null) return [];
  if (token.children.length === 0 && token.content !== "") {
    markdown.inline.parse(token.content, markdown, token.meta?.["env"] as Env, token.children);
    token.children = [...withMarks(joined(token.children))];
  }
  return token.children;
}

/** Pieces of text that stand side by side are one, escapes included. */
function joined(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (const token of tokens) {
    if (token.type === "text_special") token.type = "text";
    const last = result.at(-1);
    if (last?.type === "text" && token.type === "text") last.content += token.content;
    else result.push(token);
  }
  return result;
}

export function inlineNodes(token: Token): readonly Node[] {
  return tree(inlineTokens(token));
}
