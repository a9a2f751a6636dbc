/** The built-in agents as definitions, and how many of them one task may start (section 10). */
import type { Access } from "./decide/access.ts";

export type BuiltInAgent = "explore" | "plan";

export interface AgentDefinition {
  readonly name: string;
  readonly readOnly: boolean;
  /** `small`: the provider's small model or the setting `exploreModel`; `session`: the model of the session. */
  readonly model: "small" | "session";
  /** Tools that may claim one of these are not offered to it. */
  readonly withheld: readonly Access["kind"][];
  /** Whether its questions reach the person, through its parent's surface (R10.6). */
  readonly mayAsk: boolean;
  /** Whether it may start with the conversation so far. */
  readonly mayFork: boolean;
  /** Whether project memory is part of its prompt. */
  readonly projectMemory: boolean;
}

const reader = {
  readOnly: true,
  withheld: ["write", "spawn", "enter-plan", "exit-plan"],
  projectMemory: false,
} as const satisfies Partial<AgentDefinition>;

export const builtInAgents: Readonly<Record<BuiltInAgent, AgentDefinition>> = {
  explore: { ...reader, name: "Explore", model: "small", mayAsk: false, mayFork: false },
  plan: { ...reader, name: "Plan", model: "session", mayAsk: true, mayFork: true },
};

export interface AgentCounts {
  readonly explore: number;
  readonly plan: number;
  readonly warnings: readonly AgentCountWarning[];
}

/** The value was ignored: it is not a whole number from 1 to 10. */
export interface AgentCountWarning {
  readonly variable: "GROUNDPLAN_EXPLORE_AGENTS" | "GROUNDPLAN_PLAN_AGENTS";
  readonly value: string;
}

export interface AgentCountSources {
  /** The setting `tier`. */
  readonly tier: string | null;
  readonly environment: Readonly<Partial<Record<AgentCountWarning["variable"], string | undefined>>>;
}

export function agentCounts({ tier, environment }: AgentCountSources): AgentCounts {
  const explore = environment.GROUNDPLAN_EXPLORE_AGENTS;
  const plan = environment.GROUNDPLAN_PLAN_AGENTS;
  const warnings: AgentCountWarning[] = [];
  if (explore !== undefined && countOf(explore) === null)
    warnings.push({ variable: "GROUNDPLAN_EXPLORE_AGENTS", value: explore });
  if (plan !== undefined && countOf(plan) === null) warnings.push({ variable: "GROUNDPLAN_PLAN_AGENTS", value: plan });
  return {
    explore: countOf(explore) ?? 3,
    plan: countOf(plan) ?? (tier !== null && largeTiers.has(tier) ? 3 : 1),
    warnings,
  };
}

const largeTiers: ReadonlySet<string> = new Set(["max-20x", "team", "enterprise"]);

function countOf(value: string | undefined): number | null {
  return value !== undefined && /^([1-9]|10)$/.test(value) ? Number(value) : null;
}
