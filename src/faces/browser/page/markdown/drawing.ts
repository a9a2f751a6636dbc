/** How a drawing is made: what paints its words, and whether its lines are places to comment on. */
import { showText, type Paint } from "./paint.tsx";

export interface DrawingStyle {
  readonly paint: Paint;
  /** Whether lines can be commented on: they get focus and line numbers. */
  readonly anchors: boolean;
  /** Marks of changed words take the place of colours in code. */
  readonly colours: boolean;
}

export const reading: DrawingStyle = { paint: (text) => showText(text), anchors: true, colours: true };

/** What makes an element a place to comment on. */
export function anchor(node: { readonly from: number; readonly to: number }, { anchors }: DrawingStyle): object {
  return anchors ? { "data-from": node.from, "data-to": node.to, tabIndex: -1 } : {};
}
