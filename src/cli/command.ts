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

export type Command = ((args: readonly string[], streams: Streams) => Promise<number>) & {
  /** What may follow it; loaded when a shell's completion is made. */
  readonly words?: () => Promise<CommandGrammar>;
};

/** What a word stands for: a shell can offer those. */
export type WordKind = "plan" | "session" | "command" | "file" | "folder" | readonly string[];

/** As `parseArgs` takes it, and what its value stands for. */
export interface OptionShape {
  readonly type: "boolean" | "string";
  readonly short?: string;
  readonly multiple?: boolean;
  readonly of?: WordKind;
}

export type OptionTable = Readonly<Record<string, OptionShape>>;

export interface VerbWords {
  readonly options: OptionTable;
  readonly takes?: WordKind;
}

export interface CommandGrammar extends VerbWords {
  readonly verbs?: Readonly<Record<string, VerbWords>>;
}

/** A row of the table of commands. */
export interface CommandRow {
  readonly name: string;
  /** As the help shows it behind the name. */
  readonly takes?: string;
  readonly help: string;
  readonly verbs?: readonly string[];
  /** As typed in a project, with what one sees; `…` stands for anything. */
  readonly examples?: readonly CommandExample[];
  /** Only tells something: it ends quietly when nobody reads any more. */
  readonly endsUnread?: boolean;
  /** Called by programs; not in the help, and never what a person meant. */
  readonly internal?: boolean;
  readonly load: () => Promise<Command>;
}

export interface CommandExample {
  readonly typed: string;
  readonly shows: string;
}

/** What a command has to say, on stdout; gives the exit code of success. */
export function answer({ stdout }: Pick<Streams, "stdout">, text: string): number {
  stdout.write(`${text}\n`);
  return 0;
}

export function answerJson(streams: Pick<Streams, "stdout">, value: unknown): number {
  return answer(streams, visibleJson(value));
}
