/** Spots in files: definitions with the lines that belong to them, and how well each fits a task. */
import { symbolsOf } from "../look/symbols.ts";
import type { Fit } from "./telling.ts";

export interface Line {
  readonly line: number;
  readonly text: string;
}

/** A line of a file. */
export interface FoundLine extends Line {
  readonly path: string;
}

/** A definition and what stands below it, up to the next one. */
export interface Definition extends FoundLine {
  readonly name: string;
}

export interface Spot extends Definition {
  readonly fit: number;
  /** How much of that its name says. */
  readonly nameFit: number;
}

const deepest = 4;
const longestLine = 400;
const remark = /^\s*(?:\/\*|\*|\/\/|#(?!\s*(?:define|include)\b)|@\w)/;
/** Code that does something is a better place to begin than a shape. */
const shape =
  /^\s*(?:export\s+)?(?:declare\s+)?(?:interface|type|enum)\s|^\s*(?:export\s+)?const\s+\w+(?::[^=]+)?\s*=(?![^\n]*=>)(?!\s*(?:async\s*)?(?:function|\())/m;
const shapeShare = 0.75;
const passed =
  /^\s*(?:(?:import|return|await|throw|yield|else|case)\b|export\s+(?:type\s+)?[{*]|from\b|type\s+\w+(?:\s+as\s+\w+)?,?\s*$|[}\])])/;

/** A comment belongs to the definition below it. */
export function blocksOf(path: string, lines: readonly Line[]): readonly Definition[] {
  const blocks: { path: string; name: string; line: number; text: string }[] = [];
  let above: string[] = [];
  for (const { line, text } of lines) {
    const name = definedOn(path, text);
    if (name !== null) blocks.push({ path, name, line, text: [...above, text].join("\n") });
    if (name === null && remark.test(text)) {
      above.push(text);
      continue;
    }
    if (name === null && blocks.length > 0) blocks.at(-1)!.text += `\n${[...above, text].join("\n")}`;
    above = [];
  }
  return blocks;
}

/** The name that a line defines, where it is one that others can speak of. */
export function definedOn(path: string, text: string): string | null {
  if (text.length > longestLine || passed.test(text) || /^\s*/.exec(text)![0].replaceAll("\t", "  ").length > deepest)
    return null;
  return symbolsOf(path, text).find((name) => !text.includes(`new ${name}`)) ?? null;
}

/** Those that fit, best first, each name once in a file. */
export function spotsAmong(blocks: readonly Definition[], fit: Fit): readonly Spot[] {
  const spots = new Map<string, Spot>();
  for (const block of blocks) {
    const nameFit = fit(block.name);
    const spot = {
      ...block,
      nameFit,
      fit: (fit(block.text) + 1.5 * nameFit) * (shape.test(block.text) ? shapeShare : 1),
    };
    const key = `${block.path}\0${block.name}`;
    if (spot.fit > (spots.get(key)?.fit ?? 0)) spots.set(key, spot);
  }
  return [...spots.values()].toSorted(
    (left, right) =>
      right.fit - left.fit || (left.path === right.path ? left.line - right.line : left.path < right.path ? -1 : 1),
  );
}
