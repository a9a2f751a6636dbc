/** Draws frames on the terminal: at once for keys, at a calm pace for what streams. */
import type { Item } from "./items.ts";
import { layOut, nothingShown, type Shown } from "./layout.ts";
import { paint, type Painted } from "./paint.ts";
import type { Tty } from "./tty.ts";

export interface Picture {
  readonly items: readonly Item[];
  readonly linesOf: (item: Item) => readonly string[];
  readonly bottom: readonly string[];
  readonly holds: boolean;
}

export interface Drawing {
  now(): void;
  /** With the next turn of the event loop: many keys at once are one frame. */
  soon(): void;
  /** Within a tenth of a second. */
  calmly(): void;
  /** What stands on the terminal is not ours any more: the next frame begins on a new line. */
  forget(): void;
  /** Everything anew in its place. */
  repair(): void;
  /** The last frame: the whole transcript is left behind, and the cursor below it. */
  finish(): void;
}

export function createDrawing(tty: Tty, picture: (width: number) => Picture): Drawing {
  let painted: Painted | null = null;
  let shown: Shown = nothingShown;
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const draw = (isLast: boolean): void => {
    clearImmediate(immediate);
    clearTimeout(timer);
    immediate = undefined;
    timer = undefined;
    if (isStopped) return;
    const width = tty.columns();
    const height = tty.rows();
    const { items, linesOf, bottom, holds } = picture(width);
    const laid = layOut({ items, shown, linesOf, bottom: isLast ? [] : bottom, width, height, holds: holds && !isLast });
    const stroke = paint(painted, { ...laid, width, height });
    shown = laid.shown;
    painted = stroke.painted;
    if (stroke.output !== "") tty.write(stroke.output);
  };

  return {
    now: () => draw(false),
    soon() {
      immediate ??= setImmediate(() => draw(false));
    },
    calmly() {
      timer ??= setTimeout(() => draw(false), pace);
    },
    forget() {
      painted = null;
    },
    repair() {
      if (painted !== null) painted = { ...painted, width: 0 };
      draw(false);
    },
    finish() {
      if (isStopped) return;
      draw(true);
      isStopped = true;
      const below = painted === null ? 0 : painted.lines.length - 1 - painted.row;
      tty.write(`${below > 0 ? `\u001B[${below}B` : ""}\r\n`);
    },
  };
}

const pace = 90;
