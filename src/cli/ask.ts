/** A yes or no from the person at the terminal; without a terminal nobody is asked. */
import { createInterface } from "node:readline";
import type { Streams } from "./command.ts";

export function isInteractive({ stdin, stdout }: Streams): boolean {
  return isTerminal(stdin) && isTerminal(stdout);
}

/** Anything but a plain yes is a no: an empty line, the end of the input, Ctrl-C. */
export function askYes({ stdin, stderr }: Streams, question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdin, output: stderr, terminal: isTerminal(stderr) });
    let answer = false;
    lines.on("close", () => resolve(answer));
    lines.on("SIGINT", () => lines.close());
    lines.question(`${question} [y/N] `, (text) => {
      answer = /^y(es)?$/i.test(text.trim());
      lines.close();
    });
  });
}

function isTerminal(stream: object): boolean {
  return "isTTY" in stream && stream.isTTY === true;
}
