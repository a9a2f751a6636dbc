/** What we know of single models: the default and small one of each provider, context windows, prices. */
import type { Usage } from "../ports/model.ts";

type Known = "anthropic" | "openai" | "google";

export const defaultModels: Readonly<Record<Known, { readonly main: string; readonly small: string }>> = {
  anthropic: { main: "claude-sonnet-5-5", small: "claude-haiku-5-5" },
  openai: { main: "gpt-6.1-sol", small: "gpt-6-luna" },
  google: { main: "gemini-3.8-flash", small: "gemini-3.5-flash-lite" },
};

const windows: readonly (readonly [pattern: RegExp, tokens: number])[] = [
  [/^claude-\w+-5(-|$)/, 1_000_000],
  [/^claude-(3|haiku-4|(opus|sonnet)-4-([0-5]|20\d{6})(-|$))/, 200_000],
  [/^gpt-6/, 1_050_000],
  [/^gpt-5(-|$)/, 400_000],
  [/^gemini-(2\.5|3|4)/, 1_048_576],
];

/** Undefined when we do not know. */
export function contextWindowOf(model: string): number | undefined {
  return windows.find(([pattern]) => pattern.test(model))?.[1];
}

interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Prompts above this size cost more: then we say nothing. */
  readonly upTo?: number;
}

/** US dollars for a million tokens. A price that is tiered or changes with the date is left out: no figure beats a wrong one. */
const prices: Readonly<Record<string, Price>> = {
  "claude-fable-5-1": { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  "claude-opus-5-5": { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5 },
  "claude-opus-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  "claude-sonnet-5-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  "claude-sonnet-5": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  "claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "gpt-6-sol": { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, upTo: 272_000 },
  "gpt-6-luna": { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125, upTo: 272_000 },
};

/** What one reply cost, null when we do not know the model's price. */
export function costUsd(model: string, usage: Usage): number | null {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  if (price === undefined || prompt > (price.upTo ?? Infinity)) return null;
  const dollars =
    usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    usage.cacheReadTokens * price.cacheRead +
    usage.cacheWriteTokens * price.cacheWrite;
  return dollars / 1_000_000;
}
