/** Slash commands where there is no terminal: carried out, or refused by name; never words to the model (section 4). */
import { costUsd } from "../models/index.ts";
import type { SendRefused, SessionHandle } from "../ports/handle.ts";
import { commandList, runCommand, unknownCommand, type CommandOutcome } from "../../core/commands.ts";
import { modes } from "../../core/mode.ts";
import type { UsageTotal } from "../../core/usage.ts";
import { costText } from "./cost-text.ts";

/** What a command works on. */
export interface CommandedSession {
  /** The session that the work goes on in: another one after a plan was approved with fresh context. */
  readonly handle: SessionHandle;
  readonly model: { readonly name: string };
  /** As a person writes it. */
  readonly modelName: string;
  /** What `/hooks` shows. */
  readonly hooks: () => string;
}

/** Commands that cannot be carried out where they were given, by name: what does it there. */
export type Elsewhere = Readonly<Record<string, string>>;

/** Words to the model; why the session does not take them, else null. */
export type Say = (text: string) => Promise<SendRefused | null>;

/** Whether a line is a command, ours or one that nobody knows. */
export function isCommand(line: string): boolean {
  return nameIn(line) !== null || unknownCommand(line) !== null;
}

/** Why a line that is a command cannot be carried out here; null where it can, and for words to the model. */
export function commandProblem(line: string, elsewhere: Elsewhere): string | null {
  const name = nameIn(line);
  if (name === null) return unknownCommand(line)?.replace("/help lists all; n", "N") ?? null;
  const argument = line.trim().replace(/^\/\S+\s*/, "");
  if (name === "plan" && argument === "open") return "/plan open needs a terminal; /plan shows the plan and its path.";
  if (name === "mode" && !modes.some((mode) => mode.toLowerCase() === argument.toLowerCase()))
    return `/mode takes one of ${modes.join(", ")}; not ${JSON.stringify(argument)}.`;
  return elsewhere[name] ?? null;
}

export interface CarriedCommand {
  /** As things stand when it is asked: a summary takes its time. */
  readonly said: () => string;
  /** Resolves when what was asked for has been done: why it was not, else null. */
  readonly done: Promise<string | null>;
  /** Why nothing of it happened, else null. */
  readonly refusal: string | null;
  /** The model was given something to do: what it says is the result. */
  readonly isTask: boolean;
}

export interface Commanded {
  readonly session: CommandedSession;
  readonly elsewhere: Elsewhere;
}

/** Null for words to the model. The line has been through `commandProblem`. */
export async function carryOut(line: string, on: Commanded, say: Say): Promise<CarriedCommand | null> {
  const { handle } = on.session;
  const outcome = runCommand(line, handle.state, null);
  if (outcome === null) return null;
  const said = (): string => saidOf(outcome, on);
  let reason: string | null = null;
  const summary = isSummary(outcome) ? awaitSummary(handle) : null;
  for (const event of outcome.events) {
    const sent = event.type === "user-said" ? say(event.text) : handle.send(event);
    reason ??= (await sent)?.reason ?? null;
  }
  const isTask = outcome.events.some(({ type }) => type === "user-said");
  const mode = outcome.events.find((event) => event.type === "mode-chosen")?.mode ?? null;
  const isOtherMode = mode !== null && handle.state.permissions.mode.current !== mode;
  const done = summary?.done ?? Promise.resolve(null);
  if (reason === null && !isOtherMode) return { said, done, refusal: null, isTask };
  summary?.stop();
  const why = isOtherMode || reason === null ? said() : (reasons[reason] ?? `Nothing was done (${reason}).`);
  return { said, done, refusal: `${line.trim()} is refused here. ${why}`, isTask };
}

/** Heard from now on: the wish for it may be carried out before anybody looks again. */
function awaitSummary(handle: SessionHandle): { readonly done: Promise<string | null>; readonly stop: () => void } {
  let off: (() => void) | undefined;
  const done = new Promise<string | null>((resolve) => {
    off = handle.subscribe((happening) => {
      if (happening.kind === "halted") resolve(happening.error);
      if (happening.kind !== "event") return;
      const { before, session, event } = happening;
      if (before.turn.compaction === null || session.turn.compaction !== null) return;
      off?.();
      if (event.type === "context-compacted") resolve(null);
      else resolve(event.type === "compaction-failed" ? event.error : "The summary was stopped.");
    });
  });
  return { done, stop: () => off?.() };
}

const reasons: Readonly<Record<string, string>> = {
  busy: "The model is at work; nothing was changed.",
  "nothing-to-do": "There is nothing to summarise yet.",
};

function saidOf(outcome: CommandOutcome, on: Commanded): string {
  const { handle, modelName: model, model: priced } = on.session;
  const { say, show, wish, events } = outcome;
  const session = handle.state;
  const costOf = (usage: UsageTotal): number | null => costUsd(priced.name, usage);
  if (show !== undefined) return `${show.content.trimEnd()}\n\nPlan: ${show.path}`;
  if (wish?.kind === "cost") return costText({ session, model, costOf });
  if (wish?.kind === "hooks") return on.session.hooks();
  if (wish?.kind === "help") return helpText(on.elsewhere);
  const isModeWish = events.some(({ type }) => type === "mode-chosen" || type === "plan-left");
  if (isModeWish && (say === null || session.permissions.mode.current !== "plan"))
    return `Mode: ${session.permissions.mode.current}`;
  if (!isSummary(outcome)) return say ?? "";
  if (session.turn.compaction === null) return "The conversation was summarised.";
  const { state } = session.turn.compaction;
  return state === "due" ? "The conversation is not summarised yet." : "The conversation is being summarised.";
}

function isSummary({ events }: CommandOutcome): boolean {
  return events.some(({ type }) => type === "compaction-requested");
}

function helpText(elsewhere: Elsewhere): string {
  const here = commandList.filter(({ name }) => elsewhere[name] === undefined);
  const width = Math.max(...here.map(({ name, hint }) => `/${name} ${hint}`.length));
  return here.map(({ name, hint, summary }) => `${`/${name} ${hint}`.padEnd(width)}  ${summary}`).join("\n");
}

function nameIn(line: string): string | null {
  const name = /^\/([a-z]+)(?:\s|$)/.exec(line.trim())?.[1];
  return name !== undefined && (name === "quit" || commandList.some((known) => known.name === name)) ? name : null;
}
