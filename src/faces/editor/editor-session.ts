/** One session in an editor: prompts in, updates out; whatever is decided is decided by the session. */
import { RequestError, type AgentContext, type ClientCapabilities, type StopReason } from "@agentclientprotocol/sdk";
import { isCommand } from "../../agent/loop/line-command.ts";
import { settled, type Happening } from "../../agent/ports/handle.ts";
import { firstWords } from "../../agent/store/session-list.ts";
import { items } from "../../core/chain.ts";
import type { Mode } from "../../core/mode.ts";
import { isBusy } from "../../core/session.ts";
import { openChannel, openTextIn, type Channel } from "./channel.ts";
import { commandRefused, runLine } from "./commands.ts";
import type { EditorLink, EditorProgram, EditorWish } from "./link.ts";
import { availableCommands, configOptions, effortNamed, modeState, optionIds } from "./options.ts";
import { editorPerson } from "./person.ts";
import { chunk, replayUpdates, type ReplayLook } from "./replay.ts";
import { createTurns, type Turns } from "./turns.ts";
import { createTeller, usageUpdate } from "./updates.ts";

export interface EditorSessionOptions {
  readonly program: EditorProgram;
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  /** Who answers: the editor, by its own name. */
  readonly surface: string;
  readonly wish: Pick<EditorWish, "directory" | "addedDirectories" | "resume">;
}

/** What the parts of a session share. */
interface Live {
  readonly program: EditorProgram;
  readonly channel: Channel;
  readonly turns: Turns;
  /** What the editor has sent and shows itself. */
  readonly ownWords: string[];
  /** Another one when the model is another. */
  link: EditorLink | null;
}

type Reopening = Pick<EditorWish, "resume" | "model" | "effort">;

export type EditorSession = Exclude<Awaited<ReturnType<typeof openEditorSession>>, { readonly problem: string }>;

export async function openEditorSession(options: EditorSessionOptions) {
  const { program, client, wish } = options;
  const live: Live = { program, channel: openChannel(client), turns: createTurns(), ownWords: [], link: null };
  const { channel, turns } = live;
  const surface = surfaceOf(live, options);
  const { tell } = surface;
  const openText: NonNullable<EditorWish["openText"]> = (path, signal) => openTextIn(channel, path, signal);
  const reading = options.capabilities.fs?.readTextFile === true ? { openText } : {};
  const open = (more: Reopening) => program.open({ ...wish, ...more, ...surface, ...reading });
  const opened = await open({ resume: wish.resume, model: null, effort: null });
  if ("problem" in opened) return opened;
  live.link = opened;
  const { id } = opened.handle.state;
  return {
    id,
    tell,
    facts: () => ({ modes: modeState(current(live).handle.state), configOptions: configOptions(current(live)) }),
    /** What was said before, sent now. */
    replay(): void {
      channel.open(id);
      for (const update of replayUpdates(current(live).handle.state, lookOf(live))) channel.send(update);
    },
    /** The editor has the session's id. */
    begin(): void {
      channel.open(id);
      channel.send({ sessionUpdate: "available_commands_update", availableCommands: availableCommands() });
      channel.release();
    },
    prompt: (text: string, signal: AbortSignal) => prompt(text, signal, live),
    cancel: () => stop(live),
    async setMode(mode: Mode): Promise<void> {
      const refused = await current(live).handle.send({ type: "mode-chosen", mode });
      if (refused !== null) throw RequestError.invalidParams(undefined, `${mode} is not available: ${refused.reason}`);
    },
    /** False: there is no such option, or no such value. */
    async setOption(name: string, value: string): Promise<boolean> {
      const { effort, modelName, models } = current(live);
      const isModel = name === optionIds.model && models.includes(value);
      const wanted = name === optionIds.effort ? effortNamed(value) : undefined;
      if (isModel) await reopen(live, { model: value, effort }, open);
      else if (wanted !== undefined) await reopen(live, { model: modelName, effort: wanted }, open);
      return isModel || wanted !== undefined;
    },
    async close(): Promise<void> {
      turns.cancel();
      turns.hold();
      await current(live).close();
    },
  };
}

