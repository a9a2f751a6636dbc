/** What a sub-command of the program is: arguments and streams in, exit code out. */
import type { Readable, Writable } from "node:stream";
import { visibleJson } from "../core/wire/visible.ts";

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** A person is at both ends. */
export function isInteractive({ stdin, stdout }: Streams): boolean {
  return isTerminal(stdin) && isTerminal(stdout);
}

export function isTerminal(stream: object): boolean {
  return "isTTY" in stream && stream.isTTY === true;
}

export type Command = (args: readonly string[], streams: Streams) => Promise<number>;

/** What a command has to say, on stdout; gives the exit code of success. */
export function answer({ stdout }: Pick<Streams, "stdout">, text: string): number {
  stdout.write(`${text}\n`);
  return 0;
}

export function answerJson(streams: Pick<Streams, "stdout">, value: unknown): number {
  return answer(streams, visibleJson(value));
}
