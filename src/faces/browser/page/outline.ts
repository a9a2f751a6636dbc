/** The table of contents of a long plan. */
import { makeVisible } from "../../../core/wire/visible.ts";
import { inlineTokens, type Block, type Node } from "./markdown/parse.ts";

export interface Section {
  readonly level: number;
  readonly title: string;
  readonly line: number;
}

/** Empty for a plan that is seen at a glance. */
export function outlineOf(blocks: readonly Block[]): readonly Section[] {
  const sections = blocks.flatMap(({ token, children, from }) =>
    token.type === "heading_open"
      ? [{ level: Number(token.tag.slice(1)), title: wordsOf(children[0]), line: from }]
      : [],
  );
  const inside = sections.filter(({ level }, index) => index > 0 || level > 1);
  return inside.length < 3 ? [] : inside.filter(({ level }) => level <= 3);
}

function wordsOf(heading: Node | undefined): string {
  const tokens = heading === undefined ? [] : inlineTokens(heading.token);
  return makeVisible(tokens.map(({ type, content }) => (type === "softbreak" ? " " : content)).join(""));
}