/** What the session is opened with. */
function surfaceOf(live: Live, { program, client, capabilities, surface }: EditorSessionOptions) {
  const { channel, turns, ownWords } = live;
  const look = (): ReplayLook => lookOf(live);
  const teller = createTeller({
    look,
    capabilities,
    isOwn: (words) => ownWords.includes(words) && ownWords.splice(ownWords.indexOf(words), 1).length > 0,
    usage: (used, { usage }) => {
      const { model, costOf } = current(live);
      return usageUpdate(used, program.contextWindow(model.name), costOf(usage.total));
    },
    options: () => ({ sessionUpdate: "config_option_update", configOptions: configOptions(current(live)) }),
  });
  const person = editorPerson({
    client,
    capabilities,
    sessionId: channel.id,
    ready: channel.ready,
    by: { user: program.user, surface },
    look,
    session: () => current(live).handle.state,
    reviewLink: () => current(live).reviewLink(),
    hold(words) {
      channel.send(chunk("agent_message_chunk", `\n\n${words}\n`));
      turns.hold();
    },
  });
  return {
    person,
    tell: (line: string): void => channel.send(teller.notice(line)),
    listen(happening: Happening): void {
      turns.hear(happening);
      if (live.link === null) return;
      const effects = happening.kind === "event" ? happening.effects : [];
      for (const effect of effects)
        if (effect.type === "reoffer-review") person.renew(effect.requestId, effect.choices);
      for (const update of teller.hear(happening)) channel.send(update);
    },
  };
}

function current({ link }: Live): EditorLink {
  if (link === null) throw RequestError.internalError(undefined, "the session is not open");
  return link;
}

function lookOf(live: Live): ReplayLook {
  const { show, handle } = current(live);
  return { show, root: handle.state.roots.project, words: live.program.words };
}

async function prompt(text: string, signal: AbortSignal, live: Live): Promise<StopReason> {
  const { channel, turns, ownWords, program } = live;
  const tell = (words: string): void => channel.send(chunk("agent_message_chunk", words));
  const refused = isCommand(text) ? commandRefused(text) : null;
  if (refused !== null) {
    tell(refused);
    return "end_turn";
  }
  entitle(text, live);
  const turn = turns.begin();
  const cancel = (): void => {
    if (isCancelled(signal)) void stop(live);
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    ownWords.push(text);
    const isWork = await runLine(text, { link: current(live), program, tell });
    if (isWork) await Promise.race([turn.held, settled(current(live))]);
  } finally {
    signal.removeEventListener("abort", cancel);
    ownWords.length = 0;
  }
  return turn.end();
}

/** An editor that is gone has cancelled nothing: a plan that waits goes on waiting. */
function isCancelled({ reason }: AbortSignal): boolean {
  return reason instanceof RequestError && reason.code === requestCancelled;
}

const requestCancelled = -32800;

/** Only prompts that are under way by now end as cancelled. */
async function stop(live: Live): Promise<void> {
  live.turns.cancel();
  current(live).stopWaiting();
  await current(live).handle.send({ type: "turn-cancelled" });
}

/** The first words name the session, here as in every list of sessions. */
function entitle(text: string, live: Live): void {
  const hasWords = items(current(live).handle.state.transcript).some(({ kind }) => kind === "user");
  if (hasWords || isCommand(text)) return;
  const updatedAt = new Date().toISOString();
  live.channel.send({ sessionUpdate: "session_info_update", title: firstWords(text), updatedAt });
}

/** With another model or effort the session goes on from its log; what cannot be had leaves it as it was. */
async function reopen(
  live: Live,
  wanted: Pick<Reopening, "model" | "effort">,
  open: (more: Reopening) => ReturnType<EditorProgram["open"]>,
): Promise<void> {
  const { handle, modelName, effort } = current(live);
  if (isBusy(handle.state.turn)) throw RequestError.invalidRequest(undefined, "the model is at work: stop it first");
  const resume = handle.state.id;
  await current(live).close();
  const next = await open({ resume, ...wanted });
  if (!("problem" in next)) return void (live.link = next);
  const former = await open({ resume, model: modelName, effort });
  if (!("problem" in former)) live.link = former;
  throw RequestError.invalidParams(undefined, next.problem);
}
