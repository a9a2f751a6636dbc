/** How a drawing is made: what paints its words, with changed ones marked or not, and whether its lines are places to comment on. */
import type { Token } from "markdown-it";
import type { ComponentChildren } from "preact";
import { hasHidden, makeVisible } from "../../../../core/wire/visible.ts";
import type { LineStretch } from "../places.ts";
import { inlineTokens, type Node } from "./parse.ts";

/** Puts a piece of a token's text on the page; `shift` is where the piece begins in it. */
export type Paint = (text: string, token: Token, shift?: number) => ComponentChildren;

export interface DrawingStyle {
  readonly paint: Paint;
  /** Whether lines can be commented on: they get focus and line numbers. */
  readonly anchors: boolean;
  /** Marks of changed words take the place of colours in code. */
  readonly colours: boolean;
  /** Whether pictures of the project can be had. */
  readonly pictures?: boolean;
  /** Everything at once: nobody can ask for the rest. */
  readonly whole?: boolean;
}

export const reading: DrawingStyle = { paint: (text) => showText(text), anchors: true, colours: true, pictures: true };

/** What makes an element a place to comment on. */
export function anchor({ from, to }: LineStretch, { anchors }: DrawingStyle): object {
  return anchors ? { "data-from": from, "data-to": to, tabIndex: -1 } : {};
}

/** Character references can bring hidden characters back after parsing, so every piece is made visible once more (B2.5). */
export function showText(text: string): ComponentChildren {
  return showEscapes(hasHidden(text) ? makeVisible(text) : text);
}

export interface MarkedSpan {
  readonly start: number;
  readonly end: number;
}

interface Words {
  readonly text: string;
  readonly begins: ReadonlyMap<Token, number>;
}

/** In reading order, and where each piece of them begins. */
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

interface RewordedSpan extends MarkedSpan {
  /** What stood there before. */
  readonly gone: string;
}

/** Both texts in one: what went is struck, before what came. Each mark is drawn with the piece that it begins in. */
export function rewordingPaint({ begins }: Words, marks: readonly RewordedSpan[]): Paint {
  const pieces = [...begins];
  const last = (at: number): number =>
    Math.max(
      0,
      pieces.findLastIndex(([, begin]) => begin <= at),
    );
  const beginning = marks.map(({ start }) => pieces[last(start)]?.[0]);
  return (text, token) => {
    const begin = begins.get(token) ?? 0;
    const parts: ComponentChildren[] = [];
    let at = 0;
    for (const [index, { start, end, gone }] of marks.entries()) {
      const isOwn = beginning[index] === token;
      if (!isOwn && (end - begin <= at || start - begin >= text.length)) continue;
      const from = Math.min(Math.max(start - begin, at), text.length);
      const to = Math.min(Math.max(end - begin, from), text.length);
      parts.push(showText(text.slice(at, from)));
      if (isOwn && gone !== "") parts.push(<del>{showText(gone.replace(/\n$/, ""))}</del>);
      if (to > from) parts.push(<ins>{showText(text.slice(from, to))}</ins>);
      at = to;
    }
    return [...parts, showText(text.slice(at))];
  };
}

/** What of a span lies outside of the text is not marked. */
export function markSpans(text: string, spans: readonly MarkedSpan[], Mark: "ins" | "del"): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (start >= text.length || end <= 0) continue;
    const from = Math.max(start, 0);
    parts.push(showText(text.slice(at, from)), <Mark>{showText(text.slice(from, end))}</Mark>);
    at = end;
  }
  return [...parts, showText(text.slice(at))];
}

const escapes = /(\\u\{[0-9a-f]{1,6}\}|⟨\d+ blanks⟩)/;

function showEscapes(text: string): ComponentChildren {
  if (!escapes.test(text)) return text;
  return text.split(escapes).map((part, index) =>
    index % 2 === 1 ? (
      <span class="escape" title={`A hidden character: ${part}`}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}
