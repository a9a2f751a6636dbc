/** Opens a session: settings, models, host, team and log put together as somebody wishes; knows no command line and no face. */
import { randomUUID } from "node:crypto";
import { nobody } from "../agent/answers/persons.ts";
import { keptReview, type KeptReview } from "../agent/answers/kept-review.ts";
import { startAgent, type SessionParts } from "../agent/loop/agent.ts";
import type { NamedModel } from "../agent/ports/model.ts";
import type { Happening, SessionHandle } from "../agent/ports/handle.ts";
import type { Host } from "../agent/ports/host.ts";
import { createGuardedShell, type GuardedShell } from "../agent/host/shell/guarded-shell.ts";
import { openSealer } from "../agent/store/log-seal.ts";
import type { Person } from "../agent/ports/ports.ts";
import type { Tool } from "../agent/tools/tool.ts";
import type { Agents } from "../agent/tools/agent.ts";
import { createTools } from "../agent/tools/registry.ts";
import { watchWorkTree } from "../agent/watch/work-tree.ts";
import { callShower, type ShowCall } from "../agent/tools/show.ts";
import type { Settings } from "../core/settings/settings.ts";
import { loadPrompts, type Prompts } from "../prompts/index.ts";
import { beginning, isReviewable } from "./beginning.ts";
import { chooseModels, onlyModel } from "./choose-models.ts";
import { createClosers, type Closers } from "./closers.ts";
import { composeAgents } from "./compose-agents.ts";
import { composeTeam } from "./team/compose-team.ts";
import type { RunEnd } from "./team/place.ts";
import { hiddenFrom, hostOf } from "./host.ts";
import { hooksText } from "./settings/hooks-text.ts";
import { openSettings } from "./settings/live-settings.ts";
import { notKept, sessionFiles } from "./session-files.ts";
import { findPlace } from "./place.ts";
import { findPlansDirectory } from "./plans-directory.ts";
import { openState } from "./state-file.ts";
import { composeUndo, finishCutRewind, type LiveUndo, type UndoParts } from "./undo.ts";
import { isUsageError, type UsageError } from "./usage-error.ts";
import { plainWish, type SessionWish } from "./wish.ts";

export interface OpenedSession {
  /** The session that the work goes on in: another one after a plan was approved with fresh context. */
  readonly handle: SessionHandle;
  readonly settings: Settings;
  readonly model: NamedModel;
  readonly modelName: string;
  /** The name of the one that answers side questions. */
  readonly sideModel: string | null;
  readonly directory: string;
  readonly shell: GuardedShell;
  /** How its calls are shown. */
  readonly show: ShowCall;
  /** Stops single agents. */
  readonly agents: Pick<Agents, "cancel" | "running">;
  /** Goes back to points of the session: the person's act, no tool reaches it. */
  readonly undo: LiveUndo;
  /** The hooks in force now, and where from, in words. */
  hooks(): string;
  /** Waits no longer for a team's lead; the session can be resumed. */
  stopWaiting(): void;
  /** Lets go of the lock, the log and the connections; a teammate's team is told how it ended. */
  close(how?: RunEnd): Promise<void>;
}

