/** An agent in a real terminal: tmux with a socket of its own. */
import { join } from "node:path";
import type { Stage, AgentStart } from "../agents/row.ts";
import { pause } from "./pause.ts";
import { run, unable, type Ended } from "./process.ts";

export interface TerminalLook {
  /** The agent takes words. */
  readonly ready: RegExp;
  /** It waits for a person's answer. */
  readonly asks: RegExp;
  /** What the person does then, and the key that they press; without it they let it wait. */
  readonly answer?: () => string;
}

/** Nobody answers what they have not read. */
const readingMs = 2500;

/** Types the prompt, then waits until the model said its last word, or the agent asks. */
export async function runInTerminal(
  stage: Stage,
  { args, environment }: AgentStart,
  { ready, asks, answer }: TerminalLook,
): Promise<Ended> {
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
  if (begun.exitCode !== 0) return unable(`no terminal (is tmux installed?): ${begun.output}`);
  const last = Date.now() + stage.limitMs;
  const until = async (isIt: (text: string) => boolean): Promise<boolean> => {
    while (Date.now() < last) {
      if (isIt(await screen())) return true;
      await pause(150);
    }
    return false;
  };
  /** A key that comes too early is taken for something else: pressed again as long as nothing came of it. */
  const pressed = async (key: string, isStill: (text: string) => boolean): Promise<void> => {
    do {
      await pause(300);
      await tmux("send-keys", "-t", "agent", key);
      await pause(1200);
    } while (Date.now() < last && isStill(await screen()));
  };
  let isOver = false;
  void stage.finished.then(() => (isOver = true));
  try {
    if (!(await until((text) => ready.test(text)))) return { ...unable(await screen()), timedOut: true };
    await tmux("send-keys", "-t", "agent", "-l", stage.prompt);
    await pressed("Enter", (text) => !isOver && text.trimEnd().split("\n").slice(-6).join("\n").includes(stage.prompt));
    let isEnded = await until((text) => isOver || asks.test(text));
    if (isEnded && !isOver && answer !== undefined) {
      await pause(readingMs);
      await pressed(answer(), (text) => !isOver && asks.test(text));
      isEnded = await until(() => isOver);
    }
    if (isOver) await pause(300);
    return { ...unable(await screen()), exitCode: isOver ? 0 : null, timedOut: !isEnded, asks: isEnded && !isOver };
  } finally {
    await tmux("kill-server");
  }
}
