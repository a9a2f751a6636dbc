/** Slash commands where there is no terminal: carried out, or refused by name; never words to the model (section 4). */
import { costText } from "../../agent/loop/cost-text.ts";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import { costUsd } from "../../agent/models/index.ts";
import { commandList, runCommand, unknownCommand, type CommandOutcome } from "../../core/commands.ts";
import { modes } from "../../core/mode.ts";
import type { UsageTotal } from "../../core/usage.ts";
import type { Say } from "./command-line-person.ts";
import type { HeadlessLink } from "./link.ts";

/** Whether a line is a command, ours or one that nobody knows. */
export function isCommand(line: string): boolean {
  return nameIn(line) !== null || unknownCommand(line) !== null;
}

/** Why a line that is a command cannot be carried out here; null where it can, and for words to the model. */
export function commandProblem(line: string): string | null {
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

/** Null for words to the model. The line has been through `commandProblem`. */
export async function carryOut(line: string, composed: HeadlessLink, say: Say): Promise<CarriedCommand | null> {
  const { handle } = composed;
  const outcome = runCommand(line, handle.state, null);
  if (outcome === null) return null;
  const said = (): string => saidOf(outcome, composed);
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

function saidOf(outcome: CommandOutcome, composed: HeadlessLink): string {
  const { handle, modelName: model, model: priced } = composed;
  const { say, show, wish, events } = outcome;
  const session = handle.state;
  const costOf = (usage: UsageTotal): number | null => costUsd(priced.name, usage);
  if (show !== undefined) return `${show.content.trimEnd()}\n\nPlan: ${show.path}`;
  if (wish?.kind === "cost") return costText({ session, model, costOf });
  if (wish?.kind === "hooks") return composed.hooks();
  if (wish?.kind === "help") return helpText();
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

function helpText(): string {
  const here = commandList.filter(({ name }) => elsewhere[name] === undefined);
  const width = Math.max(...here.map(({ name, hint }) => `/${name} ${hint}`.length));
  return here.map(({ name, hint, summary }) => `${`/${name} ${hint}`.padEnd(width)}  ${summary}`).join("\n");
}

function nameIn(line: string): string | null {
  const name = /^\/([a-z]+)(?:\s|$)/.exec(line.trim())?.[1];
  return name !== undefined && (name === "quit" || commandList.some((known) => known.name === name)) ? name : null;
}

/** What only a terminal can do, and what does it here. */
const elsewhere: Readonly<Record<string, string>> = {
  resume: "/resume needs a terminal; here: --resume <id>.",
  model: "/model needs a terminal; here: --model <provider/name>.",
  review: "/review needs a terminal; here: groundplan review.",
  verify: "/verify needs a terminal; here: groundplan verify --fix.",
  exit: "/exit needs a terminal; here the run ends by itself.",
  quit: "/quit needs a terminal; here the run ends by itself.",
};
