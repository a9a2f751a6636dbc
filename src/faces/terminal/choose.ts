/** A list to choose one of: past sessions, models. */
import type { Component } from "@earendil-works/pi-tui";
import { clampLine, safeLine } from "./safe-text.ts";
import { readKey } from "./key-input.ts";
import type { Surface } from "./surface.ts";

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly note: string;
}

export interface Choosing {
  readonly title: string;
  readonly options: readonly Option[];
}

/** `done` gets null when the person wants none of them. */
export function chooseOne(
  { title, options }: Choosing,
  surface: Surface,
  done: (value: string | null) => void,
): Component {
  const { theme, keys } = surface;
  let selected = 0;
  let filter = "";
  const matching = (): readonly Option[] =>
    options.filter(({ label, note }) => `${label} ${note}`.toLowerCase().includes(filter.toLowerCase()));
  const move = (by: number): void => {
    const last = matching().length - 1;
    selected = Math.max(0, Math.min(last, selected + by));
  };
  const key = (input: string): void => {
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
    invalidate: () => undefined,
    handleInput(input) {
      key(input);
      surface.redraw();
    },
    render(width) {
      const found = matching();
      const room = Math.max(1, surface.rows() - 3);
      const start = Math.max(0, Math.min(selected - Math.floor(room / 2), found.length - room));
      const rows = found
        .slice(start, start + room)
        .map((option, index) => optionLine(option, start + index === selected));
      const typed = filter === "" ? "" : theme.accent(`  ${safeLine(filter, 30)}`);
      const none = found.length === 0 ? [theme.dim("  nothing matches")] : [];
      const hint = "  type to search · ↑↓ · enter · esc";
      return [`${theme.bold(title)}${typed}`, ...rows, ...none, theme.dim(hint)].map((line) => clampLine(line, width));

      function optionLine({ label, note }: Option, isSelected: boolean): string {
        const noteWidth = Math.min(note.length, Math.floor(width / 2));
        const text = safeLine(label, Math.max(8, width - noteWidth - 6));
        const line = `${isSelected ? "❯" : " "} ${isSelected ? theme.selected(text) : text}`;
        return note === "" ? line : `${line}  ${theme.dim(safeLine(note, noteWidth))}`;
      }
    },
  };
}
