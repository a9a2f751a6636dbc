/** The lines and words that diagrams are made of. */
import type { Shape } from "./shapes.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** About so wide are words at 13 pixels; wide letters take two. */
export function widthOf(text: string): number {
  const wide = text.match(/[\u1100-\uFFEF]/g)?.length ?? 0;
  return wide * 14 + (text.length - wide) * 7.4;
}

/** Round its middle. */
export function boxPath({ x, y, width, height }: Box, round: number): string {
  const [w, h, r] = [width / 2, height / 2, Math.min(round, height / 2)];
  return `M${x - w + r} ${y - h} H${x + w - r} A${r} ${r} 0 0 1 ${x + w} ${y - h + r} V${y + h - r} A${r} ${r} 0 0 1 ${x + w - r} ${y + h} H${x - w + r} A${r} ${r} 0 0 1 ${x - w} ${y + h - r} V${y - h + r} A${r} ${r} 0 0 1 ${x - w + r} ${y - h} Z`;
}

export function diamondPath({ x, y, width, height }: Box): string {
  return `M${x} ${y - height / 2} L${x + width / 2} ${y} L${x} ${y + height / 2} L${x - width / 2} ${y} Z`;
}

export function arrowHead(from: Point, to: Point): string {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const side = (turn: number): string => `${to.x - 9 * Math.cos(angle + turn)} ${to.y - 9 * Math.sin(angle + turn)}`;
  return `M${to.x} ${to.y} L${side(0.4)} L${side(-0.4)} Z`;
}

/** Lines of words round a middle. */
export function wordsAt(text: string, { x, y }: Point, isSmall = false): readonly Shape[] {
  const lines = text.split("\n");
  return lines.map((line, index) => ({
    kind: "words",
    x,
    y: y + (index - (lines.length - 1) / 2) * 18,
    text: line,
    isSmall,
  }));
}
