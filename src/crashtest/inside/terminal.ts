/** An agent in a real terminal: tmux with a socket of its own. */
import { join } from "node:path";
import type { Stage, AgentStart } from "../agents/row.ts";
import { pause } from "./pause.ts";
import { run, unable, type Ended } from "./process.ts";

export interface TerminalLook {
  /** The agent takes words. */
  readonly ready: RegExp;
  /** Keys that lead there, each when that is seen. */
  readonly before?: readonly (readonly [seen: RegExp, key: string])[];
  /** It waits for a person's answer. */
  readonly asks: RegExp;
  /** What the person does then, and the key that they press; without it they let it wait. */
  readonly answer?: () => string;
}

export interface AgentTerminal {
  readonly screen: () => Promise<string>;
  /** Whether the screen became like that in time. */
  readonly until: (isLike: (text: string) => boolean, last: number) => Promise<boolean>;
  readonly key: (name: string) => Promise<unknown>;
  /** A key that comes too early is taken for something else: pressed again as long as nothing came of it. */
  readonly press: (key: string, isStill: (text: string) => boolean, last: number) => Promise<void>;
  /** Words and Enter. */
  readonly say: (text: string, last: number) => Promise<void>;
  readonly close: () => Promise<unknown>;
}

/** Nobody answers what they have not read. */
const readingMs = 2500;
/** A dialog may stand there while a hook still answers it. */
const hookMs = 8000;

/** Or why there is none. */
export async function openTerminal(
  stage: Pick<Stage, "project" | "temporary" | "environment" | "program">,
  { args, environment }: AgentStart,
): Promise<AgentTerminal | string> {
  const variables = { ...stage.environment, ...environment, TERM: "xterm-256color" };
  const tmux = (...rest: readonly string[]): Promise<Ended> =>
    run({
      argv: ["tmux", "-S", join(stage.temporary, "tmux"), "-f", "/dev/null", ...rest],
      directory: stage.project,
      environment: variables,
      limitMs: 10_000,
    });
  const screen = async (): Promise<string> => (await tmux("capture-pane", "-p", "-t", "agent")).output;
  const begun = await tmux("new-session", "-d", "-x", "140", "-y", "50", "-s", "agent", ...stage.program, ...args);
  if (begun.exitCode !== 0) return `no terminal (is tmux installed?): ${begun.output}`;
  const key: AgentTerminal["key"] = (name) => tmux("send-keys", "-t", "agent", name);
  const press: AgentTerminal["press"] = async (name, isStill, last) => {
    do {
      await pause(300);
      await key(name);
      for (let tries = 0; tries < 6 && isStill(await screen()); tries += 1) await pause(200);
    } while (Date.now() < last && isStill(await screen()));
  };
  return {
    screen,
    key,
    press,
    until: async (isLike, last) => {
      while (Date.now() < last) {
        if (isLike(await screen())) return true;
        await pause(100);
      }
      return false;
    },
    say: async (text, last) => {
      await tmux("send-keys", "-t", "agent", "-l", text);
      await press("Enter", (shown) => shown.trimEnd().split("\n").slice(-6).join("\n").includes(text), last);
    },
    close: () => tmux("kill-server"),
  };
}

/** Types the prompt, then waits until the model said its last word, or the agent asks. */
export async function runInTerminal(
  stage: Stage,
  start: AgentStart,
  { ready, asks, answer, before = [] }: TerminalLook,
): Promise<Ended> {
  const terminal = await openTerminal(stage, start);
  if (typeof terminal === "string") return unable(terminal);
  const { screen, until, press } = terminal;
  const last = Date.now() + stage.limitMs;
  let isOver = false;
  void stage.finished.then(() => (isOver = true));
  try {
    for (const [seen, key] of before) if (await until((text) => seen.test(text), last)) await terminal.key(key);
    if (!(await until((text) => ready.test(text), last))) return { ...unable(await screen()), timedOut: true };
    await terminal.say(stage.prompt, last);
    let isEnded = await until((text) => isOver || asks.test(text), last);
    if (!isOver && answer === undefined) {
      await until(() => isOver, Math.min(last, Date.now() + hookMs));
      isEnded = await until((text) => isOver || asks.test(text), last);
    }
    if (isEnded && !isOver && answer !== undefined) {
      await pause(readingMs);
      await press(answer(), (text) => !isOver && asks.test(text), last);
      isEnded = await until(() => isOver, last);
    }
    if (isOver) await pause(300);
    return { ...unable(await screen()), exitCode: isOver ? 0 : null, timedOut: !isEnded, asks: isEnded && !isOver };
  } finally {
    await terminal.close();
  }
}
