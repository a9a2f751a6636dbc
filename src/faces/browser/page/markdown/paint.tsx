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
    const own = spans.map(({ start, end }) => ({ start: start - begin, end: end - begin }));
    return markSpans(text, own, Mark);
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
