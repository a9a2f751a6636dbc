/** The composition root of a session: settings, models, host and log put together from the command line. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createClassifier } from "../agent/auto/classifier.ts";
import { startAgent, type AgentParts, type NamedModel } from "../agent/loop/agent.ts";
import type { Happening, SessionHandle } from "../agent/loop/handle.ts";
import { configHome, homeDirectory, projectRoot, sessionsFolder } from "../agent/host/config-home.ts";
import { createFiles } from "../agent/host/files/files.ts";
import { createGuardedShell, type GuardedShell } from "../agent/host/shell/guarded-shell.ts";
import { keyRemover } from "../agent/host/launch/model-keys.ts";
import { createSearch } from "../agent/host/search/search.ts";
import { shellPort } from "../agent/host/shell/shell-port.ts";
import { createWeb } from "../agent/host/web/web.ts";
import { createIndexKeeper } from "../agent/library/index-keeper.ts";
import { keptReview } from "../agent/answers/kept-review.ts";
import { openSealer } from "../agent/store/log-seal.ts";
import type { Files, Person } from "../agent/ports/ports.ts";
import type { Agents } from "../agent/tools/agent.ts";
import { createTodoStore } from "../agent/store/todo-store.ts";
import { createTools, describeTools } from "../agent/tools/registry.ts";
import { agentCounts } from "../core/agents.ts";
import { parseGlob } from "../core/decide/glob.ts";
import { deniedGlobs, type Roots } from "../core/decide/rules.ts";
import { ruleLists, type Settings } from "../core/settings/settings.ts";
import type { Prompts } from "../prompts/index.ts";
import { compareWorkTree, snapshotWorkTree } from "../agent/watch/work-tree.ts";
import { watchWorkTree } from "../agent/watch/work-tree-watch.ts";
import type { SessionArguments } from "./args.ts";
import { beginning, isReviewable } from "./beginning.ts";
import { chooseModels } from "./choose-models.ts";
import { composeAgents } from "./compose-agents.ts";
import { composeTeam } from "./team/compose-team.ts";
import { readGitOrigin } from "./git-origin.ts";
import { openSettings } from "./settings/live-settings.ts";
import { notKept, openSession } from "./open-session.ts";
import { saveLocalRule } from "./settings/rules.ts";
import { findPlansDirectory } from "./plans-directory.ts";
import { openState } from "./trust.ts";
import { isUsageError, type UsageError } from "./usage-error.ts";

export interface Composed {
  /** The session that the work goes on in: another one after a plan was approved with fresh context. */
  readonly handle: SessionHandle;
  readonly settings: Settings;
  readonly model: NamedModel;
  readonly modelName: string;
  /** The name of the one that answers side questions. */
  readonly sideModel: string | null;
  readonly directory: string;
  readonly shell: GuardedShell;
  /** Stops single agents. */
  readonly agents: Pick<Agents, "cancel" | "running">;
  /** Waits no longer for a team's lead; the session can be resumed. */
  stopWaiting(): void;
  /** Lets go of the lock, the log and the connections. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  readonly args: SessionArguments;
  readonly person: Person;
  /** `beside` where that person may answer within the moment that it takes to look for kept answers. */
  readonly kept?: "before" | "beside";
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the program was started. */
  readonly startedIn: string;
  /** One line for the person, on stderr or in the transcript. */
  readonly tell: (line: string) => void;
  readonly prompts: Prompts;
  /** Hears everything from the first event on. */
  readonly listen: (happening: Happening) => void;
  /** Whether somebody is there to answer plans of teammates, where this session leads a team. */
  readonly mayLead?: boolean;
  /** Asks the person whether a folder that brings settings is trusted; not asked where it is missing. */
  readonly askTrust?: (brings: readonly string[]) => Promise<boolean>;
  /** The lead of the team ended this session. */
  readonly onShutdown?: () => void;
}

