/** The kinds of agents that can be started: the built-in ones, one for work of any kind, and the person's own. */
import { builtInAgents, type BuiltInAgent } from "../../core/agents.ts";
import { customPrompt } from "../../prompts/render/agent.ts";
import type { Prompts } from "../../prompts/index.ts";
import { mayClaim, type Tool } from "../tools/tool.ts";

export interface AgentKind {
  readonly name: string;
  /** What the model is told of it; empty where the tool's own text tells it. */
  readonly description: string;
  /** Starts while planning, and stands under the plan gate in every mode. */
  readonly readOnly: boolean;
  /** `small`: for exploring; `session`: the parent's; else a model by name. */
  readonly model: "small" | "session" | { readonly name: string };
  readonly mayUse: (tool: Tool) => boolean;
  readonly mayFork: boolean;
  readonly projectMemory: boolean;
  readonly system: (prompts: Prompts) => string;
}

/** A person's own agent, as its file says. */
export interface CustomAgent {
  readonly name: string;
  readonly description: string;
  /** Null: every tool that agents can have. */
  readonly tools: readonly string[] | null;
  readonly model: AgentKind["model"];
  readonly body: string;
}

/** What an agent may do follows from the accesses that its tools may claim. */
export function agentKinds(custom: readonly CustomAgent[], tools: readonly Tool[]): readonly AgentKind[] {
  return [builtIn("explore"), builtIn("plan"), general, ...custom.map((agent) => customKind(agent, tools))];
}

/** R10.6: no agent starts another. Plan mode's own tools are the session's to offer. */
export function isForAgents(tool: Tool): boolean {
  return !mayClaim(tool, "spawn", "enter-plan", "exit-plan");
}

/** It changes nothing outside of the session, whatever it is called with. */
function isReader({ claims }: Tool): boolean {
  return claims.every((kind) => kind === "read" || kind === "fetch" || kind === "note" || kind === "ask-user");
}

const general: AgentKind = {
  name: "general-purpose",
  description: "does a task of any kind, with all tools; not while you plan.",
  readOnly: false,
  model: "session",
  mayUse: (tool) => isForAgents(tool) && !mayClaim(tool, "ask-user"),
  mayFork: false,
  projectMemory: true,
  system: (prompts) => prompts("agents/general"),
};

function builtIn(agent: BuiltInAgent): AgentKind {
  const { withheld, mayAsk, ...definition } = builtInAgents[agent];
  return {
    ...definition,
    description: "",
    mayUse: ({ claims }) => !claims.some((kind) => withheld.includes(kind) || (kind === "ask-user" && !mayAsk)),
    system: (prompts) => prompts(`agents/${agent}`),
  };
}

function customKind(agent: CustomAgent, all: readonly Tool[]): AgentKind {
  const { name, description, tools, model, body } = agent;
  const readers = new Set(all.filter(isReader).map((tool) => tool.name));
  return {
    ...general,
    name,
    description,
    readOnly: tools !== null && tools.every((tool) => readers.has(tool)),
    model,
    mayUse: (tool) => (tools === null ? general.mayUse(tool) : tools.includes(tool.name) && isForAgents(tool)),
    system: (prompts) => customPrompt(prompts, body),
  };
}
