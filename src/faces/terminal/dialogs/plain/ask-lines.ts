/** Asking by lines, for screen readers and terminals that cannot be redrawn: text is printed once, an answer is a typed line. */
import { seenAfter } from "../component.ts";

export interface LineTerminal {
  /** Harmless text; a line end follows it. */
  print(text: string): void;
  /** The next typed line, also one that was typed before it was asked for; null when no more will come. */
  line(signal: AbortSignal): Promise<string | null>;
  now(): number;
}

/** Asks until something usable is typed; null when nothing more will be typed, or the question was taken back. */
export type AskLine = (prompt: string) => Promise<string | null>;

export interface PlainDesk {
  readonly print: (text: string) => void;
  readonly ask: AskLine;
}

/** Lines that were typed before the question, and what was printed since, could be read do not answer it (B2.4). */
export function askingLines(terminal: LineTerminal, signal: AbortSignal): PlainDesk {
  let printedAt = 0;
  const print = (text: string): void => {
    if (signal.aborted) return;
    terminal.print(text);
    printedAt = terminal.now();
  };
  const ask: AskLine = async (prompt) => {
    for (;;) {
      print(prompt);
      const line = signal.aborted ? null : await terminal.line(signal);
      if (line === null || signal.aborted) return null;
      if (terminal.now() - printedAt >= seenAfter) return line.trim();
      print("That was typed before this could be read: not counted.");
    }
  };
  return { print, ask };
}

/** A command and its words: "2 mind the tests". */
export function splitWord(line: string): { readonly word: string; readonly rest: string } {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(line)!;
  return { word: word.toLowerCase(), rest };
}
