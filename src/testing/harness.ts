/** A whole session in memory: real tools, real core, real prompts; only the outside world is scripted. */
import { startAgent, type SessionParts } from "../agent/loop/agent.ts";
import { agentKinds, type CustomAgent } from "../agent/agents/agent-kinds.ts";
import type { AgentsOptions, TeamHost } from "../agent/agents/agent-task.ts";
import { agentLimits, type AgentLimits } from "../agent/agents/agent-limits.ts";
import type { Happening, SessionHandle } from "../agent/ports/handle.ts";
import type { Model } from "../agent/ports/model.ts";
import type { CommandResult, JudgedCommand, Person, Search, Shell } from "../agent/ports/ports.ts";
import type { Tool } from "../agent/tools/tool.ts";
import { publicEvents } from "../agent/loop/public-events.ts";
import type { PublicEvent } from "../agent/ports/event-shapes.ts";
import { createAgents, type Agents } from "../agent/tools/agent.ts";
import type { Host, TodoStore } from "../agent/ports/host.ts";
import { createTools } from "../agent/tools/registry.ts";
import type { Event, SessionStarted } from "../core/event.ts";
import { parseGlob } from "../core/decide/glob.ts";
import type { Mode } from "../core/mode.ts";
import { freshSession, type PlanSettings } from "../core/session.ts";
import { loadPrompts } from "../prompts/index.ts";
import { memoryFiles, type MemoryFiles } from "./memory-files.ts";
import { scriptedPerson } from "./scripted-person.ts";

export interface HarnessOptions {
  readonly model: Model;
  readonly person?: Person;
  readonly files?: MemoryFiles;
  readonly mode?: Mode;
  readonly rules?: Partial<SessionStarted["rules"]>;
  readonly settings?: Partial<PlanSettings>;
  readonly bypassAvailable?: boolean;
  /** Verdicts by command; every other command is unproven. */
  readonly verdicts?: Readonly<Record<string, JudgedCommand["verdict"]>>;
  readonly sandboxed?: boolean;
  /** Judges commands instead, where verdicts alone do not tell enough. */
  readonly judge?: Shell["judge"];
  readonly tools?: readonly Tool[];
  readonly saveRule?: (rule: string) => Promise<void>;
  /** A log that cannot keep these events. */
  readonly appendFails?: (event: Event) => boolean;
  /** With it there is an Agent tool. */
  readonly agents?: HarnessAgents;
  /** `true`: opted in, and the gate is open. */
  readonly auto?: boolean | SessionStarted["auto"];
  readonly classify?: Host["classify"];
  readonly todos?: TodoStore;
  /** Tokens that the model can take. */
  readonly contextWindow?: number;
  /** Goes on from an earlier log. */
  readonly past?: readonly Event[];
  /** Who works here: the main agent, unless said otherwise. */
  readonly actor?: SessionStarted["actor"];
  /** A teammate's way to its lead. */
  readonly submitPlan?: SessionParts["submitPlan"];
  readonly now?: () => number;
  /** Hears everything from the first event on. */
  readonly listen?: (happening: Happening) => void;
}

export interface HarnessAgents {
  /** Who speaks for an agent, by its kind. */
  readonly modelFor: (kind: string) => Model | { readonly problem: string };
  readonly custom?: readonly CustomAgent[];
  readonly limits?: Partial<AgentLimits>;
  readonly team?: TeamHost;
  /** Awaited before an event of an agent is kept. */
  readonly keeping?: (event: Event) => Promise<void>;
}

export interface Harness {
  /** Stops single agents. */
  readonly agents: Pick<Agents, "cancel" | "running">;
  /** The events of each agent, by its id. */
  readonly agentLogs: ReadonlyMap<string, readonly Event[]>;
  /** What a surface would have seen. */
  readonly seen: readonly PublicEvent[];
  readonly session: SessionHandle;
  readonly files: MemoryFiles;
  /** Every event that was applied, in order: what a log on disk would hold. */
  readonly log: readonly Event[];
  /** Commands that really ran. */
  readonly ran: readonly string[];
  /** Says something and waits until the person has the floor again. */
  readonly say: (text: string) => Promise<void>;
}

