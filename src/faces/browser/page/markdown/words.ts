/** The words of a block in reading order, and where each piece of them begins. */
import type { Token } from "markdown-it";
import { inlineTokens, type Node } from "./parse.ts";

export interface Words {
  readonly text: string;
  readonly begins: ReadonlyMap<Token, number>;
}

export function wordsOf(node: Node): Words {
  const begins = new Map<Token, number>();
  let text = "";
  const visit = ({ token, children }: Node): void => {
    const leaves = token.type === "inline" ? inlineTokens(token) : children.length === 0 ? [token] : [];
    for (const leaf of leaves) {
      if (leaf.nesting !== 0) continue;
      begins.set(leaf, text.length);
      text += leaf.type === "softbreak" || leaf.type === "hardbreak" ? "\n" : leaf.content;
    }
    for (const child of children) visit(child);
    if (token.type !== "inline") text += "\n";
  };
  visit(node);
  return { text, begins };
}
