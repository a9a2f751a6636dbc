/** Asks what is offered for the word at the cursor: once for all keys that came together. */
import type { TextBox } from "./text-box.ts";
import type { Complete } from "./complete.ts";
import type { Offers } from "./completion.ts";

export interface OfferQuestion {
  readonly box: TextBox;
  /** By Tab. */
  readonly isAsked: boolean;
}

export function createCompleter(
  find: () => Complete | null,
  came: (question: OfferQuestion, offers: Offers) => void,
): (question: OfferQuestion) => void {
  let last: OfferQuestion | null = null;
  const ask = async (): Promise<void> => {
    const question = last;
    const complete = find();
    last = null;
    if (question === null || complete === null) return;
    came(question, await complete(question.box).catch(() => ({ items: [], prefix: "" })));
  };
  return (question) => {
    if (last === null) setImmediate(() => void ask());
    last = question;
  };
}
