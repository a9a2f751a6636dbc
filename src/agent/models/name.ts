/** Model names as a person writes them: `anthropic/claude-x`, `openai/x`, `google/x`, `scout`; and which one to take. */
import type { ModelError } from "../ports/model.ts";
import { keyOf, providerRow, providers, type Environment, type Provider } from "./providers.ts";

export interface RemoteModelName {
  readonly provider: Provider;
  /** The name behind the prefix; it may itself contain slashes. */
  readonly model: string;
}

export type ModelName = RemoteModelName | { readonly provider: "scout" };

export interface ModelChoice {
  readonly name: ModelName;
  /** `nothing`: no wish and no key, so the built-in scout; the person is told in one line. */
  readonly because: "wish" | "key" | "nothing";
}

export function chooseModel(wish: string | null, environment: Environment): ModelChoice | ModelError {
  if (wish !== null) {
    const name = parseModelName(wish);
    return "code" in name ? name : { name, because: "wish" };
  }
  const row = providers.find((candidate) => keyOf(candidate, environment) !== "");
  if (row === undefined) return { name: { provider: "scout" }, because: "nothing" };
  return { name: { provider: row.name, model: row.main }, because: "key" };
}

export function parseModelName(text: string): ModelName | ModelError {
  if (text === "scout") return { provider: "scout" };
  const slash = text.indexOf("/");
  const provider = providers.find(({ name }) => name === text.slice(0, slash))?.name;
  const model = text.slice(slash + 1);
  if (provider !== undefined && /^[^\s/][^\s]*$/.test(model)) return { provider, model };
  const wanted = `write ${providers.map(({ name }) => `${name}/<name>`).join(", ")} or scout`;
  return { code: "unknown-model", message: `${JSON.stringify(text)} is not a model name: ${wanted}.` };
}

export function formatModelName(name: ModelName): string {
  return name.provider === "scout" ? "scout" : `${name.provider}/${name.model}`;
}

/** Whether its requests go to another server than the provider's own. */
export function hasOwnAddress(provider: Provider, environment: Environment): boolean {
  return (environment[providerRow(provider).addressVariable]?.trim() ?? "") !== "";
}

/** The provider's small model for exploring; undefined where we know none (also for a server that is not the provider's own). */
export function smallModelOf(name: ModelName, environment: Environment): ModelName | undefined {
  if (name.provider === "scout") return undefined;
  if (hasOwnAddress(name.provider, environment)) return undefined;
  return { provider: name.provider, model: providerRow(name.provider).small };
}

/** Those that a person can choose without writing a name: of the providers whose key is there, and scout. */
export function knownModels(present: string, environment: Environment): readonly string[] {
  const names = providers
    .filter((row) => keyOf(row, environment) !== "")
    .flatMap(({ name, main, small }) => [`${name}/${main}`, `${name}/${small}`]);
  return [...new Set([present, ...names, "scout"])];
}
