/** A yes or no from the person at the terminal; without a terminal nobody is asked. */
import { createInterface } from "node:readline";
import { isTerminal, type Streams } from "./command.ts";

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
