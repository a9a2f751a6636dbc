/** How plans look in a terminal: colours where they are wanted, nothing hidden, nothing wider than the screen. */
import type { Writable } from "node:stream";
import { makeVisible } from "../../../core/wire/visible.ts";
import { columnsOf, takeColumns } from "../../../faces/terminal/view/safe-text.ts";

export interface OutputScreen {
  /** Infinite when it is no terminal: then nothing is cut, and times, ids and hashes are whole. */
  readonly columns: number;
  readonly rows: number;
  readonly isTerminal: boolean;
  readonly paint: (style: OutputStyle, text: string) => string;
}

export type OutputStyle = "bold" | "dim" | "green" | "red" | "yellow" | "cyan" | "marked";

export function screenOf(stream: Writable, environment: Readonly<Record<string, string | undefined>>): OutputScreen {
  const { isTTY, columns, rows } = stream as Writable &
    Partial<Record<"columns" | "rows", number>> & { isTTY?: boolean };
  const isTerminal = isTTY === true;
  const isPlain = !isTerminal || (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb";
  return {
    columns: isTerminal ? Math.max(20, columns ?? 80) : Infinity,
    rows: isTerminal ? Math.max(2, rows ?? 24) : Infinity,
    isTerminal,
    paint: (style, text) => (isPlain ? text : `\u001b[${codes[style]}m${text}\u001b[0m`),
  };
}

const codes: Readonly<Record<OutputStyle, string>> = {
  bold: "1",
  dim: "2",
  green: "32",
  red: "31",
  yellow: "33",
  cyan: "36",
  marked: "1;33",
};

/** Titles and paths come from models and strangers: as one line, with everything hidden made visible. */
export function oneLine(text: string): string {
  return makeVisible(text).replaceAll(/\s+/g, " ").trim();
}

/** Cut to so many columns. */
export function cut(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${takeColumns(text, columns - 1)}…`;
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
