/** Which models a session talks to, connected lazily by provider; a model that cannot be had is said aloud (B7.4). */
import type { NamedModel } from "../agent/agent.ts";
import {
  chooseModel,
  connectModel,
  formatModelName,
  isModelError,
  parseModelName,
  type ModelName,
} from "../agent/models/index.ts";
import type { ModelError } from "../agent/model.ts";
import type { Settings } from "../core/settings.ts";
import { createScoutModel } from "../scout/model.ts";
import type { SessionArguments } from "./args.ts";
import type { UsageError } from "./usage-error.ts";

export interface ChosenModels {
  readonly main: NamedModel;
  readonly plan: NamedModel | null;
  /** As a person writes it. */
  readonly name: string;
  close(): void;
}

export interface ModelsRequest {
  readonly args: SessionArguments;
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tell: (line: string) => void;
  /** Where scout looks and the tools work. */
  readonly directory: string;
}

export async function chooseModels({
  settings,
  environment,
  tell,
  directory,
}: ModelsRequest): Promise<ChosenModels | UsageError> {
  const choice = chooseModel({ settings: settings.model === null ? {} : { model: settings.model }, environment });
  if ("code" in choice) return refused(choice);
  if (choice.because === "nothing")
    tell("No model key found: using scout, the built-in offline planner (see groundplan doctor).");
  const place = { environment, directory, tell };
  const main = await open(choice.name, settings.effort, place);
  if ("code" in main) return refused(main);
  const wanted = settings.planModel === null ? null : parseModelName(settings.planModel);
  if (wanted !== null && "code" in wanted) return refused(wanted);
  const planEffort = settings.planEffort ?? settings.effort;
  const isSame = wanted === null && planEffort === settings.effort;
  const plan = isSame ? null : await open(wanted ?? choice.name, planEffort, place);
  if (plan !== null && "code" in plan) return refused(plan);
  return {
    main: main.named,
    plan: plan?.named ?? null,
    name: formatModelName(choice.name),
    close: () => [main, plan].forEach((opened) => opened?.close()),
  };
}

interface Opened {
  readonly named: NamedModel;
  close(): void;
}

async function open(
  name: ModelName,
  effort: Settings["effort"],
  { environment, directory, tell }: Pick<ModelsRequest, "environment" | "directory" | "tell">,
): Promise<Opened | ModelError> {
  if (name.provider === "scout") {
    const model = createScoutModel({
      directory,
      rank: async (task) => (await import("../scout/rank.ts")).rank(task, { cwd: directory, onProgress: tell }),
    });
    return { named: { model, name: "scout" }, close: () => undefined };
  }
  const model = await connectModel(name, { environment });
  if (isModelError(model)) return model;
  return { named: { model, name: name.model, ...(effort === null ? {} : { effort }) }, close: () => model.close() };
}

function refused({ message }: ModelError): UsageError {
  return { problem: message, exitCode: 2 };
}
