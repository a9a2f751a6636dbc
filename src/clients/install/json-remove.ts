/** Takes elements and properties out of a JSON text with or without comments; comments and everything else stay. */
import { createScanner, type Node } from "jsonc-parser";

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A child of an array, or a property: it goes with one comma and the blanks before it. */
export function withoutNode(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const index = siblings.indexOf(node);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const end = node.offset + node.length;
  const own = { from: startOfBlanks(text, node.offset), to: end };
  const comma =
    previous !== undefined
      ? commaIn(text, previous.offset + previous.length, node.offset)
      : commaIn(text, end, next?.offset ?? node.parent!.offset + node.parent!.length);
  const isAlone = previous === undefined && next === undefined;
  const rest = isAlone && comma === null ? blanksAfter(text, end) : null;
  return without(text, rest === null ? [own, ...(comma === null ? [] : [comma])] : [{ from: own.from, to: rest }]);
}

function without(text: string, spans: readonly Span[]): string {
  const ordered = spans.toSorted((one, other) => other.from - one.from);
  return ordered.reduce((done, { from, to }) => done.slice(0, from) + done.slice(to), text);
}

function startOfBlanks(text: string, offset: number): number {
  const blanks = /\s*$/.exec(text.slice(Math.max(0, offset - 10_000), offset))![0];
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  /** A comment to the end of the line before needs that line's end. */
  return line.trim() === "" &&
    /\/\/[^\n]*$/.test(
      text
        .slice(0, offset - blanks.length)
        .split("\n")
        .at(-1)!,
    )
    ? offset
    : offset - blanks.length;
}

/** Where nothing but blanks comes before the end of the list: it is closed right behind its beginning. */
function blanksAfter(text: string, offset: number): number | null {
  const [blanks] = /^\s*/.exec(text.slice(offset))!;
  return /[\]}]/.test(text[offset + blanks.length] ?? "") ? offset + blanks.length : null;
}

function commaIn(text: string, from: number, to: number): Span | null {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  while (scanner.getPosition() < to) {
    const kind: number = scanner.scan();
    const at = scanner.getTokenOffset();
    if (at >= to || scanner.getTokenLength() === 0) return null;
    if (kind === commaToken) return { from: at, to: at + 1 };
  }
  return null;
}

/** `SyntaxKind.CommaToken`: the library declares a const enum. */
const commaToken = 5;
