/** What a prompt does: words for the model or for a plan that waits, a command, a way back. */
import { RequestError } from "@agentclientprotocol/sdk";
import { carryOut, commandProblem, type Say } from "../../agent/loop/line-command.ts";
import { isBusy } from "../../core/session.ts";
import { pointToRedo, pointToUndo } from "../../core/undo.ts";
import type { EditorLink, EditorProgram } from "./link.ts";
import { availableCommands, elsewhere } from "./options.ts";

export interface LineRun {
  readonly link: EditorLink;
  readonly program: EditorProgram;
  /** Into the conversation. */
  readonly tell: (words: string) => void;
}

/** Why a command cannot be carried out here; null where it can. */
export function commandRefused(line: string): string | null {
  return ownCommand(line) === null ? commandProblem(line, elsewhere) : null;
}

/** When the session has heard it, and what a command answers was told: whether the model is at work on it. */
export async function runLine(line: string, run: LineRun): Promise<boolean> {
  const { link, tell } = run;
  const own = ownCommand(line);
  if (own !== null) {
    tell(await own(run));
    return isAtWork(link);
  }
  const say = sayTo(link, run.program);
  const carried = await carryOut(line, { session: link, elsewhere }, say);
  if (carried === null) {
    const refused = await say(line);
    if (refused !== null)
      throw RequestError.invalidRequest(undefined, `the session did not take it: ${refused.reason}`);
    return true;
  }
  if (carried.refusal === null && carried.isTask) return true;
  tell(carried.refusal ?? (await carried.done) ?? carried.said());
  return isAtWork(link);
}

/** A plan that waits keeps nobody from other commands. */
function isAtWork({ handle }: EditorLink): boolean {
  const { turn } = handle.state;
  return isBusy(turn) && !turn.open.some(({ state }) => state.kind === "reviewing");
}

/** To a plan that waits, words are the answer: it goes back with them (B12.4). */
function sayTo({ handle }: EditorLink, { user }: EditorProgram): Say {
  return async (text) => {
    const waiting = handle.state.turn.open.flatMap(({ state }) =>
      state.kind === "reviewing" ? [state.request.id] : [],
    );
    for (const requestId of waiting) {
      const verdict = { kind: "revise", feedback: text.trim() } as const;
      const by = { user, surface: "editor" };
      const refused = await handle.send({ type: "review-decided", requestId, verdict, by, at: Date.now() });
      if (refused === null) return null;
    }
    return handle.send({ type: "user-said", text });
  };
}

type OwnCommand = (run: LineRun) => Promise<string>;

/** Those that need more than the session itself. */
function ownCommand(line: string): OwnCommand | null {
  const name = /^\/([a-z]+)\s*$/.exec(line.trim())?.[1] ?? "";
  return Object.hasOwn(ownCommands, name) ? ownCommands[name as keyof typeof ownCommands] : null;
}

const ownCommands = {
  review: async ({ link }) => {
    const url = await link.reviewLink();
    return url === null ? "There is no page." : `Review page: ${url}`;
  },
  help: async () =>
    availableCommands()
      .map(({ name, description, input }) => `- \`/${name}${input ? ` ${input.hint}` : ""}\` ${description}`)
      .join("\n"),
  verify: ({ link }) => link.verify(),
  undo: ({ link }) => goBack(link, "undo"),
  redo: ({ link }) => goBack(link, "redo"),
} as const satisfies Readonly<Record<string, OwnCommand>>;

async function goBack({ handle, undo }: EditorLink, how: "undo" | "redo"): Promise<string> {
  const { state } = handle;
  const point = how === "undo" ? pointToUndo(state) : pointToRedo(state);
  if (point === null) return how === "undo" ? "There is nothing to undo." : "There is nothing to redo.";
  const result = await undo.rewind({ to: point.id, what: "both", how, overwrite: [] });
  if (result.kind === "refused") return `Nothing was changed: ${result.reason}.`;
  const { restored, kept } = result;
  const files = restored.length === 0 ? "No file changed." : `As before: ${restored.join(", ")}`;
  const left = kept.length === 0 ? [] : [`Left as they are, changed by somebody else since: ${kept.join(", ")}`];
  const where = how === "undo" ? "Back to before" : "Forward again, as before the undo of";
  return [`${where}: ${point.label}`, files, ...left].join("\n\n");
}
