/** What a face wants of the program, kept until the program asks for it. */
import type { FaceWish } from "./link.ts";

export interface Wishes {
  add(wish: FaceWish): void;
  next(): Promise<FaceWish>;
}

export function createWishes(): Wishes {
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
