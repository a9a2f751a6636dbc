/** What a drawn diagram is made of. */

export interface DrawnDiagram {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export type Shape =
  | { readonly kind: "path"; readonly d: string; readonly look: "box" | "line" | "dotted" | "head" | "note" | "frame" }
  | {
      readonly kind: "words";
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly isSmall: boolean;
    };