export async function composeSession(options: ComposeOptions): Promise<Composed | UsageError> {
  const { args, environment, tell, prompts } = options;
  const anyFiles = createFiles();
  const directory = await anyFiles.canonical(args.directory ?? ".", options.startedIn);
  if ((await anyFiles.stat(directory))?.kind !== "directory")
    return { problem: `${directory} is not a folder.`, exitCode: 2 };
  const root = await projectRoot(directory);
  const home = configHome({ environment, directory: homeDirectory() });
  const live = await openSettings({
    args,
    environment,
    directory,
    root,
    home,
    tell,
    ...(options.askTrust === undefined ? {} : { askTrust: options.askTrust }),
  });
  if (isUsageError(live)) return live;
  const { settings, template } = live;
  const state = openState({ configHome: home, now: Date.now, warn: tell });
  const added = await Promise.all(args.addedDirectories.map((path) => anyFiles.canonical(path, options.startedIn)));
  const plans = await findPlansDirectory(settings, { root, home, tell });
  const denied = deniedToRead(settings, { project: root, home: homeDirectory() });
  const files = createFiles({ own: { home, plans } });
  const isHidden = await hiddenBy(denied, files, [root, ...added]);
  const models = await chooseModels({ args, settings, environment, tell, directory, isHidden });
  if (isUsageError(models)) return models;

  const folder = sessionsFolder(home, root);
  const sealer = await openSealer(home).catch((error: unknown) => notKept(home, error));
  if (isUsageError(sealer)) return sealer;
  const origin = () => readGitOrigin(root);
  const begun = await beginning({
    args: planningArguments(args, settings, models.name),
    settings,
    template,
    root,
    folder,
    directory,
    plans,
    files,
    prompts,
    sealer,
    tell,
  });
  if (isUsageError(begun)) return begun;
  const opened = await openSession({ folder, sealer, size: begun.logSize }, begun.id);
  if (isUsageError(opened)) return opened;

  const guarded = createGuardedShell({
    projectRoot: root,
    directories: added,
    plansDirectory: plans,
    closed: [home],
    settings: { sandbox: args.sandbox ? settings.sandbox : "off" },
    environment,
  });
  const keeper = createIndexKeeper({ configHome: home, report: tell });
  const kept = keptReview({ home, prompts, tell });
  const counts = agentCounts({ tier: settings.tier, environment });
  for (const { variable, value } of counts.warnings) tell(`${variable}=${value} is ignored: it takes 1 to 10.`);
  const host = {
    files,
    search: createSearch(),
    shell: shellPort(guarded, {
      get mayReach() {
        return live.settings.planNetwork !== "off";
      },
    }),
    web: createWeb(),
    clock: { now: Date.now, random: Math.random },
    person: args.approve === null ? kept[options.kept ?? "before"](options.person) : options.person,
    log: opened.log,
    prompts,
    model: models.main,
    ...(models.plan === null ? {} : { planModel: models.plan }),
    style: {
      workflow: settings.planWorkflow,
      planLength: settings.planLength,
      exploreAgents: counts.explore,
      planAgents: counts.plan,
    },
    planNames: settings.planNames,
    plansDirectory: plans,
    directory,
    roots: [root, ...added],
    origin,
    report: tell,
    withoutKeys: keyRemover(environment),
    listen: (happening) => {
      keeper.listen(happening);
      kept.listen(happening);
      options.listen(happening);
    },
    classify: createClassifier({
      prompts,
      roots: [root, ...added],
      ...(models.side === null ? {} : { sideModel: models.side }),
    }),
    todos: createTodoStore({ folder: join(home, "todos"), report: tell }),
    saveRule: async (rule) => {
      await state.grant(root, rule).catch((error: unknown) => tell(`The rule ${rule} was not kept: ${String(error)}`));
      const saved = await saveLocalRule({ configHome: home, projectRoot: root, rule });
      if (saved.kind === "failed") tell(`The rule ${rule} was not kept in ${saved.file}: ${saved.message}`);
    },
    refresh: () => live.refresh(),
    workTree: watchWorkTree({
      take: () => snapshotWorkTree(root),
      compare: async (before) =>
        before === null ? [] : (await compareWorkTree(before, root, { exclude: [plans] })).changed,
    }),
  } satisfies Partial<AgentParts>;
  const base = createTools(isReviewable(args, settings) ? settings : { ...settings, modelMayEnterPlan: "never" });
  const isTrusted = async () => args.trust || (await state.isTrusted(root));
  const team = await composeTeam({ ...options, settings, home, beginning: begun.beginning });
  if (isUsageError(team)) {
    await opened.log.close();
    await opened.lock.release();
    return team;
  }
  const agents = await composeAgents({ parts: host, tools: base, models, root, folder, isTrusted, team: team.host });
  const tools = [...base, agents.tool];
  const parts: AgentParts = { ...host, ...team.parts, tools, descriptions: describeTools(tools, prompts) };
  const sessions = [opened];
  let handle: SessionHandle | undefined;
  const startLinked: NonNullable<AgentParts["startLinked"]> = async ({ start, words }) => {
    const id = randomUUID();
    const own = await openSession({ folder, sealer, size: 0 }, id);
    if (isUsageError(own)) throw new Error(own.problem);
    sessions.push(own);
    const linked = await startAgent({ ...parts, log: own.log, startLinked }, { start: start(id) });
    handle = linked;
    await linked.send({ type: "user-said", text: words });
    return id;
  };
  const first = await startAgent({ ...parts, startLinked }, begun.beginning);
  live.follow(() => handle ?? first);
  const endWords = await kept.follow(() => handle ?? first);
  team.begin(first);
  return {
    get handle() {
      return handle ?? first;
    },
    settings,
    model: models.main,
    modelName: models.name,
    sideModel: models.side?.name ?? null,
    directory,
    shell: guarded,
    agents,
    stopWaiting: () => team.interrupt(),
    async close() {
      live.close();
      endWords();
      await team.close();
      first.close();
      handle?.close();
      guarded.close();
      models.close();
      for (const { log } of sessions) await log.close();
      await keeper.close(sessions);
      for (const { lock } of sessions) await lock.release();
    },
  };
}

/** Scout can only plan: where nobody chose a mode, a session with it starts in plan mode. */
function planningArguments(args: SessionArguments, { defaultMode }: Settings, model: string): SessionArguments {
  const isChosen = args.print || args.resume !== null || args.mode !== null || defaultMode !== "default";
  return model !== "scout" || isChosen ? args : { ...args, mode: "plan" };
}

function deniedToRead(settings: Settings, roots: Roots): readonly string[] {
  return deniedGlobs({ ...ruleLists(settings), stripped: false, runners: [] }, "Read", roots);
}

async function hiddenBy(
  denied: readonly string[],
  files: Files,
  roots: readonly string[],
): Promise<(path: string) => boolean> {
  const globs = denied.map((glob) => parseGlob(glob));
  const isHidden = await files.refused?.(denied, roots).isHidden();
  return (path) => globs.some((glob) => glob.test(path)) || isHidden?.(path) === true;
}
