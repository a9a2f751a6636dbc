/** How much a model shall think: our three words as each wire's own options. */
import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { Effort } from "../../core/settings/settings.ts";
import type { Wire } from "./prompt.ts";

export function wireOptions(wire: Wire, model: string, effort: Effort | undefined): SharedV3ProviderOptions {
  return options[wire](model, effort);
}

type Options = (model: string, effort: Effort | undefined) => SharedV3ProviderOptions;

const options: Readonly<Record<Wire, Options>> = {
  anthropic: (model, effort) => ({ anthropic: { toolStreaming: false, ...anthropicOptions(model, effort) } }),
  responses: (_, effort) => ({
    openai: { store: false, ...(effort && { reasoningEffort: effort, reasoningSummary: "auto" }) },
  }),
  chat: (_, effort) => (effort === undefined ? {} : { openaiCompatible: { reasoningEffort: effort } }),
  google: (model, effort) => googleOptions(model, effort),
};

const budgets: Readonly<Record<Effort, number>> = { low: 1024, medium: 8192, high: 24_576 };

/**
 * Claude 4.6 and later think as much as they see fit, steered by effort; earlier ones by a budget, from 4.0 on.
 * Names that are not Claude's come from other servers: no options. The newest bind thinking to all that went before it;
 * after a compaction such thinking is to be dropped, not refused.
 */
function anthropicOptions(model: string, effort: Effort | undefined): SharedV3ProviderOptions[string] {
  if (!model.startsWith("claude-")) return {};
  if (/^claude-(instant|v?[23](\D|$))/.test(model)) return {};
  if (/^claude-\w+-4(-[0-5](-|$)|-20\d{6}|$)/.test(model)) {
    if (effort === undefined || effort === "low") return {};
    return { thinking: { type: "enabled", budgetTokens: budgets[effort] } };
  }
  const isBound = /^claude-\w+-(5-\d|[6-9])/.test(model);
  const binding = isBound ? { blockBinding: { prefixMismatchBehavior: "drop_block" } } : {};
  return { thinking: { type: "adaptive", display: "summarized", ...binding }, ...(effort && { effort }) };
}

/** Gemini 2.5 takes a budget, later ones a level; before and elsewhere there is nothing to say. */
function googleOptions(model: string, effort: Effort | undefined): SharedV3ProviderOptions {
  const generation = Number(/^gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0);
  if (generation >= 3) {
    return { google: { thinkingConfig: { includeThoughts: true, ...(effort && { thinkingLevel: effort }) } } };
  }
  if (generation < 2.5 || effort === undefined) return {};
  return { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: budgets[effort] } } };
}
