/** Runs an agent: a session of its own under its parent's gate, bounded, until it has answered (section 10). */
import { posix } from "node:path";
import { items } from "../core/chain.ts";
import type { Event, SessionStarted } from "../core/event.ts";
import type { Origin } from "../core/ledger.ts";
import { workingModeOf, type Mode } from "../core/mode.ts";
import { planFileName } from "../core/plan/location.ts";
import { wordsSlug } from "../core/plan/slug.ts";
import { pendingReview } from "../core/selectors.ts";
import type { Session } from "../core/session.ts";
import { noUsage, type UsageTotal } from "../core/usage.ts";
import { agentReminder, conversationSoFar } from "../prompts/agent.ts";
import { renderDenial } from "../prompts/denial.ts";
import type { PlanStyle } from "../prompts/reminder.ts";
import { startAgent, type AgentParts, type NamedModel } from "./agent.ts";
import type { AgentKind } from "./agent-kinds.ts";
import { limitReached, startStopwatch, type AgentLimits, type Stopwatch } from "./agent-limits.ts";
import { personFor } from "./agent-person.ts";
import { conversationOf } from "./conversation.ts";
import { denialMeanwhile, followParent } from "./follow-parent.ts";
import type { Happening, LiveSession, Log, SessionHandle } from "./handle.ts";
import type { Model } from "./model.ts";
import type { Clock, RunContext, Tool } from "./ports.ts";
import { describeTools } from "./tools/registry.ts";

/** What every agent of a session is made of, besides what the call itself brings. */
export interface AgentHost {
  /** Everything there is; each kind is offered what it may use. */
  readonly tools: readonly Tool[];
  readonly clock: Clock;
  readonly plansDirectory: string;
  readonly style: PlanStyle;
  readonly origin: () => Promise<Origin>;
  readonly report: (problem: string) => void;
  /** Where it is, without the project's memory (R10.1). */
  readonly surroundings: string;
  readonly limits: AgentLimits;
  /** Without it, an agent's events are kept in memory while it runs. */
  readonly openLog?: (parentId: string, agentId: string) => Promise<Log & { close(): Promise<void> }>;
  readonly classify?: AgentParts["classify"];
  readonly saveRule?: AgentParts["saveRule"];
}

export interface AgentTask {
  readonly id: string;
  readonly kind: AgentKind;
  readonly brief: string;
  readonly model: NamedModel;
  readonly mode?: Mode;
  /** Starts with the conversation so far. */
  readonly fork: boolean;
}

export interface AgentEnd {
  readonly status: "done" | "failed" | "limit" | "cancelled";
  /** The last thing that it said. */
  readonly text: string;
  /** The error, or the limit in words. */
  readonly why: string | null;
  /** A plan of its own that nobody could approve. */
  readonly waitingPlan: string | null;
  readonly usage: UsageTotal;
  readonly changed: readonly string[];
}

export interface AgentCall {
  readonly context: RunContext;
  readonly live: LiveSession;
  readonly host: AgentHost;
  readonly signal: AbortSignal;
}

/** Never throws. */
export async function runSubagent(task: AgentTask, call: AgentCall): Promise<AgentEnd> {
  const run = newRun(call);
  const watch = startStopwatch(call.host.limits.milliseconds, () => run.cut(minutes(call.host.limits)));
  let log: (Log & { close(): Promise<void> }) | null = null;
  try {
    log = (await call.host.openLog?.(call.live.current().id, task.id)) ?? null;
    const plan = await ownPlan(task, call);
    const following = followParent(call.live);
    const start = startOf(task, call, plan);
    run.stop.push(() => following.stop());
    const handle = await startAgent(partsOf(task, call, { log, watch, run }), { start });
    run.begin(handle);
    following.begin((event) => handle.send(event));
    await handle.send({ type: "user-said", text: task.brief });
    await handle.settled();
  } catch (error) {
    run.fail(error instanceof Error ? error.message : String(error));
  }
  watch.stop();
  run.end();
  await log
    ?.close()
    .catch((error: unknown) => call.host.report(`The log of ${task.id} was not closed: ${String(error)}`));
  return run.result();
}

interface Run {
  readonly listen: (happening: Happening) => void;
  readonly stop: (() => void)[];
  begin(handle: SessionHandle): void;
  cut(limit: string): void;
  isCut(): boolean;
  fail(error: string): void;
  end(): void;
  result(): AgentEnd;
}

/** What is noted while it runs. */
function newRun({ signal, host }: AgentCall): Run {
  const changed = new Set<string>();
  let handle: SessionHandle | null = null;
  let limit: string | null = null;
  let error: string | null = null;
  const cut = (reached: string): void => {
    limit ??= reached;
    void handle?.send({ type: "turn-cancelled" });
  };
  const abort = (): void => handle?.close();
  signal.addEventListener("abort", abort, { once: true });
  return {
    stop: [() => signal.removeEventListener("abort", abort)],
    listen(happening) {
      if (happening.kind === "halted") error = happening.error;
      if (happening.kind !== "event") return;
      if (happening.event.type === "model-failed") error = happening.event.error;
      for (const path of changedBy(happening.event)) changed.add(path);
      const reached = limitReached(happening, host.limits);
      if (reached !== null) cut(reached);
    },
    begin(started) {
      handle = started;
      if (signal.aborted) handle.close();
      else if (limit !== null) cut(limit);
    },
    cut,
    isCut: () => limit !== null,
    fail: (reason) => void (error ??= reason),
    end() {
      this.stop.forEach((stop) => stop());
      handle?.close();
    },
    result() {
      const session = handle?.state;
      const status = signal.aborted ? "cancelled" : limit !== null ? "limit" : error === null ? "done" : "failed";
      return {
        status,
        text: session === undefined ? "" : lastWords(session),
        why: limit ?? error,
        waitingPlan: session === undefined ? null : (pendingReview(session)?.planFile ?? null),
        usage: session?.usage.total ?? noUsage,
        changed: [...changed],
      };
    },
  };
}

