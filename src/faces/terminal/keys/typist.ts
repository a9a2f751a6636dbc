/** Who was writing a line when a dialog came goes on writing it: letters answer nothing until the person turns to the dialog (B2.4). */
import type { Component } from "@earendil-works/pi-tui";
import { readKey } from "./key-input.ts";
import type { InputArea } from "./input.ts";
import type { Surface } from "../overlays/surface.ts";

export interface TypistParts {
  readonly input: Pick<InputArea, "text" | "clearedAt">;
  readonly surface: Pick<Surface, "now" | "keys">;
  /** Says it above the dialog. */
  readonly note: (text: string) => void;
}

/** A dialog that says whether words are typed into it at the moment. */
export interface TakesText {
  takesText(): boolean;
}

/** Where a key goes while a dialog is shown; nobody turns to a dialog by a letter. */
export type Typist = (dialog: Component, data: string, isLine: boolean) => "line" | "dialog" | "nowhere";

/** A line that was emptied by hand still counts for so long. */
const aMoment = 5_000;

export function createTypist({ input, surface, note }: TypistParts): Typist {
  const turned = new WeakSet<Component>();
  const told = new WeakSet<Component>();
  const tell = (dialog: Component): void => {
    if (!told.has(dialog)) note(hint(surface.keys.label("nextField")));
    told.add(dialog);
  };
  const wasWriting = (): boolean => input.text() !== "" || surface.now() - (input.clearedAt() ?? -Infinity) < aMoment;
  return (dialog, data, isLine) => {
    if (!isAsking(dialog) || dialog.takesText()) return "dialog";
    const key = readKey(data);
    if (!isLine && key.event !== "paste" && (turned.has(dialog) || !wasWriting())) return "dialog";
    if (key.event === "release") return "nowhere";
    const isText = key.text !== null || key.name === "backspace";
    if (isText || key.name === "enter") {
      tell(dialog);
      return isText || isLine ? "line" : "nowhere";
    }
    if (isLine) return "nowhere";
    turned.add(dialog);
    return "dialog";
  };
}

function isAsking(dialog: Component): dialog is Component & TakesText {
  return "takesText" in dialog;
}

function hint(next: string): string {
  return `You were writing: that goes on in your line, and answers nothing. ↑, ↓${next === "" ? "" : ` or ${next}`} turns to the question.`;
}
