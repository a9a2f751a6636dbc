/** The real program in a real pty, its output drawn by a real terminal emulator: keys in, the screen as text out. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import headless from "@xterm/headless";
import { patience } from "../support/until.ts";

export interface PtyOptions {
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly columns?: number;
  readonly rows?: number;
  /** A folder for what the pty itself must note. */
  readonly folder: string;
}

/** What is to be seen on the screen. */
export type Sight = string | RegExp | ((screen: string) => boolean);

export interface Pty {
  /** The visible screen, blanks at line ends left out. */
  screen(): string;
  /** Screen and scrollback. */
  everything(): string;
  /** How many lines the terminal had to break because they were too wide. */
  broken(): number;
  /** All bytes that were written so far. */
  raw(): string;
  type(text: string): void;
  /** Resolves with the screen on which it holds, never with half of a frame; rejects with the last screen when it never does. */
  until(what: Sight, within?: number): Promise<string>;
  /** Resolves with the screen once nothing has been written for a while: frames come in pieces. */
  still(): Promise<string>;
  resize(columns: number, rows: number): void;
  /** The settings of the terminal line, as `stty -a` says them. */
  line(): string;
  /** The process that runs in it. */
  pid(): number;
  kill(signal: NodeJS.Signals): void;
  /** The terminal goes away. */
  hangUp(): void;
  readonly exited: Promise<number | null>;
  close(): Promise<void>;
}

export async function openPty(options: PtyOptions): Promise<Pty> {
  const { command, directory, environment, columns = 80, rows = 24, folder } = options;
  const note = join(folder, `pty-${Math.random().toString(36).slice(2)}`);
  const words = command.map(quoted).join(" ");
  const setUp = `stty cols ${columns} rows ${rows}; tty > ${quoted(`${note}.tty`)}; echo $$ > ${quoted(`${note}.pid`)}; exec ${words}`;
  const child = spawn("script", ["-qfec", setUp, "/dev/null"], {
    cwd: directory,
    env: { TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/sh", ...environment },
  });
  const terminal = new headless.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  let raw = "";
  let isClosed = false;
  let isHalf = false;
  const pending = new Set<() => void>();
  const check = (): void => pending.forEach((look) => look());
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    raw += text;
    const isFrameOpen = raw.lastIndexOf(frame.begin) > raw.lastIndexOf(frame.end);
    terminal.write(text, () => {
      isHalf = isFrameOpen;
      check();
    });
  });
  child.stdin.on("error", () => undefined);
  terminal.onData((answer) => void child.stdin.write(answer));
  const exited = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      isClosed = true;
      terminal.write("", () => {
        check();
        resolve(code);
      });
    });
  });

  const linesFrom = (start: number): string => {
    const { active } = terminal.buffer;
    const lines = Array.from({ length: active.length - start }, (_, index) =>
      (active.getLine(start + index)?.translateToString(true) ?? "").trimEnd(),
    );
    return lines.join("\n").trimEnd();
  };
  const screen = (): string => linesFrom(terminal.buffer.active.baseY);
  const read = (suffix: string): string => readFileSync(`${note}.${suffix}`, "utf8").trim();

  return {
    screen,
    everything: () => linesFrom(0),
    broken: () => {
      const { active } = terminal.buffer;
      return Array.from({ length: active.length }, (_, row) => active.getLine(row)).filter((line) => line?.isWrapped)
        .length;
    },
    raw: () => raw,
    type: (text) => void child.stdin.write(text),
    until(what, within = patience) {
      return new Promise((resolve, reject) => {
        const done = (): void => {
          pending.delete(look);
          clearTimeout(timer);
        };
        const fail = (why: string): void => {
          done();
          reject(new Error(`${why}: ${String(what)}\n--- the screen ---\n${screen()}\n---`));
        };
        const look = (): void => {
          if ((isClosed || !isHalf) && isSeen(what, screen())) {
            done();
            resolve(screen());
          } else if (isClosed) fail("the program ended before");
        };
        const timer = setTimeout(() => fail(`not within ${within} ms`), within);
        pending.add(look);
        look();
      });
    },
    async still() {
      for (let before = -1; before !== raw.length;) {
        before = raw.length;
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      return screen();
    },
    resize(width, height) {
      terminal.resize(width, height);
      execFileSync("stty", ["-F", read("tty"), "cols", String(width), "rows", String(height)]);
    },
    line: () => execFileSync("stty", ["-F", read("tty"), "-a"], { encoding: "utf8" }),
    pid: () => Number(read("pid")),
    kill: (signal) => void process.kill(Number(read("pid")), signal),
    hangUp: () => void child.kill("SIGKILL"),
    exited,
    async close() {
      if (!isClosed) {
        if (existsSync(`${note}.pid`)) endProcess(Number(read("pid")));
        child.kill("SIGKILL");
        await exited;
      }
      terminal.dispose();
    },
  };
}

export function isSeen(what: Sight, screen: string): boolean {
  if (typeof what === "function") return what(screen);
  return typeof what === "string" ? screen.includes(what) : what.test(screen);
}

/** What the program writes before and after each frame: a pipe may hand it over in pieces. */
const frame = { begin: "\u001B[?2026h", end: "\u001B[?2026l" };

/** None where its shell has made the note and not written it yet: 0 would be every process of the tests. */
function endProcess(pid: number): void {
  if (pid === 0) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    return;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
