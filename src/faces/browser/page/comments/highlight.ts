/** Highlights the quoted words of comments in the plan, where the browser can without changing the document. */
import { elementOfLine } from "../view/jump.ts";
import type { Thread } from "./threads.ts";

export function highlightQuotes(article: HTMLElement, threads: readonly Thread[], active: string | null): void {
  if (typeof Highlight === "undefined" || CSS.highlights === undefined) return;
  const quoted = new Highlight();
  const chosen = new Highlight();
  for (const { comment, isResolved } of threads.slice(0, mostQuotes)) {
    if (comment.anchor === "gone" || isResolved || comment.from !== comment.to) continue;
    const place = elementOfLine(comment.from);
    const range = place === null || !article.contains(place) ? null : rangeOf(place, comment.quote);
    if (range !== null) (comment.id === active ? chosen : quoted).add(range);
  }
  CSS.highlights.set("quoted", quoted);
  CSS.highlights.set("chosen", chosen);
}

const mostQuotes = 200;

function rangeOf(place: HTMLElement, words: string): Range | null {
  if (words === "") return null;
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  const pieces: { readonly node: globalThis.Node; readonly start: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    pieces.push({ node, start: text.length });
    text += node.textContent ?? "";
  }
  const start = text.indexOf(words);
  if (start < 0) return null;
  const at = (offset: number) => pieces.findLast((piece) => piece.start <= offset)!;
  const range = document.createRange();
  const [first, last] = [at(start), at(start + words.length - 1)];
  range.setStart(first.node, start - first.start);
  range.setEnd(last.node, start + words.length - last.start);
  return range;
}
