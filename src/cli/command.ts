/** What a sub-command of the program is: arguments and streams in, exit code out. */
import type { Readable, Writable } from "node:stream";

export interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

export type Command = (args: readonly string[], streams: Streams) => Promise<number>;
