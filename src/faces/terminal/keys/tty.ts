/** The real terminal: taken over, given back whole in every case, and told apart from keys what is news of the terminal itself. */
import { readKey } from "./key-input.ts";
import { createKeyStream } from "./key-stream.ts";
import type { ReadStream, WriteStream } from "node:tty";

export interface Tty {
  columns(): number;
  rows(): number;
  write(text: string): void;
  /** Takes the terminal: raw keys, paste marks, news of focus. */
  take(): void;
  /** Gives it back as it was; may be called twice. */
  giveBack(): void;
  /** Stops the process as Ctrl-Z does; resolves when it goes on, or at once where nobody could continue it. */
  suspend(): Promise<void>;
  close(): void;
}

export interface TtyListener {
  /** `isLine`: other keys that type something came in the same read. */
  readonly key: (input: string, isLine: boolean) => void;
  readonly resized: () => void;
  readonly focused: (isFocused: boolean) => void;
  /** The terminal is gone. */
  readonly gone: () => void;
}

export interface TtyStreams {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
}

export function openTty({ stdin, stdout }: TtyStreams, listener: TtyListener): Tty {
  let taken = false;
  let isFirstLook = false;
  let isGone = false;
  const write = (text: string): void => {
    if (!isGone) stdout.write(text);
  };
  const gone = (): void => {
    if (isGone) return;
    isGone = true;
    listener.gone();
  };
  const newerKeys = createNewerKeys(write);
  const hear = (input: string, isLine: boolean): void => {
    if (input === "\u001B[I" || input === "\u001B[O") return listener.focused(input.endsWith("I"));
    if (/^\u001B\[\?\d+u$/.test(input)) return newerKeys.answered();
    if (isAnswer(input)) return undefined;
    const isMapped = newerKeys.areOn() && (input === "\u001B\r" || input === "\n");
    return listener.key(isMapped ? shiftEnter : input, isLine);
  };
  const stream = createKeyStream((key) => hear(key, false));
  /** What was typed before the terminal was ours came as lines: their ends were Enter. */
  const read = (text: string): void => {
    const keys = stream.read(isFirstLook ? text.replaceAll("\n", "\r") : text);
    const isLine = keys.filter(isTyped).length > 1;
    for (const key of keys) hear(key, isLine);
  };
  stdin.on("end", gone);
  stdin.on("error", gone);
  stdout.on("error", gone);

  const tty: Tty = {
    columns: () => Math.max(1, stdout.columns || 80),
    rows: () => Math.max(1, stdout.rows || 24),
    write,
    take() {
      if (taken || isGone) return;
      taken = true;
      isFirstLook = true;
      setImmediate(() => setImmediate(() => (isFirstLook = false)));
      stdin.setRawMode(true);
      stdin.setEncoding("utf8");
      stdin.on("data", read);
      stdin.resume();
      stdout.on("resize", listener.resized);
      write("\u001B[?2004h\u001B[?1004h\u001B[?25l");
      newerKeys.ask();
    },
    giveBack() {
      if (!taken) return;
      taken = false;
      write(`\u001B[?2026l${newerKeys.end()}\u001B[?1004l\u001B[?2004l\u001B[0m\u001B[?25h`);
      stdin.off("data", read);
      stdout.off("resize", listener.resized);
      stdin.pause();
      try {
        if (!isGone) stdin.setRawMode(false);
      } catch {
        return;
      }
    },
    suspend: () => suspended(tty),
    close() {
      tty.giveBack();
      stream.close();
      stdin.off("end", gone);
    },
  };
  return tty;
}

/** Asks the terminal whether it knows kitty's way; where it does not answer, the older extension is switched on. */
function createNewerKeys(write: (text: string) => void) {
  let way: "asked" | "kitty" | "other" | null = null;
  let fallback: NodeJS.Timeout | undefined;
  return {
    ask(): void {
      way = "asked";
      write("\u001B[?u");
      fallback = setTimeout(() => {
        if (way !== "asked") return;
        way = "other";
        write("\u001B[>4;2m");
      }, 200);
      fallback.unref();
    },
    answered(): void {
      if (way === null || way === "kitty") return;
      write(`${way === "other" ? "\u001B[>4;0m" : ""}\u001B[>5u`);
      way = "kitty";
    },
    areOn: (): boolean => way === "kitty",
    /** Gives what switches off what was switched on. */
    end(): string {
      clearTimeout(fallback);
      const off = way === "kitty" ? "\u001B[<u" : way === "other" ? "\u001B[>4;0m" : "";
      way = null;
      return off;
    },
  };
}

/** Where all keys are told apart, these two are what people let their terminal send for it. */
const shiftEnter = "\u001B[13;2u";

function suspended(tty: Tty): Promise<void> {
  return new Promise((resolve) => {
    const back = (): void => {
      clearTimeout(unstopped);
      process.off("SIGCONT", back);
      tty.take();
      resolve();
    };
    tty.giveBack();
    process.once("SIGCONT", back);
    const unstopped = setTimeout(back, 200);
    process.kill(0, "SIGTSTP");
  });
}

function isTyped(input: string): boolean {
  const { text, event } = readKey(input);
  return text !== null && (event === "press" || event === "repeat");
}

/** What terminals answer to questions, also to those of programs before us: never keys. */
function isAnswer(input: string): boolean {
  return /^\u001B\[(\?[\d;]*[cnu]|[\d;]*R|>[\d;]*c|\d+;\d+;\d+t)$/.test(input) || /^\u001B[P\]_]/.test(input);
}
