/** Gives the terminal to another program, an editor, and takes it back: one at a time, and nothing is drawn over it meanwhile. */
import type { Drawing } from "../screen/drawing.ts";
import type { Tty } from "../keys/tty.ts";

export type Outside = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createOutside(drawing: Pick<Drawing, "park" | "now">, tty: Tty): Outside {
  let last: Promise<unknown> | null = null;
  const given = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    drawing.park();
    tty.giveBack();
    try {
      return await work();
    } finally {
      tty.take();
      drawing.now();
    }
  };
  return (work) => {
    const mine = last === null ? given(work) : last.then(() => given(work));
    const settled: Promise<unknown> = mine
      .catch(() => null)
      .then(() => {
        if (last === settled) last = null;
      });
    last = settled;
    return mine;
  };
}
