/** Model names as a person writes them: `anthropic/claude-x`, `openai/x`, `google/x`, `scout`; and which one to take. */
import type { ModelError } from "../ports/model.ts";
import { defaultModels } from "./catalog.ts";

export type Provider = "anthropic" | "openai" | "google";

export interface RemoteModelName {
  readonly provider: Provider;
  /** The name behind the prefix; it may itself contain slashes. */
  readonly model: string;
}

export type ModelName = RemoteModelName | { readonly provider: "scout" };

export type Environment = Readonly<Record<string, string | undefined>>;

/** In the order in which a key in the environment decides. */
export const providers: readonly Provider[] = ["anthropic", "openai", "google"];

export const keyVariables: Readonly<Record<Provider, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GEMINI_API_KEY",
};

export const addressVariables: Readonly<Record<Provider, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  google: "GOOGLE_GEMINI_BASE_URL",
};

export interface ModelWish {
  /** From the command line. */
  readonly requested?: string | undefined;
  readonly settings?: { readonly model?: string | undefined } | undefined;
  readonly environment: Environment;
}

export interface ModelChoice {
  readonly name: ModelName;
  /** `nothing`: no wish and no key, so the built-in scout; the person is told in one line. */
  readonly because: "requested" | "settings" | "key" | "nothing";
}

export function chooseModel({ requested, settings, environment }: ModelWish): ModelChoice | ModelError {
  const wish = requested ?? settings?.model;
  if (wish !== undefined) {
    const name = parseModelName(wish);
    return "code" in name ? name : { name, because: requested === undefined ? "settings" : "requested" };
  }
  const provider = providers.find((candidate) => hasKey(candidate, environment));
  if (provider === undefined) return { name: { provider: "scout" }, because: "nothing" };
  return { name: { provider, model: defaultModels[provider].main }, because: "key" };
}

export function parseModelName(text: string): ModelName | ModelError {
  if (text === "scout") return { provider: "scout" };
  const slash = text.indexOf("/");
  const provider = providers.find((known) => known === text.slice(0, slash));
  const model = text.slice(slash + 1);
  if (provider !== undefined && /^[^\s/][^\s]*$/.test(model)) return { provider, model };
  const wanted = "write anthropic/<name>, openai/<name>, google/<name> or scout";
  return { code: "unknown-model", message: `${JSON.stringify(text)} is not a model name: ${wanted}.` };
}

export function formatModelName(name: ModelName): string {
  return name.provider === "scout" ? "scout" : `${name.provider}/${name.model}`;
}

/** Whether its requests go to another server than the provider's own. */
export function hasOwnAddress(provider: Provider, environment: Environment): boolean {
  return Boolean(environment[addressVariables[provider]]);
}

/** The provider's small model for exploring; undefined where we know none (also for a server that is not the provider's own). */
export function smallModelOf(name: ModelName, environment: Environment): ModelName | undefined {
  if (name.provider === "scout") return undefined;
  if (hasOwnAddress(name.provider, environment)) return undefined;
  return { provider: name.provider, model: defaultModels[name.provider].small };
}

function hasKey(provider: Provider, environment: Environment): boolean {
  return (environment[keyVariables[provider]] ?? "").trim() !== "";
}
