/** Which models a session talks to, connected lazily by provider; a model that cannot be had is said aloud (B7.4). */
import type { NamedModel } from "../agent/agent.ts";
import {
  chooseModel,
  connectModel,
  formatModelName,
  isModelError,
  parseModelName,
  smallModelOf,
  type ModelName,
} from "../agent/models/index.ts";
import type { ModelError } from "../agent/model.ts";
import type { Settings } from "../core/settings.ts";
import type { SessionArguments } from "./args.ts";
import type { UsageError } from "./usage-error.ts";

export interface ChosenModels {
  readonly main: NamedModel;
  readonly plan: NamedModel | null;
  /** For auto mode's side questions; only where auto mode is on. */
  readonly side: NamedModel | null;
  /** As a person writes it. */
  readonly name: string;
  close(): void;
}

export interface ModelsRequest {
  readonly args: SessionArguments;
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tell: (line: string) => void;
}

export async function chooseModels({ settings, environment, tell }: ModelsRequest): Promise<ChosenModels | UsageError> {
  const choice = chooseModel({ settings: settings.model === null ? {} : { model: settings.model }, environment });
  if ("code" in choice) return refused(choice);
  if (choice.because === "nothing")
    tell("No model key found: using scout, the built-in offline planner (see groundplan doctor).");
  const main = await open(choice.name, settings.effort, environment);
  if ("code" in main) return refused(main);
  const wanted = settings.planModel === null ? null : parseModelName(settings.planModel);
  if (wanted !== null && "code" in wanted) return refused(wanted);
  const planEffort = settings.planEffort ?? settings.effort;
  const isSame = wanted === null && planEffort === settings.effort;
  const plan = isSame ? null : await open(wanted ?? choice.name, planEffort, environment);
  if (plan !== null && "code" in plan) return refused(plan);
  const side = await openSide(choice.name, { settings, environment });
  if (side !== null && "code" in side) tell(`Auto mode has no model to ask, and asks you instead: ${side.message}`);
  const sideOpened = side === null || "code" in side ? null : side;
  return {
    main: main.named,
    plan: plan?.named ?? null,
    side: sideOpened?.named ?? null,
    name: formatModelName(choice.name),
    close: () => [main, plan, sideOpened].forEach((opened) => opened?.close()),
  };
}

/** The model for exploring: the one named, else the provider's small one, else the session's. */
async function openSide(
  main: ModelName,
  { settings, environment }: Pick<ModelsRequest, "settings" | "environment">,
): Promise<Opened | ModelError | null> {
  if (!settings.autoMode.enabled) return null;
  const named =
    settings.exploreModel === null ? smallModelOf(main, environment) : parseModelName(settings.exploreModel);
  if (named !== undefined && "code" in named) return named;
  const name = named ?? main;
  return name.provider === "scout" ? null : open(name, "low", environment);
}

interface Opened {
  readonly named: NamedModel;
  close(): void;
}

async function open(
  name: ModelName,
  effort: Settings["effort"],
  environment: ModelsRequest["environment"],
): Promise<Opened | ModelError> {
  if (name.provider === "scout") {
    const message = "There is no model: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or pass --model.";
    return { code: "no-key", message };
  }
  const model = await connectModel(name, { environment });
  if (isModelError(model)) return model;
  return { named: { model, name: name.model, ...(effort === null ? {} : { effort }) }, close: () => model.close() };
}

function refused({ message }: ModelError): UsageError {
  return { problem: message, exitCode: 2 };
}
