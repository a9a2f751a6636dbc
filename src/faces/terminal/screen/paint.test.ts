import headless from "@xterm/headless";
import { describe, expect, test } from "vitest";
import { paint, type Frame, type Painted } from "./paint.ts";

const width = 30;

interface Emulated {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  readonly output: string;
}

async function play(frames: readonly Frame[], before = ""): Promise<Emulated> {
  const terminal = new headless.Terminal({
    cols: width,
    rows: frames[0]!.height,
    scrollback: 5000,
    allowProposedApi: true,
  });
  let painted: Painted | null = null;
  let output = "";
  const write = (text: string): Promise<void> => new Promise((resolve) => terminal.write(text, resolve));
  await write(before);
  for (const frame of frames) {
    const stroke = paint(painted, frame);
    painted = stroke.painted;
    output += stroke.output;
    await write(stroke.output);
  }
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) =>
    active.getLine(row)!.translateToString(true).trimEnd(),
  );
  while (lines.at(-1) === "") lines.pop();
  return { lines, cursor: { row: active.baseY + active.cursorY, column: active.cursorX }, output };
}

function frame(commit: readonly string[], live: readonly string[], height = 8): Frame {
  return { commit, live, cursor: { row: live.length - 1, column: 2 }, width, height };
}

test("whatever is drawn after whatever, the terminal holds what was committed and what is live, and nothing is cleared", async () => {
  const random = generator(7);
  const pick = (most: number): number => Math.floor(random() * (most + 1));
  for (let round = 0; round < 60; round += 1) {
    const height = 4 + pick(10);
    let counter = 0;
    const line = (): string => {
      counter += 1;
      if (pick(6) === 0) return "";
      return pick(3) === 0 ? "x".repeat(width) : `line ${counter}`;
    };
    let tail: string[] = [];
    const committed: string[] = [];
    const frames: Frame[] = [];
    for (let step = 0; step < 25; step += 1) {
      for (let added = pick(pick(4) === 0 ? 30 : 3); added > 0; added -= 1) tail.push(line());
      if (tail.length > 0 && pick(2) === 0) tail[pick(tail.length - 1)] = line();
      if (pick(5) === 0) tail = tail.slice(0, pick(tail.length));
      const bottom = Array.from({ length: 1 + pick(2) }, (_, index) => `bottom ${index} ${pick(1)}`);
      const over = Math.max(0, tail.length - (height - bottom.length));
      const commit = tail.splice(0, over);
      committed.push(...commit);
      frames.push(frame(commit, [...tail, ...bottom], height));
    }
    const { lines, output } = await play(frames, "shell line 1\r\nshell line 2\r\n");
    const wanted = ["shell line 1", "shell line 2", ...committed, ...frames.at(-1)!.live];
    while (wanted.at(-1) === "") wanted.pop();
    expect(lines, `round ${round}`).toEqual(wanted);
    expect(output).not.toMatch(/\u001B\[[23]J/);
  }
});

describe("few bytes", () => {
  const rule = "─".repeat(width);
  const bottom = ["", rule, "> ", rule, "status"];

  test("a line that comes above the input moves the rest without writing it again", () => {
    const first = paint(null, frame([], ["one", ...bottom]));
    const second = paint(first.painted, frame([], ["one", "two", ...bottom]));
    expect(second.output).not.toContain("─");
    expect(second.output.length).toBeLessThan(60);
  });

  test("nothing new writes nothing but the cursor's place", () => {
    const first = paint(null, frame([], ["one", ...bottom]));
    expect(paint(first.painted, frame([], ["one", ...bottom])).output.length).toBeLessThan(8);
  });

  test("a spinner's step writes its line alone", () => {
    const first = paint(null, frame([], ["one", "* 1s", ...bottom]));
    const second = paint(first.painted, frame([], ["one", "+ 1s", ...bottom]));
    expect(second.output).toContain("+ 1s");
    expect(second.output).not.toMatch(/one|status|─/);
  });
});

test("the cursor stands where the input has it", async () => {
  const { cursor } = await play([{ ...frame([], ["one", "two", "three"]), cursor: { row: 1, column: 5 } }]);
  expect(cursor).toEqual({ row: 1, column: 5 });
});

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
