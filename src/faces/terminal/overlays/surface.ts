/** What a dialog is, what it may ask of the screen that shows it, and who shows it. */
import type { Keys } from "../keys/keys.ts";
import type { Theme } from "../view/theme.ts";

/** Something on the screen that has the keys while it is there. */
export interface Component {
  /** None wider than the width. */
  render(width: number): readonly string[];
  handleInput?(input: string): void;
  /** Whether words are typed into it at the moment; missing where it asks nothing, the person called it up. */
  takesText?(): boolean;
}

/** Draws itself from what is asked, and calls `done` exactly once, with a person's answer. */
export type Dialog<Request, Answer> = (request: Request, surface: Surface, done: (answer: Answer) => void) => Component;

export type Platform = "darwin" | "win32" | "other";

export interface Surface {
  readonly theme: Theme;
  readonly keys: Keys;
  readonly platform: Platform;
  /** How many rows a dialog may use. */
  rows(): number;
  columns(): number;
  now(): number;
  redraw(): void;
  /** Opens the person's editor on a text; `name` is the file name it gets. */
  edit(text: string, options: { readonly name: string }): Promise<EditOutcome>;
  /** Runs it after so long, and after all input that was waiting by then was delivered. Returns the way to call it off. */
  later(milliseconds: number, run: () => void): () => void;
  /** Code as coloured lines, as many as it has; null: it is shown plain. */
  highlight?(code: string, language: string): readonly string[] | null;
}

export type EditOutcome =
  | { readonly kind: "edited"; readonly text: string }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly reason: string };

/** Shows dialogs one at a time in place of the input, in the order they came; what it returns takes the dialog away. */
export interface DialogHost {
  show(component: Component): () => void;
}

/** `Surface.later` on the real clock: the timer only opens the gate, input that waited behind it comes first. */
export function behindInput(milliseconds: number, run: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(run);
  }, milliseconds);
  return () => {
    clearTimeout(timer);
    if (immediate !== undefined) clearImmediate(immediate);
  };
}
