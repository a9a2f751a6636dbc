/** Which models a session talks to, connected lazily by provider; a model that cannot be had is said aloud (B7.4). */
import {
  chooseModel,
  connectModel,
  formatModelName,
  hasOwnAddress,
  isModelError,
  parseModelName,
  smallModelOf,
  type ModelName,
} from "../agent/models/index.ts";
import type { ModelError, NamedModel } from "../agent/ports/model.ts";
import type { Settings } from "../core/settings/settings.ts";
import { createClosers } from "./closers.ts";
import type { UsageError } from "./usage-error.ts";

export interface ChosenModels {
  readonly main: NamedModel;
  readonly plan: NamedModel | null;
  /** For exploring: the setting's, else the provider's small one, else the session's. */
  readonly explore: NamedModel;
  /** Which model explores, where that is not plain; to be said when it does (R10.1). */
  readonly exploreNews: string | null;
  /** Any other by its name, opened when first asked for. */
  readonly named: (name: string) => Promise<NamedModel | { readonly problem: string }>;
  /** For auto mode's side questions. */
  readonly side: NamedModel | null;
  /** As a person writes it. */
  readonly name: string;
  close(): Promise<void>;
}

export interface ModelsRequest {
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tell: (line: string) => void;
  /** Where scout looks and the tools work. */
  readonly directory: string;
  /** What a search of the project does not show; found out when it is wanted. */
  readonly hidden: () => Promise<(path: string) => boolean>;
}

export async function chooseModels(request: ModelsRequest): Promise<ChosenModels | UsageError> {
  const closers = createClosers();
  const chosen = await choose({ ...request, toClose: (close) => closers.add(close) });
  if ("name" in chosen) return { ...chosen, close: () => closers.close() };
  await closers.close();
  return { problem: chosen.message, exitCode: 2 };
}

/** One model for everything: whoever opens the session has brought it. */
export function onlyModel(model: NamedModel): ChosenModels {
  const problem = `This session was opened with a model of its own, ${model.name}, and no other.`;
  return {
    main: model,
    plan: null,
    explore: model,
    exploreNews: null,
    named: async (name) => (name === model.name ? model : { problem }),
    side: sideOf(model),
    name: model.name,
    close: async () => undefined,
  };
}

async function choose(place: Place) {
  const { settings, environment, tell } = place;
  const choice = chooseModel(settings.model, environment);
  if ("code" in choice) return choice;
  if (choice.because === "nothing")
    tell("No model key found: using scout, the built-in offline planner (see groundplan doctor).");
  const main = await open(choice.name, settings.effort, place);
  if ("code" in main) return main;
  const wanted = settings.planModel === null ? null : parseModelName(settings.planModel);
  if (wanted !== null && "code" in wanted) return wanted;
  const planEffort = settings.planEffort ?? settings.effort;
  const isSame = wanted === null && planEffort === settings.effort;
  const plan = isSame ? null : await open(wanted ?? choice.name, planEffort, place);
  if (plan !== null && "code" in plan) return plan;
  const explore = await openExplore(choice.name, main, place);
  if ("code" in explore) return explore;
  const others = new Map<string, Promise<NamedModel | ModelError>>();
  return {
    main,
    plan,
    explore,
    exploreNews: exploreNews(choice.name, explore.name, place),
    side: sideOf(explore),
    name: formatModelName(choice.name),
    async named(name: string) {
      const wanted = parseModelName(name);
      if ("code" in wanted) return { problem: wanted.message };
      const known = others.get(name) ?? open(wanted, null, place);
      others.set(name, known);
      const opened = await known;
      return "code" in opened ? { problem: opened.message } : opened;
    },
  };
}

/** Behind a base URL nobody knows a small model: which one explores is said. */
function exploreNews(choice: ModelName, explore: string, { settings, environment }: Place): string | null {
  const { exploreModel } = settings;
  if (choice.provider === "scout" || !hasOwnAddress(choice.provider, environment)) return null;
  if (exploreModel !== null) return `Explore agents use ${exploreModel} (exploreModel).`;
  return `Explore agents use ${explore}, the session's model: a base URL is set, and exploreModel names no other one.`;
}

interface Place extends ModelsRequest {
  readonly toClose: (close: () => void) => void;
}

/** Auto mode, which may be switched on later, asks the model for exploring, with little effort; scout cannot judge. */
function sideOf(explore: NamedModel): NamedModel | null {
  return explore.name === "scout" ? null : { ...explore, effort: "low" };
}

/** One connection serves every model of a provider. */
async function openExplore(choice: ModelName, main: NamedModel, place: Place): Promise<NamedModel | ModelError> {
  const { exploreModel } = place.settings;
  const wanted = exploreModel === null ? smallModelOf(choice, place.environment) : parseModelName(exploreModel);
  if (wanted === undefined) return main;
  if ("code" in wanted) return wanted;
  if (wanted.provider === "scout" || wanted.provider !== choice.provider) return open(wanted, null, place);
  return { model: main.model, name: wanted.model };
}

async function open(
  name: ModelName,
  effort: Settings["effort"],
  { environment, directory, tell, hidden, toClose }: Place,
): Promise<NamedModel | ModelError> {
  if (name.provider === "scout") {
    const { createScoutModel } = await import("../scout/model.ts");
    const model = createScoutModel({
      directory,
      rank: async (task) =>
        (await import("../scout/rank/rank.ts")).rank(task, {
          cwd: directory,
          onProgress: tell,
          isHidden: await hidden(),
        }),
    });
    return { model, name: "scout" };
  }
  const model = await connectModel(name, { environment });
  if (isModelError(model)) return model;
  toClose(() => model.close());
  return { model, name: name.model, ...(effort === null ? {} : { effort }) };
}
