/** How the words of a block are put on the page: as they are, or with changed words marked. */
import type { Token } from "markdown-it";
import type { ComponentChildren } from "preact";
import { hasHidden, makeVisible } from "../../../../core/wire/visible.ts";
import type { Words } from "./words.ts";

/** Puts a piece of a token's text on the page; `shift` is where the piece begins in it. */
export type Paint = (text: string, token: Token, shift?: number) => ComponentChildren;

/** Character references can bring hidden characters back after parsing, so every piece is made visible once more (B2.5). */
export function showText(text: string): ComponentChildren {
  return showEscapes(hasHidden(text) ? makeVisible(text) : text);
}

export interface MarkedSpan {
  readonly start: number;
  readonly end: number;
}

/** Marks spans of the block's words. */
export function markingPaint({ begins }: Words, spans: readonly MarkedSpan[], Mark: "ins" | "del"): Paint {
  return (text, token, shift = 0) => {
    const begin = (begins.get(token) ?? 0) + shift;
    const end = begin + text.length;
    const parts: ComponentChildren[] = [];
    let at = begin;
    for (const span of spans.filter((each) => each.start < end && each.end > begin)) {
      const from = Math.max(span.start, begin);
      const to = Math.min(span.end, end);
      parts.push(showText(text.slice(at - begin, from - begin)));
      parts.push(<Mark>{showText(text.slice(from - begin, to - begin))}</Mark>);
      at = to;
    }
    return [...parts, showText(text.slice(at - begin))];
  };
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
