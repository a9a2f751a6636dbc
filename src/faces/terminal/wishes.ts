/** What a screen wants done by the program around it: it is a value and does nothing itself. */
import type { OfferQuestion } from "./keys/completion.ts";
import type { FaceWish } from "./link.ts";
import type { Screen, SendWish } from "./screen/screen.ts";

export type ScreenWish =
  /** At once for keys, at a calm pace for what streams. */
  | { readonly kind: "draw"; readonly pace: "soon" | "calmly" }
  | { readonly kind: "draw-again"; readonly after: number }
  | { readonly kind: "repair" }
  | { readonly kind: "suspend" }
  /** The text in the person's own editor. */
  | { readonly kind: "edit"; readonly text: string }
  | { readonly kind: "read-back" }
  /** The key is for the dialog in front. */
  | { readonly kind: "give"; readonly data: string }
  /** What is offered for the word at the cursor. */
  | ({ readonly kind: "complete" } & OfferQuestion)
  | { readonly kind: "ring"; readonly text: string }
  /** Kept for later sessions. */
  | { readonly kind: "remember"; readonly text: string }
  | SendWish
  | { readonly kind: "tell-program"; readonly wish: FaceWish };

/** The screen that follows, and what it wants done. */
export interface Updated {
  readonly screen: Screen;
  readonly wishes: readonly ScreenWish[];
}

export function wanting(screen: Screen, ...wishes: readonly ScreenWish[]): Updated {
  return { screen, wishes };
}

export const drawSoon: ScreenWish = { kind: "draw", pace: "soon" };

export interface FaceWishes {
  add(wish: FaceWish): void;
  next(): Promise<FaceWish>;
}

/** What is wanted of the program, kept until it asks. */
export function createFaceWishes(): FaceWishes {
  const kept: FaceWish[] = [];
  let awaiting: ((wish: FaceWish) => void) | null = null;
  return {
    add(wish) {
      if (awaiting === null) kept.push(wish);
      else awaiting(wish);
      awaiting = null;
    },
    next: () =>
      new Promise((resolve) => {
        const first = kept.shift();
        if (first === undefined) awaiting = resolve;
        else resolve(first);
      }),
  };
}
