/** Draws frames on the terminal: at once for keys, at a calm pace for what streams. */
import { layOut, nothingShown, type LayoutRequest, type ShownRows } from "./layout.ts";
import { paint, type Painted } from "./paint.ts";
import type { Tty } from "../keys/tty.ts";

export type Picture = Pick<LayoutRequest, "items" | "linesOf" | "bottom" | "holds">;

export interface Drawing {
  now(): void;
  /** With the next turn of the event loop: many keys at once are one frame. */
  soon(): void;
  /** Within a tenth of a second. */
  calmly(): void;
  /** Again and again while something is being done. */
  spin(isOn: boolean): void;
  /** Leaves the transcript behind and the cursor below it: the terminal is somebody else's, and nothing is drawn until `now`. */
  park(): void;
  isParked(): boolean;
  /** Everything anew in its place. */
  repair(): void;
  /** Parks for good. */
  finish(): void;
}

export function createDrawing(
  tty: Pick<Tty, "columns" | "rows" | "write">,
  picture: (width: number) => Picture,
): Drawing {
  let painted: Painted | null = null;
  let shown: ShownRows = nothingShown;
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let spinning: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isParked = false;

  const draw = (kind: "frame" | "rest"): void => {
    clearImmediate(immediate);
    clearTimeout(timer);
    immediate = undefined;
    timer = undefined;
    if (isStopped || isParked) return;
    const width = tty.columns();
    const height = tty.rows();
    const { items, linesOf, bottom, holds } = picture(width);
    const place = kind === "frame" ? { bottom, height, holds } : { bottom: [], height: 0, holds: false };
    const laid = layOut({ items, shown, linesOf, width, ...place });
    const stroke = paint(painted, { ...laid, width, height });
    shown = laid.shown;
    painted = stroke.painted;
    if (stroke.output !== "") tty.write(stroke.output);
  };

  const park = (): void => {
    if (isStopped || isParked) return;
    draw("rest");
    painted = null;
    isParked = true;
    tty.write("\r\n");
  };

  const calmly = (): void => {
    timer ??= setTimeout(() => draw("frame"), pace);
  };

  return {
    now() {
      isParked = false;
      draw("frame");
    },
    soon() {
      immediate ??= setImmediate(() => draw("frame"));
    },
    calmly,
    spin(isOn) {
      if (isOn) {
        spinning ??= setInterval(calmly, spinPace);
        return;
      }
      clearInterval(spinning);
      spinning = undefined;
    },
    park,
    isParked: () => isParked,
    repair() {
      if (painted !== null) painted = { ...painted, width: 0 };
      draw("frame");
    },
    finish() {
      park();
      isStopped = true;
    },
  };
}

const pace = 90;
const spinPace = 120;
