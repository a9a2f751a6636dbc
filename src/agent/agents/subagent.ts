/** Runs an agent: a session of its own under its parent's gate, bounded, until it has answered (section 10). */
import { errorText } from "../../core/error-text.ts";
import type { Event } from "../../core/event.ts";
import { isPlanning } from "../../core/mode.ts";
import { isBlank } from "../../core/plan/hash.ts";
import { lastWords, pendingReview } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import { noUsage, type UsageTotal } from "../../core/usage.ts";
import { agentReminder } from "../../prompts/render/agent.ts";
import { renderDenial } from "../../prompts/render/denial.ts";
import { startAgent, type SessionParts } from "../loop/agent.ts";
import { limitReached, startStopwatch, type AgentLimits, type Stopwatch } from "./agent-limits.ts";
import { ownPlan, ownsPlan, startOf } from "./agent-start.ts";
import type { AgentsOptions, AgentTask } from "./agent-task.ts";
import { answersFor, denialMeanwhile, followParent } from "./follow-parent.ts";
import { agentQuestionId, questionsOf, type Happening, type Log, type SessionHandle } from "../ports/handle.ts";
import type { Person } from "../ports/ports.ts";
import type { Model } from "../ports/model.ts";
import { mayClaim, type Tool } from "../tools/tool.ts";

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

/** Never throws. */
export async function runSubagent(task: AgentTask, options: AgentsOptions): Promise<AgentEnd> {
  const { host, limits } = options;
  const run = newRun(task, limits);
  const watch = startStopwatch(limits.milliseconds, () =>
    run.cut(`${Math.round(limits.milliseconds / 60_000)} minutes`),
  );
  let log: (Log & { close(): Promise<void> }) | null = null;
  try {
    log = await options.openLog(task.live.current().id, task.id);
    const plan = await ownPlan(task, host);
    const following = followParent(task.live);
    const start = startOf(task, options, plan);
    run.stop.push(() => following.stop());
    const handle = await startAgent(partsOf(task, options, { log, watch, run }), { start });
    run.begin(handle);
    task.seat?.begin(handle);
    following.begin((event) => handle.send(event));
    await handle.send({ type: "user-said", text: task.brief });
    await handle.settled();
  } catch (error) {
    run.fail(errorText(error));
  }
  watch.stop();
  run.end();
  const { status } = run.result();
  await task.seat?.leave(status === "done" ? "done" : status === "cancelled" ? "stopped" : "failed");
  await log?.close().catch((error: unknown) => host.report(`The log of ${task.id} was not closed: ${String(error)}`));
  return run.result();
}

type Run = ReturnType<typeof newRun>;

/** What is noted while it runs. */
function newRun({ signal }: AgentTask, limits: AgentLimits) {
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
    listen(happening: Happening): void {
      if (happening.kind === "halted") error = happening.error;
      if (happening.kind !== "event") return;
      if (happening.event.type === "model-failed") error = happening.event.error;
      const { plans } = happening.session;
      for (const path of changedBy(happening.event)) if (plans.every(({ file }) => file !== path)) changed.add(path);
      const reached = limitReached(happening, limits);
      if (reached !== null) cut(reached);
    },
    begin(started: SessionHandle): void {
      handle = started;
      if (signal.aborted) handle.close();
      else if (limit !== null) cut(limit);
    },
    cut,
    isCut: (): boolean => limit !== null,
    fail: (reason: string) => void (error ??= reason),
    end(): void {
      this.stop.forEach((stop) => stop());
      handle?.close();
    },
    result(): AgentEnd {
      const session = handle?.state;
      const status = signal.aborted ? "cancelled" : limit !== null ? "limit" : error === null ? "done" : "failed";
      return {
        status,
        text: session === undefined ? "" : lastWords(session),
        why: limit ?? error,
        waitingPlan: session === undefined ? null : waitingPlanOf(session),
        usage: session?.usage.total ?? noUsage,
        changed: [...changed],
      };
    },
  };
}

function partsOf(
  task: AgentTask,
  { host, tools }: AgentsOptions,
  { log, watch, run }: { readonly log: Log; readonly watch: Stopwatch; readonly run: Run },
): SessionParts {
  const { id, live, kind, model, seat } = task;
  const { prompts } = host;
  const offered = tools.filter(kind.mayUse);
  const planTools = tools.filter((tool) => mayClaim(tool, "enter-plan", "exit-plan"));
  const person = personFor(host.person, task, watch);
  const session = host.agent?.session ?? live.current().id;
  return {
    host: { ...host, person, planNames: "words", agent: { id, type: kind.name, session } },
    log,
    /** Plan mode's tools are not told of, but a call of one gets its proper answer (R6.4, R7.13). */
    tools: [...offered, ...planTools],
    told: [...offered, ...planTools.filter((tool) => mayTell(tool, task))],
    model: { ...model, model: whileWithin(model.model, run) },
    system: kind.system(prompts),
    ...(kind.readOnly ? { turnReminder: agentReminder(prompts) } : {}),
    guard: (tried, session) => {
      const denial = denialMeanwhile(tried, session, live.current());
      if (denial === null) return null;
      const text = renderDenial(prompts, denial, { actor: "subagent" });
      return { content: [{ type: "text", text }], isError: true };
    },
    ...(seat === undefined ? {} : { submitPlan: (submission) => watch.waiting(seat.submitPlan(submission)) }),
    listen: (happening) => {
      live.publish({ kind: "agent", id, agent: kind.name, callId: live.callId, news: { kind: "within", happening } });
      run.listen(happening);
      for (const event of answersFor(happening)) void live.send(event);
    },
  };
}

/** Its parent's surface, each question labelled with the agent (R7.13, R10.6); while a person is asked, the agent's time stands still. */
function personFor(person: Person, { id, kind }: AgentTask, { waiting }: Stopwatch): Person {
  return {
    /** The request itself says whose plan it is. */
    review: (request, signal, send) => waiting(person.review(request, signal, send)),
    permit: (ask, signal, send) =>
      waiting(person.permit({ ...ask, id: agentQuestionId(id, ask.id), agent: id }, signal, send)),
    answer: (asked, signal, send) => {
      const labelled = { id: agentQuestionId(id, asked.id), questions: questionsOf(kind.name, asked.questions) };
      return waiting(person.answer(labelled, signal, send));
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

function changedBy(event: Event): readonly string[] {
  if (event.type !== "tool-finished" || typeof event.output !== "object" || event.output === null) return [];
  return "changed" in event.output && Array.isArray(event.output.changed) ? event.output.changed : [];
}

/** Which of plan mode's tools the agent is told of. */
function mayTell(tool: Tool, { kind, mode, seat }: AgentTask): boolean {
  return seat !== undefined || (mayClaim(tool, "exit-plan") && ownsPlan(kind, mode));
}

/** A teammate's plan waits also when nobody answered in time. */
function waitingPlanOf(session: Session): string | null {
  const { actor, permissions, plan } = session;
  const isLeft = actor.kind === "teammate" && isPlanning(permissions) && !isBlank(plan.text);
  return pendingReview(session)?.planFile ?? (isLeft ? plan.file : null);
}
