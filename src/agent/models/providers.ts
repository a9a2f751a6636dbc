/** The providers of models, one row each: everything that differs between them, and all there is to add for another one. */
import type { Usage } from "../ports/model.ts";
import type { Wire } from "./prompt.ts";

export interface ProviderRow {
  /** As a person writes it before the slash. */
  readonly name: string;
  readonly keyVariable: string;
  /** Leads to another server than the provider's own. */
  readonly addressVariable: string;
  /** The format that its own server speaks; how effort is said belongs to the format. */
  readonly wire: Wire;
  /** Its own server, where the format's library knows none. */
  readonly address?: string;
  /** Added to an address that names no version. */
  readonly version: string;
  /**
   * Other servers speak chat completions, as compatible ones mostly know no other and need no key, unless the address ends
   * in `/responses`.
   */
  readonly hasCompatible?: boolean;
  /** What is taken where nobody chose. */
  readonly main: string;
  /** For exploring. */
  readonly small: string;
  /** Context windows in tokens, of those that we know. */
  readonly windows: readonly (readonly [pattern: RegExp, tokens: number])[];
  readonly prices: Readonly<Record<string, Price>>;
}

/** US dollars for a million tokens. A price that is tiered or changes with the date is left out: no figure beats a wrong one. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Prompts above this size cost more: then we say nothing. */
  readonly upTo?: number;
}

/** In the order in which a key in the environment decides. */
const rows = [
  {
    name: "anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    addressVariable: "ANTHROPIC_BASE_URL",
    wire: "anthropic",
    version: "v1",
    main: "claude-sonnet-5-5",
    small: "claude-haiku-5-5",
    windows: [
      [/^claude-\w+-5(-|$)/, 1_000_000],
      [/^claude-(3|haiku-4|(opus|sonnet)-4-([0-5]|20\d{6})(-|$))/, 200_000],
    ],
    prices: {
      "claude-fable-5-1": { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
      "claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 },
      "claude-opus-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
      "claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
      "claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
      "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    },
  },
  {
    name: "openai",
    keyVariable: "OPENAI_API_KEY",
    addressVariable: "OPENAI_BASE_URL",
    wire: "responses",
    version: "v1",
    hasCompatible: true,
    main: "gpt-6.1-sol",
    small: "gpt-6-luna",
    windows: [
      [/^gpt-6/, 1_050_000],
      [/^gpt-5(-|$)/, 400_000],
    ],
    prices: {
      "gpt-6-sol": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, upTo: 272_000 },
      "gpt-6-luna": { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125, upTo: 272_000 },
    },
  },
  {
    name: "google",
    keyVariable: "GEMINI_API_KEY",
    addressVariable: "GOOGLE_GEMINI_BASE_URL",
    wire: "google",
    version: "v1beta",
    main: "gemini-3.8-flash",
    small: "gemini-3.5-flash-lite",
    windows: [[/^gemini-(2\.5|3|4)/, 1_048_576]],
    prices: {},
  },
] as const satisfies readonly ProviderRow[];

export type Provider = (typeof rows)[number]["name"];

export const providers: readonly (ProviderRow & { readonly name: Provider })[] = rows;

export function providerRow(name: Provider): ProviderRow {
  return providers.find((row) => row.name === name)!;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The provider's key, empty where there is none. */
export function keyOf({ keyVariable }: ProviderRow, environment: Environment): string {
  return environment[keyVariable]?.trim() ?? "";
}

/** `A, B or C`: the variables in which a key is looked for. */
export function keyVariablesText(last: "and" | "or", rows = providers): string {
  const names = rows.map(({ keyVariable }) => keyVariable);
  return names.join(", ").replace(/, (?=[^,]*$)/, ` ${last} `);
}

/** Tokens; undefined when we do not know. */
export function contextWindowOf(model: string): number | undefined {
  return providers.flatMap(({ windows }) => windows).find(([pattern]) => pattern.test(model))?.[1];
}

/** What one reply cost, null when we do not know the model's price. */
export function costUsd(model: string, usage: Usage): number | null {
  const price = priceOf(model);
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  if (price === undefined || prompt > (price.upTo ?? Infinity)) return null;
  const dollars =
    usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    usage.cacheReadTokens * price.cacheRead +
    usage.cacheWriteTokens * price.cacheWrite;
  return dollars / 1_000_000;
}

function priceOf(model: string): Price | undefined {
  return providers.find(({ prices }) => Object.hasOwn(prices, model))?.prices[model];
}
