/** Who was writing a line when a dialog came goes on writing it: letters answer nothing until the person turns to the dialog (B2.4). */
import { readKey } from "./key-input.ts";
import type { Keys } from "./keys.ts";
import type { LineFacts, WrittenLine } from "./line.ts";

/** What the person did about the dialog in front. */
export interface Asking {
  /** Nobody turns to a dialog by a letter. */
  readonly isTurned: boolean;
  readonly isTold: boolean;
}

export const justAsked: Asking = { isTurned: false, isTold: false };

export interface KeyPress extends Omit<LineFacts, "keys"> {
  readonly data: string;
  /** Other keys that type something came in the same read. */
  readonly isLine: boolean;
  /** Whether words are typed into the dialog in front; null where it asks nothing, or there is none. */
  readonly takesText: boolean | null;
}

type TypistFacts = Omit<KeyPress, "width" | "rows"> & Pick<WrittenLine, "clearedAt"> & { readonly text: string };

/** Where a key goes while a dialog is shown. */
export interface KeyPlace {
  readonly place: "line" | "dialog" | "nowhere";
  readonly asking: Asking;
}

/** A line that was emptied by hand still counts for so long. */
const aMoment = 5_000;

export function placed(asking: Asking, { data, isLine, takesText, text, clearedAt, now }: TypistFacts): KeyPlace {
  if (takesText === null || takesText) return { place: "dialog", asking };
  const key = readKey(data);
  const wasWriting = text !== "" || now - (clearedAt ?? -Infinity) < aMoment;
  if (!isLine && key.event !== "paste" && (asking.isTurned || !wasWriting)) return { place: "dialog", asking };
  if (key.event === "release") return { place: "nowhere", asking };
  const isText = key.text !== null || key.name === "backspace";
  if (isText || key.name === "enter")
    return { place: isText || isLine ? "line" : "nowhere", asking: { ...asking, isTold: true } };
  return isLine ? { place: "nowhere", asking } : { place: "dialog", asking: { ...asking, isTurned: true } };
}

/** Said above the dialog, once. */
export function typistHint(keys: Keys): string {
  const next = keys.label("nextField");
  return `You were writing: that goes on in your line, and answers nothing. ↑, ↓${next === "" ? "" : ` or ${next}`} turns to the question.`;
}
