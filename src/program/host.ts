/** The host of a session on this machine: its files, its shell, its network, its clock, and what is kept beside the log. */
import { join } from "node:path";
import { homeDirectory } from "../agent/host/config-home.ts";
import { createFiles } from "../agent/host/files/files.ts";
import { refusedFiles } from "../agent/host/files/refused-files.ts";
import { keyRemover } from "../agent/host/launch/model-keys.ts";
import { createHooks } from "../agent/hooks/hooks.ts";
import { createSearch } from "../agent/host/search/search.ts";
import type { GuardedShell } from "../agent/host/shell/guarded-shell.ts";
import { shellPort } from "../agent/host/shell/shell-port.ts";
import { createWeb } from "../agent/host/web/web.ts";
import type { Host } from "../agent/ports/host.ts";
import type { Person } from "../agent/ports/ports.ts";
import { createTodoStore } from "../agent/store/todo-store.ts";
import { agentCounts } from "../core/agents.ts";
import { parseGlob } from "../core/decide/glob.ts";
import { hiddenGlobs } from "../agent/tools/rule-names.ts";
import { ruleLists, type Settings } from "../core/settings/settings.ts";
import type { Prompts } from "../prompts/index.ts";
import type { PlanStyle } from "../prompts/render/reminder.ts";
import type { ChosenModels } from "./choose-models.ts";
import { readGitOrigin } from "./git-origin.ts";
import type { Workplace } from "./place.ts";
import type { LiveSettings } from "./settings/live-settings.ts";
import { saveLocalRule } from "./settings/rules.ts";
import type { StateFile } from "./state-file.ts";

export interface HostRequest {
  readonly place: Workplace;
  /** Where its plans lie. */
  readonly plans: string;
  readonly live: LiveSettings;
  readonly models: ChosenModels;
  readonly shell: GuardedShell;
  readonly state: StateFile;
  readonly person: Person;
  readonly prompts: Prompts;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tell: (line: string) => void;
}

export function hostOf(request: HostRequest): Host {
  const { place, plans, live, models, shell, state, person, prompts, environment, tell } = request;
  const { directory, root, added, home } = place;
  const roots = [root, ...added] as const;
  return {
    files: createFiles({ own: { home, plans } }),
    search: createSearch(),
    shell: shellPort(shell, {
      get mayReach() {
        return live.settings.planNetwork !== "off";
      },
    }),
    web: createWeb(),
    clock: { now: Date.now, random: Math.random },
    person,
    prompts,
    style: styleOf(request),
    planNames: live.settings.planNames,
    plansDirectory: plans,
    directory,
    roots,
    origin: () => readGitOrigin(root),
    report: tell,
    withoutKeys: keyRemover(environment),
    isKeptPlan: async (file, session) => {
      const { isKeptPlan } = await import("../agent/library/kept-plan.ts");
      return isKeptPlan(file, session, { configHome: home, project: root, tell });
    },
    classify: async (...asked) => {
      const { createClassifier } = await import("../agent/auto/classifier.ts");
      return createClassifier({ prompts, roots, ...(models.side === null ? {} : { sideModel: models.side }) })(
        ...asked,
      );
    },
    todos: createTodoStore({ folder: join(home, "todos"), report: tell }),
    saveRule: async (rule) => {
      await state.grant(root, rule).catch((error: unknown) => tell(`The rule ${rule} was not kept: ${String(error)}`));
      const saved = await saveLocalRule({ configHome: home, projectRoot: root, rule });
      if (saved.kind === "failed") tell(`The rule ${rule} was not kept in ${saved.file}: ${saved.message}`);
      if (saved.kind !== "added") return;
      const { excludeFromGit } = await import("./settings/exclude.ts");
      const list = await excludeFromGit(saved.file, root);
      if (list !== null) tell(`Your rules are in ${saved.file}, which git leaves out from now on (${list}).`);
    },
    refresh: () => live.refresh(),
    hooks: createHooks({
      inForce: () => live.settings.hooks,
      report: tell,
      environment,
      directory,
      root,
      logOf: (session) => join(place.folder, `${session}.jsonl`),
    }),
  };
}

function styleOf({ live, environment, tell }: HostRequest): PlanStyle {
  const { planWorkflow: workflow, planLength, tier } = live.settings;
  const counts = agentCounts({ tier, environment });
  for (const { variable, value } of counts.warnings) tell(`${variable}=${value} is ignored: it takes 1 to 10.`);
  return { workflow, planLength, exploreAgents: counts.explore, planAgents: counts.plan };
}

/** What deny rules refuse to read, as absolute globs. */
export function deniedToRead(settings: Settings, root: string): readonly string[] {
  const book = { ...ruleLists(settings), stripped: false, runners: [] };
  return hiddenGlobs(book, { project: root, home: homeDirectory() });
}

/** What no search shows: by the rules, and our own home. */
export async function hiddenFrom(
  settings: Settings,
  { root, home, plans }: { readonly root: string; readonly home: string; readonly plans: string },
): Promise<(path: string) => boolean> {
  const denied = deniedToRead(settings, root);
  const globs = denied.map((glob) => parseGlob(glob));
  const isHidden = await refusedFiles({ globs: denied, roots: [root], own: { home, plans } }).isHidden();
  return (path) => globs.some((glob) => glob.test(path)) || isHidden(path);
}
