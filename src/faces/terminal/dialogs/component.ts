/** A dialog as a component: state as a value, keys that came too soon left out (B2.4), no row too wide or too many. */
import { readKey, type Key } from "../keys/key-input.ts";
import { clampLine } from "../view/safe-text.ts";
import type { Component, Surface } from "../overlays/surface.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface DialogStep<State, Answer> {
  readonly state: State;
  readonly answer?: Answer;
}

export interface DialogParts<State, Answer> {
  readonly surface: Surface;
  readonly done: (answer: Answer) => void;
  readonly initial: State;
  readonly update: (state: State, key: Key, size: Size) => DialogStep<State, Answer>;
  readonly view: (state: State, screen: DialogScreen) => readonly string[];
  /** Whether keys type words into it at the moment. */
  readonly takesText: (state: State) => boolean;
  /** Before each frame: what became of it meanwhile; the same value where nothing did. */
  readonly renew?: (state: State) => State;
  /** After each step, for what a pure update cannot do; what it gives back is the next state. */
  readonly perform?: (state: State) => Promise<State> | null;
}

export interface DialogScreen extends Size {
  /** A key was left out because it came before the dialog could be seen. */
  readonly tooSoon: boolean;
}

/** Keys count when the dialog was on the screen for so long, and nobody was still typing something else. */
export const seenAfter = 400;
const quietFor = 300;

export function dialogOf<State, Answer>(parts: DialogParts<State, Answer>): Component {
  const { surface, done, update, view, perform } = parts;
  let state = parts.initial;
  let gate: "unseen" | "closed" | "open" | "over" = "unseen";
  let tooSoon = false;
  let drawnAt = 0;
  let callOff: (() => void) | null = null;

  const size = (): Size => ({ columns: Math.max(1, surface.columns()), rows: Math.max(1, surface.rows()) });
  const closeFor = (milliseconds: number): void => {
    callOff?.();
    gate = "closed";
    callOff = surface.later(milliseconds, () => {
      if (gate === "closed") gate = "open";
    });
  };
  const finish = (answer: Answer): void => {
    callOff?.();
    gate = "over";
    done(answer);
  };
  const performed = (): void => {
    const work = perform?.(state) ?? null;
    if (work === null) return;
    gate = "over";
    void work.then((next) => {
      state = next;
      gate = "unseen";
      surface.redraw();
    });
  };

  return {
    takesText: () => parts.takesText(state),
    render(width) {
      const renewed = gate === "over" ? state : (parts.renew?.(state) ?? state);
      if (renewed !== state) gate = "unseen";
      state = renewed;
      if (gate === "unseen") {
        drawnAt = surface.now();
        closeFor(seenAfter);
      }
      const { rows } = size();
      const shown = view(state, { columns: width, rows, tooSoon });
      return shown.slice(0, rows).map((line) => clampLine(line, width));
    },
    handleInput(input) {
      const key = readKey(input);
      const isKnown = key.name !== "" || key.text !== null;
      const isPasted = key.event === "paste" && !parts.takesText(state);
      if (gate === "over" || key.event === "release" || isPasted || !isKnown) return;
      if (gate !== "open") {
        tooSoon = true;
        if (gate === "closed") closeFor(Math.max(quietFor, seenAfter - (surface.now() - drawnAt)));
        surface.redraw();
        return;
      }
      tooSoon = false;
      const step = update(state, key, size());
      state = step.state;
      if (step.answer !== undefined) finish(step.answer);
      else performed();
      surface.redraw();
    },
  };
}
