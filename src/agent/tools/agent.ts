/** Starts an agent with a context of its own; several run side by side, each can be stopped alone. */
import * as z from "zod";
import { modes } from "../../core/mode.ts";
import { noUsage } from "../../core/usage.ts";
import { describeAgents } from "../../prompts/render/agent.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { AgentKind } from "../agents/agent-kinds.ts";
import type { Host, RunContext } from "../ports/host.ts";
import type { ToolOutput } from "../ports/ports.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { AgentsOptions, Seat } from "../agents/agent-task.ts";
import { runSubagent, type AgentEnd } from "../agents/subagent.ts";
import { cutMiddle, refused } from "./output.ts";

const input = z.strictObject({
  description: z.string().min(1).describe("3 to 5 words"),
  prompt: z.string().min(1),
  subagent_type: z.string().min(1),
  mode: z.enum(modes).optional(),
  fork: z.boolean().optional().describe("Plan only: it knows this conversation"),
  name: z.string().optional(),
  team_name: z.string().optional(),
});

type Input = z.infer<typeof input>;

export type Agents = ReturnType<typeof createAgents>;

export function createAgents(options: AgentsOptions) {
  const { host, kinds, team } = options;
  const running = new Map<string, AbortController>();
  /** Ids that were given already. */
  const given = new Set<string>();
  const start = async (wanted: Input, context: RunContext): Promise<ToolOutput> => {
    const { prompts, live } = context;
    const kind = kindNamed(kinds, wanted.subagent_type);
    const { name: agent } = kind;
    const model = await options.modelFor(kind, live);
    if ("problem" in model) {
      host.report(`${agent} was not started: ${model.problem}`);
      return refused(prompts("tools/agent/no-model", { agent, problem: model.problem }));
    }
    if (running.size >= mostAtOnce) return refused(prompts("tools/agent/too-many", { count: String(mostAtOnce) }));
    const id = freeId(agent, host, given);
    const own = new AbortController();
    running.set(id, own);
    const seat = await seatFor(wanted, kind, { team, onShutdown: () => own.abort() });
    if (seat !== null && "problem" in seat) {
      running.delete(id);
      return refused(prompts("tools/agent/no-teams", { problem: seat.problem }));
    }
    const label = { kind: "agent", id, agent, callId: live.callId } as const;
    live.publish({ ...label, news: { kind: "started", description: wanted.description, model: model.name } });
    const { prompt: brief, mode, fork = false } = wanted;
    const signal = AbortSignal.any([context.signal, own.signal]);
    const task = { id, live, signal, kind, brief, model, fork };
    const chosen = { ...(mode === undefined ? {} : { mode }), ...(seat === null ? {} : { seat }) };
    const end = await runSubagent({ ...task, ...chosen }, options);
    running.delete(id);
    live.publish({ ...label, news: { kind: "finished", status: end.status, usage: end.usage } });
    return outputOf(end, agent, prompts);
  };
  return {
    tool: agentTool(kinds, start),
    /** Stops one agent, the others go on; false when there is none with this id. */
    cancel(id: string): boolean {
      running.get(id)?.abort();
      return running.delete(id);
    },
    /** The ids of those that run. */
    running: (): readonly string[] => [...running.keys()],
  };
}

const mostAtOnce = 10;

function agentTool(kinds: readonly AgentKind[], start: Tool<Input>["run"]): Tool {
  const told = kinds.filter(({ description }) => description !== "");
  return defineTool<Input>({
    name: "Agent",
    claims: ["spawn"],
    show: ({ text }) => ({ about: text("description") }),
    input,
    describe: (prompts: Prompts) => describeAgents(prompts, told),
    /** A teammate that must plan only narrows: under a planning parent it plans, and is not let out (B1.7). */
    claim({ subagent_type, name, team_name, mode }) {
      const { name: agent, readOnly } = kindNamed(kinds, subagent_type);
      const mustPlan = mode === "plan" && (name !== undefined || team_name !== undefined);
      return { access: { kind: "spawn", agent, readOnly: readOnly || mustPlan }, subjects: [{ rule: "Agent" }] };
    },
    async run(wanted, context) {
      if (wanted.team_name !== undefined && wanted.name === undefined)
        return refused(context.prompts("tools/agent/no-name"));
      return start(wanted, context);
    },
  });
}

/** Readers need no seat: they have nothing to ask a lead for. */
async function seatFor(
  { name, team_name, prompt: task }: Input,
  { readOnly }: AgentKind,
  { team, onShutdown }: Pick<AgentsOptions, "team"> & { readonly onShutdown: () => void },
): Promise<(Seat & { readonly name: string }) | { readonly problem: string } | null> {
  if (name === undefined || readOnly) return null;
  const seat = await team?.join({ name, team: team_name ?? null, task, onShutdown });
  if (seat === undefined) return { problem: "there are no teams here." };
  return "problem" in seat ? seat : { ...seat, name };
}

const longestAnswer = 60_000;

function outputOf(end: AgentEnd, agent: string, prompts: Prompts): ToolOutput {
  const { status, why, waitingPlan, usage, changed } = end;
  const answer = cutMiddle(end.text, longestAnswer, (left) =>
    prompts("tools/bash/output-cut", { characters: String(left) }),
  );
  const notes = [
    ...(answer === "" ? [] : [answer]),
    ...(answer === "" && status === "done" ? [prompts("tools/agent/silent")] : []),
    ...(status === "limit" ? [prompts("tools/agent/limit", { limit: why ?? "" })] : []),
    ...(status === "failed" ? [prompts("tools/agent/failed", { agent, error: why ?? "" })] : []),
    ...(status === "cancelled" ? [prompts("tools/agent/cancelled")] : []),
    ...(waitingPlan === null ? [] : [prompts("tools/agent/plan-waits", { file: waitingPlan })]),
  ];
  return {
    content: [{ type: "text", text: notes.join("\n\n") }],
    ...(status === "failed" || status === "cancelled" ? { isError: true } : {}),
    ...(changed.length === 0 ? {} : { changed }),
    ...(usage === noUsage ? {} : { usage }),
  };
}

/** Models write the names in any case. */
function kindNamed(kinds: readonly AgentKind[], wanted: string): AgentKind {
  const found = kinds.find(({ name }) => name.toLowerCase() === wanted.trim().toLowerCase());
  if (found !== undefined) return found;
  throw new Error(`subagent_type: there is no agent ${wanted}, only ${kinds.map(({ name }) => name).join(", ")}`);
}

/** Readable, safe in a file name, and not given twice. */
function freeId(agent: string, { clock }: Host, given: Set<string>): string {
  const letters = Array.from({ length: 6 }, () => Math.floor(clock.random() * 36).toString(36)).join("");
  const base = `${agent.toLowerCase()}-${letters}`;
  const id = given.has(base) ? `${base}-${given.size}` : base;
  given.add(id);
  return id;
}
