/** The real terminal: taken over, given back whole in every case, and told apart from keys what is news of the terminal itself. */
import { readKey } from "./key-input.ts";
import { setKittyProtocolActive, StdinBuffer } from "../pi-tui.ts";
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
  const buffer = new StdinBuffer({ timeout: 25 });
  let taken = false;
  let isFirstLook = false;
  let isGone = false;
  let kitty = false;
  let otherKeys = false;
  let fallback: NodeJS.Timeout | undefined;

  const write = (text: string): void => {
    if (!isGone) stdout.write(text);
  };
  const gone = (): void => {
    if (isGone) return;
    isGone = true;
    listener.gone();
  };
  /** The keys of one read, while it is taken apart. */
  let together: string[] | null = null;
  let isLine = false;

  const hear = (input: string): void => {
    if (input === "\u001B[I" || input === "\u001B[O") return listener.focused(input.endsWith("I"));
    if (/^\u001B\[\?\d+u$/.test(input)) return useKitty();
    if (isAnswer(input)) return undefined;
    return listener.key(input, isLine);
  };
  const collect = (input: string): void => {
    if (together === null) hear(input);
    else together.push(input);
  };
  const useKitty = (): void => {
    if (kitty || !taken) return;
    kitty = true;
    setKittyProtocolActive(true);
    write("\u001B[>5u");
  };
  /** What was typed before the terminal was ours came as lines: their ends were Enter. */
  const read = (text: string): void => {
    const keys: string[] = [];
    together = keys;
    buffer.process(isFirstLook ? text.replaceAll("\n", "\r") : text);
    together = null;
    isLine = keys.filter(isTyped).length > 1;
    keys.forEach(hear);
  };

  buffer.on("data", collect);
  buffer.on("paste", (text) => collect(`\u001B[200~${text}\u001B[201~`));
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
      write("\u001B[?2004h\u001B[?1004h\u001B[?25l\u001B[?u");
      fallback = setTimeout(() => {
        if (kitty || !taken) return;
        otherKeys = true;
        write("\u001B[>4;2m");
      }, 200);
      fallback.unref();
    },
    giveBack() {
      if (!taken) return;
      taken = false;
      clearTimeout(fallback);
      write(
        `\u001B[?2026l${kitty ? "\u001B[<u" : ""}${otherKeys ? "\u001B[>4;0m" : ""}\u001B[?1004l\u001B[?2004l\u001B[0m\u001B[?25h`,
      );
      kitty = false;
      otherKeys = false;
      setKittyProtocolActive(false);
      stdin.off("data", read);
      stdout.off("resize", listener.resized);
      stdin.pause();
      if (!isGone) attempt(() => stdin.setRawMode(false));
    },
    suspend: () =>
      new Promise((resolve) => {
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
      }),
    close() {
      tty.giveBack();
      buffer.destroy();
      stdin.off("end", gone);
    },
  };
  return tty;
}

function isTyped(input: string): boolean {
  const { text, event } = readKey(input);
  return text !== null && (event === "press" || event === "repeat");
}

/** What terminals answer to questions, also to those of programs before us: never keys. */
function isAnswer(input: string): boolean {
  return /^\u001B\[(\?[\d;]*[cnu]|[\d;]*R|>[\d;]*c|\d+;\d+;\d+t)$/.test(input) || /^\u001B[P\]_]/.test(input);
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    return;
  }
}
