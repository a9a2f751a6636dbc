/** A real terminal emulator under our own drawing, with a clock of its own: what a person would see, as text. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import xterm from "@xterm/headless";
import { expect } from "vitest";
import { chooseKeys } from "../../src/faces/terminal/keys/keys.ts";
import type { Component, DialogHost, EditOutcome, Surface } from "../../src/faces/terminal/overlays/surface.ts";
import { createDrawing } from "../../src/faces/terminal/screen/drawing.ts";
import { coloured, type Theme } from "../../src/faces/terminal/view/theme.ts";
import { until } from "../support/until.ts";

export interface EmulatorOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly theme?: Theme;
  readonly edit?: (text: string) => EditOutcome;
}

export interface Emulator {
  readonly surface: Surface;
  readonly host: DialogHost;
  show(component: Component): void;
  /** Lets time pass on the dialog's clock. */
  pass(milliseconds: number): Promise<void>;
  /** Keys as a terminal sends them, one after the other, without waiting for the dialog to be seen. */
  send(...inputs: readonly string[]): Promise<void>;
  /** The same after the dialog was long enough on the screen. */
  press(...inputs: readonly string[]): Promise<void>;
  screen(): Promise<readonly string[]>;
  /** Waits until the screen shows it. */
  until(text: string): Promise<void>;
  /** Rows that the terminal had to wrap because they were too wide for it. */
  wrapped(): number;
  /** Everything that was written to the terminal. */
  written(): string;
  /** How a cell is coloured: the palette's number, or -1. */
  colourAt(row: number, column: number): number;
  resize(columns: number, rows: number): Promise<void>;
  stop(): void;
}

export function emulator({ columns = 80, rows = 24, theme = coloured("dark"), edit }: EmulatorOptions = {}): Emulator {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  let written = "";
  const drawing = createDrawing(
    {
      columns: () => screen.cols,
      rows: () => screen.rows,
      write(text) {
        written += text;
        screen.write(text);
      },
    },
    (width) => ({ items: [], linesOf: () => [], holds: true, bottom: (shown[0] ?? input).render(width) }),
  );
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  const surface: Surface = {
    theme,
    keys: chooseKeys().keys,
    platform: "other",
    rows: () => screen.rows,
    columns: () => screen.cols,
    now: () => now,
    redraw: () => drawing.soon(),
    edit: async (text) => edit?.(text) ?? { kind: "failed", reason: "no editor" },
    later(milliseconds, run) {
      const timer = { at: now + milliseconds, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const drawn = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await new Promise<void>((resolve) => screen.write("", resolve));
  };
  const pass = async (milliseconds: number): Promise<void> => {
    await drawn();
    now += milliseconds;
    const due = timers.filter(({ at }) => at <= now);
    timers = timers.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
  const shown: Component[] = [];
  const input: Component = { render: () => ["(input)"] };
  const host: DialogHost = {
    show(component) {
      shown.push(component);
      drawing.soon();
      return () => {
        const at = shown.indexOf(component);
        if (at >= 0) shown.splice(at, 1);
        drawing.soon();
      };
    },
  };
  drawing.now();

  return {
    surface,
    host,
    show: (component) => void host.show(component),
    pass,
    async send(...inputs) {
      for (const input of inputs) {
        shown[0]?.handleInput?.(input);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async press(...inputs) {
      await pass(1_000);
      await this.send(...inputs);
    },
    async screen() {
      await drawn();
      const buffer = screen.buffer.active;
      return Array.from(
        { length: screen.rows },
        (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? "",
      );
    },
    async until(text) {
      await until(`the screen shows ${text}`, async () => (await this.screen()).join("\n").includes(text));
    },
    wrapped: () => {
      const buffer = screen.buffer.active;
      return Array.from({ length: buffer.length }, (_, row) => buffer.getLine(row)).filter(
        (line) => line?.isWrapped === true,
      ).length;
    },
    written: () => written,
    colourAt: (row, column) => {
      const buffer = screen.buffer.active;
      const cell = buffer.getLine(buffer.baseY + row)?.getCell(column);
      return cell?.isFgPalette() === true ? cell.getFgColor() : -1;
    },
    async resize(newColumns, newRows) {
      screen.resize(newColumns, newRows);
      drawing.soon();
      await drawn();
    },
    stop: () => drawing.finish(),
  };
}

/** Compares a screen with a file beside the tests; UPDATE_GOLDEN=1 writes it. */
export function expectGolden(name: string, screen: readonly string[]): void {
  const file = join(dirname(fileURLToPath(import.meta.url)), "golden", `${name}.txt`);
  const text = `${screen
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd()}\n`;
  if (process.env["UPDATE_GOLDEN"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}

export const key = {
  up: "\u001B[A",
  down: "\u001B[B",
  left: "\u001B[D",
  right: "\u001B[C",
  shiftDown: "\u001B[1;2B",
  shiftTab: "\u001B[Z",
  pageUp: "\u001B[5~",
  pageDown: "\u001B[6~",
  home: "\u001B[H",
  end: "\u001B[F",
  enter: "\r",
  escape: "\u001B",
  tab: "\t",
  space: " ",
  backspace: "\u007F",
  delete: "\u001B[3~",
} as const;

/** A text as the keys that type it. */
export function typing(text: string): readonly string[] {
  return Array.from(text);
}