function partsOf(
  { id, kind, model, mode }: AgentTask,
  { context, live, host }: AgentCall,
  { log, watch, run }: { readonly log: Log | null; readonly watch: Stopwatch; readonly run: Run },
): AgentParts {
  const { files, search, shell, web, prompts, directory, roots } = context;
  const { clock, style, origin, report, plansDirectory, classify, saveRule, tools } = host;
  const offered = tools.filter(({ name }) => kind.mayUse(name));
  const planTools = tools.filter(({ name }) => name === "EnterPlanMode" || name === "ExitPlanMode");
  return {
    files,
    search,
    shell,
    web,
    clock,
    person: personFor(context.person, { id, name: kind.name, waiting: watch.waiting }),
    log: log ?? { append: () => Promise.resolve() },
    prompts,
    /** Plan mode's tools are not told of, but a call of one gets its proper answer (R6.4, R7.13). */
    tools: [...offered, ...planTools],
    descriptions: describeTools(ownsPlan(kind, mode) ? [...offered, ...planTools.filter(isExit)] : offered, prompts),
    model: { ...model, model: whileWithin(model.model, run) },
    system: kind.system(prompts),
    ...(kind.readOnly ? { turnReminder: agentReminder(prompts) } : {}),
    guard: (tried, session) => {
      const denial = denialMeanwhile(tried, session, live.current());
      if (denial === null) return null;
      const text = renderDenial(prompts, denial, { tool: tried.tool, actor: "subagent" });
      return { content: [{ type: "text", text }], isError: true };
    },
    style,
    planNames: "words",
    plansDirectory,
    directory,
    roots: [roots[0] ?? directory, ...roots.slice(1)],
    origin,
    report,
    ...(classify === undefined ? {} : { classify }),
    ...(saveRule === undefined ? {} : { saveRule }),
    listen: (happening) => {
      live.publish({ kind: "agent", id, agent: kind.name, callId: live.callId, news: { kind: "within", happening } });
      run.listen(happening);
    },
  };
}

/** The request that would be one too many is not made. */
function whileWithin(model: Model, run: Run): Model {
  return {
    async *stream(request, signal) {
      if (run.isCut()) yield { type: "failed", error: { code: "aborted", message: "The limit is reached." } };
      else yield* model.stream(request, signal);
    },
  };
}

/** A reader stands under the plan gate whatever its parent does, with no file to write; others follow their parent (B1.7). */
function startOf(
  { id, kind, mode, fork }: AgentTask,
  { context, live, host }: AgentCall,
  plan: OwnPlan,
): SessionStarted {
  const parent = live.current();
  const { permissions, roots, auto, reviewable } = parent;
  const { allow, ask, deny, runners } = permissions.rules;
  const working = workingModeOf(permissions);
  const { approved } = parent.plan;
  const { prompts } = context;
  const planned = kind.readOnly || mode === "plan";
  const style = { prompts, plan: host.style, hasAgents: false };
  const before = fork && kind.mayFork ? [conversationSoFar(prompts, conversationOf(parent, style))] : [];
  return {
    type: "session-started",
    id: `${parent.id}-agent-${id}`,
    at: host.clock.now(),
    actor: { kind: "subagent", id, ownPlan: planned, parent: permissions.mode.current },
    roots,
    opening: [kind.projectMemory ? parent.opening : host.surroundings, ...before].join("\n\n"),
    mode: planned ? "plan" : (mode ?? working),
    returnTo: working,
    bypassAvailable: permissions.bypassAvailable,
    reviewable,
    rules: { allow, ask, deny },
    runners,
    settings: { ...parent.settings, maxPlanningTokens: null },
    auto: { optedIn: auto.optedIn, gateOpen: auto.gateOpen },
    ...(plan === null ? {} : { plan }),
    ...(approved === null ? {} : { approved: { file: approved.file, text: approved.text } }),
  };
}

type OwnPlan = { readonly slug: string; readonly file: string } | null;

/** R3.2: named by the parent's plan; only an agent that plans for itself gets a file (R2.5). */
async function ownPlan({ id, kind, mode }: AgentTask, { context, live, host }: AgentCall): Promise<OwnPlan> {
  if (!ownsPlan(kind, mode)) return null;
  const slug = live.current().plan.slug ?? wordsSlug(host.clock.random);
  const name = planFileName(slug, id);
  if (name === null) throw new Error(`${id} cannot name a plan file.`);
  const file = posix.join(host.plansDirectory, name);
  if (!(await context.files.claim(file))) throw new Error(`The plan file ${file} exists already.`);
  return { slug, file };
}

function ownsPlan({ readOnly }: AgentKind, mode: Mode | undefined): boolean {
  return !readOnly && mode === "plan";
}

function lastWords({ transcript }: Session): string {
  for (const entry of items(transcript).toReversed()) {
    if (entry.kind !== "assistant") continue;
    const text = entry.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    if (text.trim() !== "") return text.trim();
  }
  return "";
}

function changedBy(event: Event): readonly string[] {
  if (event.type !== "tool-finished" || typeof event.output !== "object" || event.output === null) return [];
  return "changed" in event.output && Array.isArray(event.output.changed) ? event.output.changed : [];
}

function isExit({ name }: Tool): boolean {
  return name === "ExitPlanMode";
}

function minutes({ milliseconds }: AgentLimits): string {
  return `${Math.round(milliseconds / 60_000)} minutes`;
}
