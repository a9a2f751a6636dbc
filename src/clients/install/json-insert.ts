/** Puts values into a JSON text with or without comments, by insertions alone: every byte that was there stays, in its order. */
import { parseTree, type Node, type ParseError } from "jsonc-parser";

/** `offset` counts in the text before any insertion. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** What is to be put into an array, or (with a key) into an object. */
export interface NewItem {
  readonly key?: string;
  readonly value: unknown;
}

export interface TextLayout {
  readonly unit: string;
  readonly eol: string;
}

/** Null where the text is not JSON, comments and commas at the end of a list aside. */
export function readTree(text: string): Node | null {
  const errors: ParseError[] = [];
  if ((text.match(/[[{]/g)?.length ?? 0) > mostBrackets) return null;
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  return tree === undefined || errors.length > 0 ? null : tree;
}

/** More than settings have: not worth a parser's stack. */
const mostBrackets = 20_000;

export function layoutOf(text: string): TextLayout {
  return { unit: /^([ \t]+)["\]}]/m.exec(text)?.[1] ?? "  ", eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

export function withInsertions(text: string, insertions: readonly Insertion[]): string {
  const ordered = insertions.toSorted((one, other) => other.offset - one.offset);
  return ordered.reduce((done, { offset, text: put }) => done.slice(0, offset) + put + done.slice(offset), text);
}

/** At the end of the list, in the manner of what stands there. */
export function insertInto(text: string, container: Node, items: readonly NewItem[]): Insertion {
  const last = container.children?.at(-1);
  return last === undefined ? insertFirst(text, container, items) : insertLast(text, last, items);
}

function insertLast(text: string, last: Node, items: readonly NewItem[]): Insertion {
  const { eol, unit } = layoutOf(text);
  const indent = blanksBefore(text, last.offset);
  const before = indent === null ? (/,\s*["[{]|:\s/.test(text) && !/":\S/.test(text) ? ", " : ",") : `,${eol}${indent}`;
  const put = items.map(
    (item) => before + (indent === null ? inline(item, before) : block(item, { eol, unit, indent })),
  );
  return { offset: last.offset + last.length, text: put.join("") };
}

function insertFirst(text: string, container: Node, items: readonly NewItem[]): Insertion {
  const { eol, unit } = layoutOf(text);
  const offset = container.offset + 1;
  const inner = text.slice(offset, container.offset + container.length - 1);
  const isOneLine = !/[\r\n]/.test(text.trim()) && container.parent !== undefined;
  if (isOneLine) return { offset, text: items.map((item) => inline(item, ",")).join(",") };
  const base = /^[ \t]*/.exec(lineOf(text, container.offset))![0];
  const indent = base + unit;
  const put = items.map((item) => `${eol}${indent}${block(item, { eol, unit, indent })}`).join(",");
  return { offset, text: inner.includes("\n") ? put : `${put}${eol}${base}` };
}

function inline({ key, value }: NewItem, separator: string): string {
  const name = key === undefined ? "" : `${JSON.stringify(key)}:${separator === ", " ? " " : ""}`;
  return name + JSON.stringify(value);
}

function block({ key, value }: NewItem, { eol, unit, indent }: TextLayout & { readonly indent: string }): string {
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  return name + JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${indent}`);
}

/** What indents it, where it is the first on its line. */
function blanksBefore(text: string, offset: number): string | null {
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*$/.test(before) && text.lastIndexOf("\n", offset - 1) >= 0 ? before : null;
}

function lineOf(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}
