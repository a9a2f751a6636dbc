/** Tokens used, in all and for planning (B7.3). */

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export interface UsageTotal extends TokenUsage {
  readonly requests: number;
}

export const noUsage: UsageTotal = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  requests: 0,
};

export function addUsage(total: UsageTotal, used: TokenUsage): UsageTotal {
  return {
    inputTokens: total.inputTokens + used.inputTokens,
    outputTokens: total.outputTokens + used.outputTokens,
    cacheReadTokens: total.cacheReadTokens + used.cacheReadTokens,
    cacheWriteTokens: total.cacheWriteTokens + used.cacheWriteTokens,
    requests: total.requests + 1,
  };
}

/** What a session of its own used, in as many requests as it made. */
export function addTotal(total: UsageTotal, used: UsageTotal): UsageTotal {
  return { ...addUsage(total, used), requests: total.requests + used.requests };
}

export function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: TokenUsage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

/** 950, 12.3k, 1.2M. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${(count / 1000).toFixed(count < 99_950 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}
