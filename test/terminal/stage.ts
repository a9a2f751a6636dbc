/** The bundled program on a terminal, in a throw-away repository, against a scripted model. */
import { tmpdir } from "node:os";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { patience } from "../support/until.ts";
import { planFileIn, program, setStage, type Stage } from "../headless/program.ts";
import { isSeen, openPty, type Pty, type Sight } from "./pty.ts";

export interface TerminalStage {
  readonly stage: Stage;
  open(args?: readonly string[], options?: OpenOptions): Promise<Pty>;
}

export interface OpenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Without a model key: scout. */
  readonly offline?: boolean;
  /** Instead of the program itself: a shell line in which `"$@"` is the program. */
  readonly through?: string;
}

export interface TerminalStageOptions {
  readonly script: (turn: TurnFacts) => ScriptedTurn | Promise<ScriptedTurn>;
  readonly files?: Readonly<Record<string, string>>;
  /** The person's settings file. */
  readonly settings?: object;
}

export interface TurnFacts {
  /** Counts the requests from 1. */
  readonly turn: number;
  readonly body: string;
  readonly planFile: () => string;
}

/** Gone with the test. */
export async function setTerminalStage({ script, files, settings }: TerminalStageOptions): Promise<TerminalStage> {
  const stage = await setStage({
    script: (request, turn) => {
      const body = JSON.stringify(request.body);
      return script({ turn, body, planFile: () => planFileIn(body) });
    },
    ...(files === undefined ? {} : { files }),
  });
  const folder = dirname(stage.repository);
  if (settings !== undefined) {
    const { mkdirSync } = await import("node:fs");
    mkdirSync(stage.home, { recursive: true });
    writeFileSync(join(stage.home, "settings.json"), JSON.stringify(settings));
  }
  const terminals: Pty[] = [];
  onTestFinished(async () => {
    for (const terminal of terminals) await terminal.close();
    await stage.close();
  });
  return {
    stage,
    async open(args = [], { columns, rows, environment = {}, offline = false, through } = {}) {
      const own = [process.execPath, program, ...args];
      const terminal = await openPty({
        command: through === undefined ? own : ["sh", "-c", through, "sh", ...own],
        directory: stage.repository,
        folder,
        environment: {
          PATH: process.env["PATH"],
          TMPDIR: tmpdir(),
          HOME: folder,
          GROUNDPLAN_HOME: stage.home,
          EDITOR: "vim",
          ...(offline ? {} : stage.server.environment()),
          ...environment,
        },
        ...(columns === undefined ? {} : { columns }),
        ...(rows === undefined ? {} : { rows }),
      });
      terminals.push(terminal);
      return terminal;
    },
  };
}

export const keys = {
  enter: "\r",
  escape: "\u001B",
  shiftTab: "\u001B[Z",
  up: "\u001B[A",
  down: "\u001B[B",
  right: "\u001B[C",
  left: "\u001B[D",
  tab: "\t",
  pageUp: "\u001B[5~",
  pageDown: "\u001B[6~",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlG: "\u0007",
  ctrlO: "\u000F",
  ctrlZ: "\u001A",
  ctrlL: "\f",
} as const;

/** That was said, and whoever said it is done: the answer is kept. */
export function answered(words: string): (screen: string) => boolean {
  return (screen) => screen.includes(words) && !/esc(ape)? to stop/.test(screen);
}

/** Presses until it is heard, and resolves with that screen: keys count once the dialog was long enough in view (B2.4). */
export async function press(terminal: Pty, key: string, heard: Sight): Promise<string> {
  for (const end = performance.now() + patience; performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, 750));
    const isSaidAlready = isTooSoon(terminal.screen());
    terminal.type(key);
    const isOver = (screen: string): boolean => isSeen(heard, screen) || (!isSaidAlready && isTooSoon(screen));
    const screen = await terminal.until(isOver, 60_000).catch(() => terminal.screen());
    if (isSeen(heard, screen)) return screen;
  }
  throw new Error(`Nobody heard ${JSON.stringify(key)}:\n${terminal.screen()}`);
}

function isTooSoon(screen: string): boolean {
  return screen.includes("could be read: not counted");
}
