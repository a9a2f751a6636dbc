/** What is offered for the word at the cursor, commands after `/` and files after `@`: a list as a value. */
import type { TextBox } from "./text-box.ts";

export interface WordOffer {
  readonly value: string;
  readonly label: string;
  readonly note: string;
}

export interface OfferQuestion {
  readonly box: TextBox;
  /** By Tab. */
  readonly isAsked: boolean;
}

export interface Offers {
  readonly items: readonly WordOffer[];
  /** What of the line they complete. */
  readonly prefix: string;
}

export interface Completion extends Offers {
  readonly selected: number;
}

/** What may be completed at the cursor; null where there is nothing. */
export function completable({
  text,
  at,
}: TextBox): { readonly kind: "command" | "file"; readonly word: string } | null {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(start, at);
  const command = start === 0 ? /^\/([\w-]*)$/.exec(before) : null;
  if (command !== null) return { kind: "command", word: command[1]! };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  return file === null ? null : { kind: "file", word: file[1]! };
}

export function offered({ items, prefix }: Offers): Completion | null {
  if (items.length === 0) return null;
  const exact = items.findIndex(({ value }) => value === prefix);
  const near = items.findIndex(({ value }) => value.startsWith(prefix));
  return { items, prefix, selected: Math.max(0, exact === -1 ? near : exact) };
}

/** Round and round. */
export function moved(completion: Completion, by: -1 | 1): Completion {
  const { items, selected } = completion;
  return { ...completion, selected: (selected + by + items.length) % items.length };
}

/** The line with what is selected; unchanged when it is no longer what the list was made for. */
export function accepted({ items, prefix, selected }: Completion, box: TextBox): TextBox {
  const before = box.text.slice(0, box.at);
  const item = items[selected];
  if (item === undefined || !before.endsWith(prefix)) return box;
  const start = before.slice(0, before.length - prefix.length);
  const rest = box.text.slice(box.at);
  return {
    text: `${start}${item.value}${rest.startsWith(" ") ? "" : " "}${rest}`,
    at: start.length + item.value.length + 1,
  };
}
