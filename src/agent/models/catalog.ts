/** What we know of single models: context windows and prices. */
import type { Usage } from "../ports/model.ts";
import { providers, type Price } from "./providers.ts";

/** Undefined when we do not know. */
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