export async function startHarness(options: HarnessOptions): Promise<Harness> {
  const { model, person = scriptedPerson(), files = memoryFiles({ "/repo/README.md": "# Repo\n" }) } = options;
  const prompts = loadPrompts();
  const base = createTools({ modelMayEnterPlan: "ask", planEagerness: "eager", more: options.tools ?? [] });
  const log: Event[] = [...(options.past ?? [])];
  const ran: string[] = [];
  const agentLogs = new Map<string, Event[]>();
  const seen: PublicEvent[] = [];
  let random = 0;
  const clock = { now: options.now ?? (() => 1_000 + log.length), random: () => ((random += 0.137), random % 1) };
  const host: Host = {
    files,
    search: memorySearch(files),
    shell: memoryShell(options, ran),
    web: { inward: async () => [], fetchText: async () => ({ kind: "failed", reason: "no network here" }) },
    clock,
    person,
    prompts,
    style: { workflow: "phases", planLength: "full", exploreAgents: 3, planAgents: 1 },
    planNames: "words",
    plansDirectory: "/home/ada/.groundplan/plans",
    directory: "/repo",
    roots: ["/repo"],
    origin: async () => ({ branch: "main", commit: null }),
    report: () => undefined,
    ...(options.saveRule === undefined ? {} : { saveRule: options.saveRule }),
    ...(options.classify === undefined ? {} : { classify: options.classify }),
    ...(options.todos === undefined ? {} : { todos: options.todos }),
  };
  const agents = harnessAgents(options.agents, { host, tools: base, agentLogs });
  const parts: SessionParts = {
    host,
    log: {
      append: async ({ event }) => {
        if (options.appendFails?.(event) === true) throw new Error("ENOSPC: no space left on device");
        log.push(event);
      },
    },
    tools: options.agents === undefined ? base : [...base, agents.tool],
    model: { model, name: "scripted" },
    listen: (happening) => {
      seen.push(...publicEvents(happening, prompts));
      options.listen?.(happening);
    },
    contextWindow: () => options.contextWindow,
    ...(options.submitPlan === undefined ? {} : { submitPlan: options.submitPlan }),
  };
  const beginning =
    options.past === undefined
      ? { start: startOf(options) }
      : { past: options.past, next: [{ type: "session-resumed", plan: null } as const] };
  const session = await startAgent(parts, beginning);
  return {
    session,
    files,
    agents,
    agentLogs,
    seen,
    log,
    ran,
    async say(text) {
      await session.send({ type: "user-said", text });
      await session.settled();
    },
  };
}

interface LoggedAgents extends Pick<AgentsOptions, "host" | "tools"> {
  readonly agentLogs: Map<string, Event[]>;
}

function harnessAgents(wanted: HarnessAgents | undefined, { host, tools, agentLogs }: LoggedAgents): Agents {
  return createAgents({
    host,
    kinds: agentKinds(wanted?.custom ?? [], tools),
    tools,
    modelFor: async (kind) => {
      const model = wanted?.modelFor(kind.name) ?? { problem: "there is none" };
      return "problem" in model ? model : { model, name: `scripted-${kind.name}` };
    },
    surroundings: "Surroundings.",
    limits: { ...agentLimits, ...wanted?.limits },
    team: wanted?.team,
    openLog: async (_, agentId) => {
      const events: Event[] = [];
      agentLogs.set(agentId, events);
      const append = async ({ event }: { readonly event: Event }): Promise<void> => {
        await wanted?.keeping?.(event);
        events.push(event);
      };
      return { append, close: async () => undefined };
    },
  });
}

function startOf(options: HarnessOptions): SessionStarted {
  const { mode = "default", rules, settings, bypassAvailable = false, auto = false } = options;
  return {
    type: "session-started",
    id: "session",
    at: 0,
    actor: options.actor ?? { kind: "main" },
    roots: { project: "/repo", home: "/home/ada" },
    opening: "Surroundings. Project memory.",
    mode,
    bypassAvailable: bypassAvailable || mode === "bypassPermissions",
    reviewable: true,
    rules: { allow: [], ask: [], deny: [], ...rules },
    runners: ["Bash", "Agent"],
    settings: { ...freshSession().settings, ...settings },
    auto: typeof auto === "object" ? auto : { optedIn: auto, gateOpen: auto },
  };
}

function memoryShell({ verdicts = {}, sandboxed = false, judge }: HarnessOptions, ran: string[]): Shell {
  const byScript: Shell["judge"] = async (command, directory) => ({
    command,
    directory,
    canonical: command,
    verdict: verdicts[command] ?? "unproven",
    reason: `scripted as ${verdicts[command] ?? "unproven"}`,
    span: null,
    parts: [command],
    reads: [],
    edits: null,
    network: false,
    sandboxed,
  });
  return {
    judge: judge ?? byScript,
    run: async ({ command }): Promise<CommandResult> => {
      ran.push(command);
      return { exitCode: 0, stdout: `ran ${command}`, stderr: "", truncated: false, timedOut: false, refused: null };
    },
  };
}

function memorySearch(files: MemoryFiles): Search {
  const below = (root: string) => [...files.contents.keys()].filter((path) => path.startsWith(root));
  return {
    glob: async ({ pattern, root, limit }) => {
      const matcher = parseGlob(`${root}/${pattern}`);
      const paths = below(root).filter((path) => matcher.test(path));
      return { paths: paths.slice(0, limit), truncated: paths.length > limit };
    },
    grep: async ({ pattern, root, limit }) => {
      const lines = below(root).filter((path) => files.contents.get(path)?.includes(pattern));
      return { lines: lines.slice(0, limit), truncated: lines.length > limit, problem: null };
    },
  };
}
