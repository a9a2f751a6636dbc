/** A list to choose one of: past sessions, models. */
import { clampLine, safeLine } from "../view/safe-text.ts";
import { seenAfter } from "../dialogs/component.ts";
import { firstShown } from "../keys/line-view.ts";
import { readKey } from "../keys/key-input.ts";
import type { Component, Surface } from "./surface.ts";

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly note: string;
}

export interface Choosing {
  readonly title: string;
  readonly options: readonly Option[];
  /** For what nobody called up: words that are typed meanwhile go there, and it says whether it holds any. */
  readonly typed?: (input: string) => boolean;
}

/** `done` gets null when the person wants none of them. */
export function chooseOne(
  { title, options, typed }: Choosing,
  surface: Surface,
  done: (value: string | null) => void,
): Component {
  const { theme, keys } = surface;
  let selected = 0;
  let filter = "";
  let shownAt: number | null = null;
  let isElsewhere = false;
  const matching = (): readonly Option[] =>
    options.filter(({ label, note }) => `${label} ${note}`.toLowerCase().includes(filter.toLowerCase()));
  const move = (by: number): void => {
    const last = matching().length - 1;
    selected = Math.max(0, Math.min(last, selected + by));
  };
  /** B2.4: what was typed before it could be read, or behind other words, does not answer. */
  const isForInput = (input: string): boolean => {
    const { text, event } = readKey(input);
    const isWords = text !== null && event !== "release";
    const isEarly = shownAt === null || surface.now() - shownAt < seenAfter;
    return isWords || isElsewhere || (isEarly && !keys.matches(input, "dismiss"));
  };
  const key = (input: string): void => {
    if (typed !== undefined && isForInput(input)) {
      isElsewhere = typed(input);
      return;
    }
    const { name, text, event } = readKey(input);
    if (keys.matches(input, "dismiss")) return done(null);
    if (keys.matches(input, "confirm")) return done(matching()[selected]?.value ?? null);
    if (keys.matches(input, "up")) return move(-1);
    if (keys.matches(input, "down")) return move(1);
    if (name === "pageup" || name === "pagedown") return move(name === "pageup" ? -10 : 10);
    if (name === "backspace") filter = filter.replace(/.$/u, "");
    else if (text !== null && event !== "release") filter += text.replaceAll("\n", " ");
    selected = 0;
    return undefined;
  };
  return {
    handleInput(input) {
      key(input);
      surface.redraw();
    },
    render(width) {
      shownAt ??= surface.now();
      const found = matching();
      const room = Math.max(1, surface.rows() - 3);
      const start = firstShown(selected, found.length, room);
      const rows = found
        .slice(start, start + room)
        .map((option, index) => optionLine(option, start + index === selected));
      const sought = filter === "" ? "" : theme.accent(`  ${safeLine(filter, 30)}`);
      const none = found.length === 0 ? [theme.dim("  nothing matches")] : [];
      const hint = typed !== undefined ? "  ↑↓ · enter · esc" : "  type to search · ↑↓ · enter · esc";
      return [`${theme.bold(title)}${sought}`, ...rows, ...none, theme.dim(hint)].map((line) => clampLine(line, width));

      function optionLine({ label, note }: Option, isSelected: boolean): string {
        const noteWidth = Math.min(note.length, Math.floor(width / 2));
        const text = safeLine(label, Math.max(8, width - noteWidth - 6));
        const line = `${isSelected ? "❯" : " "} ${isSelected ? theme.selected(text) : text}`;
        return note === "" ? line : `${line}  ${theme.dim(safeLine(note, noteWidth))}`;
      }
    },
  };
}