/** Everything has a default: a new session in the folder of this process, with nobody to ask. */
export interface OpenOptions {
  readonly wish?: Partial<SessionWish>;
  readonly person?: Person;
  /** Instead of those that the settings and the environment name. */
  readonly model?: NamedModel;
  /** Besides the built-in ones; each says what it would touch, and is judged like them. */
  readonly tools?: readonly Tool[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where the program was started. */
  readonly startedIn?: string;
  /** One line for the person, on stderr or in the transcript. */
  readonly tell?: (line: string) => void;
  readonly prompts?: Prompts;
  /** Hears everything from the first event on. */
  readonly listen?: (happening: Happening) => void;
  /** Whether somebody is there to answer plans of teammates, where this session leads a team. */
  readonly mayLead?: boolean;
  /** Asks the person whether a folder that brings settings is trusted; not asked where it is missing. */
  readonly askTrust?: (brings: readonly string[]) => Promise<boolean>;
  /** What a file's text is in the person's editor; null where it is not open there. */
  readonly openText?: Host["openText"];
  /** The lead of the team ended this session. */
  readonly onShutdown?: () => void;
}

/** What opens the parts, in this order; each may fail, and then those before it are closed. */
export const openers = {
  settings: openSettings,
  models: chooseModels,
  files: sessionFiles,
  beginning,
  shell: createGuardedShell,
  team: composeTeam,
  agents: composeAgents,
  session: startAgent,
};

export type Openers = typeof openers;

export async function openSession(
  options: OpenOptions = {},
  parts: Openers = openers,
): Promise<OpenedSession | UsageError> {
  const closers = createClosers();
  const given = withDefaults(options);
  try {
    const opened = await open(given, parts, closers);
    if (isUsageError(opened)) await closers.close();
    return opened;
  } catch (error) {
    await closers
      .close()
      .catch((failure: unknown) => given.tell(`What was open could not be closed: ${String(failure)}`));
    throw error;
  }
}

type Given = ReturnType<typeof withDefaults>;

function withDefaults(options: OpenOptions) {
  return {
    person: nobody(),
    environment: process.env,
    startedIn: process.cwd(),
    ...options,
    tell: options.tell ?? nothing,
    listen: options.listen ?? nothing,
    prompts: options.prompts ?? loadPrompts(),
    wish: { ...plainWish, ...options.wish },
  };
}

function nothing(): void {
  return undefined;
}

async function open(options: Given, parts: Openers, closers: Closers): Promise<OpenedSession | UsageError> {
  const ground = await layGround(options, parts, closers);
  if (isUsageError(ground)) return ground;
  const { live, settings, models, files, shell, team, closeTeam } = ground;
  const kept = keptReview({ ...ground.place, ...options });
  const undo = composeUndo(ground.place, options.tell);
  const { agents, show, session } = await partsOf(options, parts, { ...ground, kept, undo });
  let handle: SessionHandle | undefined;
  const startLinked: NonNullable<SessionParts["startLinked"]> = async ({ start, words }) => {
    const id = randomUUID();
    const log = await files.open(id, 0);
    if (isUsageError(log)) throw new Error(log.problem);
    const linked = await parts.session({ ...session, log, startLinked }, { start: start(id) });
    closers.add(() => linked.close());
    closers.add(closeUndo);
    closers.add(closeTeam);
    handle = linked;
    await linked.send({ type: "user-said", text: words });
    return id;
  };
  const first = await parts.session({ ...session, startLinked }, ground.begun.beginning);
  closers.add(() => first.close());
  const closeUndo = (): Promise<void> => undo.close();
  closers.add(closeUndo);
  if (ground.begun.discard !== undefined) closers.drop(ground.begun.discard);
  const current = (): SessionHandle => handle ?? first;
  /** Whatever works on the session ends before it. */
  closers.add(closeTeam);
  live.follow(current);
  closers.add(ground.closeSettings);
  closers.add(await kept.follow(current));
  closers.add(() => session.host.hooks?.end(current().state));
  team.begin(first);
  return {
    get handle() {
      return current();
    },
    settings,
    model: models.main,
    modelName: models.name,
    sideModel: models.side?.name ?? null,
    directory: ground.place.directory,
    shell,
    show,
    agents,
    undo: undo.live(current),
    hooks: () => hooksText(live.settings.hooks),
    stopWaiting: () => team.interrupt?.(),
    close(how) {
      if (how !== undefined) team.ended?.(how);
      return closers.close();
    },
  };
}

type Ground = Exclude<Awaited<ReturnType<typeof layGround>>, UsageError>;

/** Everything that has to be closed again, but the session itself. */
async function layGround(options: Given, parts: Openers, closers: Closers) {
  const { wish, environment, tell, prompts, askTrust } = options;
  const place = await findPlace(wish, options);
  if (isUsageError(place)) return place;
  const { directory, root, home, folder } = place;
  const asking = askTrust === undefined ? {} : { askTrust };
  const live = await parts.settings({ wish, environment, tell, ...place, ...asking });
  if (isUsageError(live)) return live;
  const closeSettings = (): void => live.close();
  closers.add(closeSettings);
  const { settings, template } = live;
  const plans = await findPlansDirectory(settings, { root, home, tell });
  const hidden = () => hiddenFrom(settings, { root, home, plans });
  const wanted = { settings, environment, tell, directory, hidden };
  const models = options.model === undefined ? await parts.models(wanted) : onlyModel(options.model);
  if (isUsageError(models)) return models;
  closers.add(() => models.close());

  const sealer = await openSealer(home).catch((error: unknown) => notKept(home, error));
  if (isUsageError(sealer)) return sealer;
  const files = parts.files({ home, folder, sealer, tell });
  closers.add(() => files.close());
  await finishCutRewind(place, tell);
  const asked = withScoutMode(wish, settings, models.name);
  const begun = await parts.beginning({ wish: asked, settings, template, ...place, plans, prompts, sealer, tell });
  if (isUsageError(begun)) return begun;
  if (begun.discard !== undefined) closers.add(begun.discard);
  const log = await files.open(begun.id, begun.logSize);
  if (isUsageError(log)) return log;

  const shell = parts.shell({
    projectRoot: root,
    directories: place.added,
    plansDirectory: plans,
    closed: [home],
    settings: { sandbox: wish.sandbox ? settings.sandbox : "off" },
    environment,
  });
  closers.add(() => shell.close());
  const team = await parts.team({ ...options, settings, home, beginning: begun.beginning });
  if (isUsageError(team)) return team;
  const closeTeam = (): Promise<void> => team.close();
  closers.add(closeTeam);
  return { place, live, closeSettings, settings, plans, models, files, begun, log, shell, team, closeTeam };
}

/** What the session is made of, its agents among it. */
async function partsOf(
  options: Given,
  parts: Openers,
  ground: Ground & { readonly kept: KeptReview; readonly undo: UndoParts },
) {
  const { wish, tell } = options;
  const { place, settings, models, plans, files, log, team, kept } = ground;
  const { root, home, folder } = place;
  const state = openState({ configHome: home, now: Date.now, warn: tell });
  const listen = (happening: Happening): void => {
    files.listen(happening);
    kept.listen(happening);
    options.listen(happening);
  };
  const person = wish.approve === null ? kept.before(options.person) : options.person;
  const open = options.openText === undefined ? {} : { openText: options.openText };
  const host = { ...hostOf({ ...options, ...ground, state, person }), ...open, works: ground.undo.recorder };
  const modelMayEnterPlan = isReviewable(wish, settings) ? settings.modelMayEnterPlan : "never";
  const base = createTools({ ...settings, modelMayEnterPlan, more: options.tools ?? [] });
  const isTrusted = async () => wish.trust || (await state.isTrusted(root));
  const agents = await parts.agents({ host, tools: base, models, folder, isTrusted, team: team.host });
  const tools = [...base, agents.tool];
  const session: SessionParts = {
    host,
    log,
    tools,
    model: models.main,
    ...(models.plan === null ? {} : { planModel: models.plan }),
    workTree: watchWorkTree(root, [plans]),
    followWorks: ground.undo.follow,
    listen,
    ...team.parts,
  };
  return { session, agents, show: callShower(tools, root) };
}

/** Scout can only plan: where nobody chose a mode, a session with it starts in plan mode. */
function withScoutMode(wish: SessionWish, { defaultMode }: Settings, model: string): SessionWish {
  const isChosen = !wish.modeByModel || wish.resume !== null || wish.mode !== null || defaultMode !== "default";
  return model !== "scout" || isChosen ? wish : { ...wish, mode: "plan" };
}
