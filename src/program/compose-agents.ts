/** The agents of a session: the person's own read from a trusted folder, their models found, their logs beside the session's. */
import { platform } from "node:os";
import { join } from "node:path";
import type { Host } from "../agent/ports/host.ts";
import type { NamedModel } from "../agent/ports/model.ts";
import { agentKinds, isForAgents, type AgentKind, type CustomAgent } from "../agent/agents/agent-kinds.ts";
import { agentLimits } from "../agent/agents/agent-limits.ts";
import type { TeamHost } from "../agent/agents/agent-task.ts";
import { readCustomAgents } from "../agent/agents/custom-agents.ts";
import { openLog } from "../agent/store/log.ts";
import type { Files } from "../agent/ports/ports.ts";
import type { Tool } from "../agent/tools/tool.ts";
import { createAgents, type Agents } from "../agent/tools/agent.ts";
import { isPlanning } from "../core/mode.ts";
import type { Session } from "../core/session.ts";
import type { ChosenModels } from "./choose-models.ts";

export interface AgentsRequest {
  readonly host: Host;
  /** What agents can be offered. */
  readonly tools: readonly Tool[];
  readonly models: ChosenModels;
  /** Where this project's logs lie. */
  readonly folder: string;
  readonly isTrusted: () => Promise<boolean>;
  /** How agents with a name join a team. */
  readonly team: TeamHost | undefined;
}

export async function composeAgents(request: AgentsRequest): Promise<Agents> {
  const { host, tools, models, folder, team } = request;
  const { clock, report, prompts, directory, roots } = host;
  const custom = await customAgents(request);
  const date = new Date(clock.now()).toISOString().slice(0, 10);
  let isSaid = models.exploreNews === null;
  /** R10.1: behind a gateway the person hears which model explores, when it does. */
  const sayOnce = (): void => {
    if (!isSaid) report(models.exploreNews!);
    isSaid = true;
  };
  return createAgents({
    host,
    kinds: agentKinds(custom, tools),
    tools,
    modelFor: (kind, live) => {
      if (kind.model === "small") sayOnce();
      return modelFor(kind, live.current(), models);
    },
    surroundings: prompts("opening/environment", { directory, root: roots[0], platform: platform(), date }),
    limits: agentLimits,
    openLog: (parentId, agentId) => openLog(join(folder, `${parentId}.agents`, `${agentId}.jsonl`)),
    team,
  });
}

/** Only a folder that the person trusts brings agents of its own. */
async function customAgents({ host, tools, isTrusted }: AgentsRequest): Promise<readonly CustomAgent[]> {
  const { files, report, roots } = host;
  const folder = join(roots[0], ".groundplan", "agents");
  if (!(await hasAgents(files, folder))) return [];
  if (!(await isTrusted())) {
    report(`The agents in ${folder} are not used: they count only in a folder that you trust (--trust).`);
    return [];
  }
  const names = tools.filter(isForAgents).map(({ name }) => name);
  const { agents, problems } = await readCustomAgents({ files, folder, tools: names });
  problems.forEach(report);
  return agents;
}

async function hasAgents(files: Files, folder: string): Promise<boolean> {
  const names = (await files.list?.(folder).catch(() => [])) ?? [];
  return names.some((name) => name.endsWith(".md"));
}

async function modelFor(
  { model }: AgentKind,
  { permissions }: Session,
  { main, plan, explore, named }: ChosenModels,
): Promise<NamedModel | { readonly problem: string }> {
  if (model === "small") return explore;
  if (model === "session") return isPlanning(permissions) ? (plan ?? main) : main;
  return named(model.name);
}
