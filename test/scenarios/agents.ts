/** What the stories of agents share: a parent that starts them, and what came of their calls. */
import { items } from "../../src/core/chain.ts";
import type { Event } from "../../src/core/event.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession, type Session } from "../../src/core/session.ts";
import type { Harness, ScriptedStep } from "../../src/testing/index.ts";

export const used = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };

export function spawns(subagent_type: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    tool: "Agent",
    input: { description: "a task", prompt: `Brief for ${subagent_type}.`, subagent_type, ...more },
  };
}

/** Starts these in one message, then says "Done." */
export function starts(...calls: readonly ReturnType<typeof spawns>[]): readonly ScriptedStep[] {
  return [{ calls }, "Done."];
}

/** Tool and what came of it, in the order of the calls' ends: `ran`, `approved` … or the denial's code. */
export function outcomesOf(session: Session): readonly string[] {
  return items(session.transcript).flatMap((entry) => {
    if (entry.kind !== "result") return [];
    const { tool, outcome } = entry;
    return [`${tool} ${outcome.kind === "denied" ? outcome.denial.code : outcome.kind}`];
  });
}

/** The states that the logs of the agents give, in the order in which they were started. */
export function agentsOf({ agentLogs }: Harness): readonly Session[] {
  return [...agentLogs.values()].map((events: readonly Event[]) => replay(freshSession(), events));
}

/** What the parent's model was told of each agent. */
export function answersIn({ session }: Harness): readonly { readonly text: string; readonly isError: boolean }[] {
  return items(session.state.transcript).flatMap((entry) => {
    if (entry.kind !== "result" || entry.tool !== "Agent" || entry.outcome.kind !== "ran") return [];
    const { output, isError } = entry.outcome;
    const { content } = output as { readonly content: readonly { readonly text: string }[] };
    return [{ text: content.map(({ text }) => text).join(""), isError }];
  });
}

/** A promise with its key. */
export function gateway(): { readonly open: () => void; readonly passed: Promise<void> } {
  const door = new AbortController();
  const passed = new Promise<void>((resolve) => door.signal.addEventListener("abort", () => resolve()));
  return { open: () => door.abort(), passed };
}
