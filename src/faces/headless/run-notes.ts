/** What is noted while a headless run goes on: what was denied, changed and asked in vain, what failed, and why it was stopped. */
import { isAbsolute, relative } from "node:path";
import { questionsOf, type Happening } from "../../agent/ports/handle.ts";
import type { UserQuestion } from "../../core/questions.ts";
import type { PublicEvent } from "../../agent/ports/event-shapes.ts";
import type { Access, Call } from "../../core/decide/access.ts";
import { isPlanning } from "../../core/mode.ts";
import { openQuestions } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import type { Denied } from "./run-result.ts";

export type RunStopReason = "limit" | "interrupted";

export interface Run {
  readonly denials: Denied[];
  /** By calls. */
  readonly changed: Set<string>;
  /** In the work tree while it planned, by whomever. */
  readonly seenChanged: Set<string>;
  readonly calls: Map<string, Call>;
  readonly agentModels: Set<string>;
  /** A side model used tokens, too. */
  hasSideUsage: boolean;
  /** Questions that could not be shown to anybody. */
  readonly questions: UserQuestion[];
  /** A plan was approved in it: what is wanted now is that it is carried out. */
  hasApproval: boolean;
  /** Since the person last spoke, outside of plan mode. */
  work: Work;
  turns: number;
  error: string | null;
  /** Why stdout takes nothing any more. */
  outputError: NodeJS.ErrnoException | null;
  /** What a command answered that gives the model nothing to do. */
  said: string | null;
  /** A command was not carried out. */
  isRefused: boolean;
  stopped: RunStopReason | null;
  /** Aborted with the stop: whoever waits for input waits no longer. */
  readonly signal: AbortSignal;
  cancel: () => void;
  stop(why: RunStopReason): void;
}

/** What was denied, by rules, for want of a person or by auto mode, and whether anything was edited all the same. */
interface Work {
  readonly denials: Denied[];
  /** Those that it cannot be done without. */
  readonly edits: Denied[];
  hasEdited: boolean;
}

export function newRun(): Run {
  const controller = new AbortController();
  return {
    denials: [],
    changed: new Set(),
    seenChanged: new Set(),
    calls: new Map(),
    agentModels: new Set(),
    hasSideUsage: false,
    questions: [],
    hasApproval: false,
    work: nothingDone(),
    turns: 0,
    error: null,
    outputError: null,
    said: null,
    isRefused: false,
    stopped: null,
    signal: controller.signal,
    cancel: () => undefined,
    stop(why) {
      if (this.stopped !== null) return;
      this.stopped = why;
      this.cancel();
      controller.abort();
    },
  };
}

export function note(happening: Happening, run: Run): void {
  if (happening.kind === "halted") run.error = `The session log cannot be written: ${happening.error}`;
  if (happening.kind === "agent" && happening.news.kind === "started") run.agentModels.add(happening.news.model);
  if (happening.kind !== "event") return;
  const { event, session, before } = happening;
  if (event.type === "model-failed") run.error = session.turn.compaction === null ? event.error : null;
  if (event.type === "compaction-failed" && before.turn.compaction?.why !== "near") run.error = event.error;
  if (event.type === "user-said") {
    run.error = null;
    run.work = nothingDone();
  }
  if (session.plan.approved !== null && session.plan.approved !== before.plan.approved) run.hasApproval = true;
  if (event.type === "classifier-answered" && event.usage !== undefined) run.hasSideUsage = true;
  run.turns += happening.effects.filter(({ type }) => type === "call-model").length;
  if (event.type === "work-tree-compared") for (const path of event.changed) run.seenChanged.add(path);
  if (event.type !== "tool-finished" || !isChange(event.output)) return;
  const plans = new Set(session.plans.map(({ file }) => file));
  const changed = event.output.changed.filter((path) => !plans.has(path));
  for (const path of changed) run.changed.add(path);
  if (changed.length > 0) run.work.hasEdited = true;
}

/** What was denied, and asked in vain. Those of agents too: the id of a call is then behind the agent's. */
export function noteDenials(
  happening: Happening,
  run: Run,
  eventsOf: (happening: Happening) => readonly PublicEvent[],
): void {
  const isWithin = happening.kind === "agent" && happening.news.kind === "within";
  const told = isWithin ? happening.news.happening : happening;
  const prefix = isWithin ? `${happening.id}:` : "";
  if (told.kind !== "event") return;
  const { event, before, session } = told;
  if (event.type === "question-answered" && event.answer.status === "not-shown") {
    const questions = openQuestions(before).find(({ id }) => id === event.questionId)?.questions ?? [];
    run.questions.push(...(isWithin ? questionsOf(happening.agent, questions) : questions));
  }
  if (event.type === "model-replied") for (const call of event.calls) run.calls.set(prefix + call.id, call);
  for (const shown of eventsOf(told)) {
    if (shown.type !== "tool.denied" && shown.type !== "tool.finished") continue;
    const call = run.calls.get(prefix + shown.id);
    const access = call?.access ?? null;
    const isWorking = !isPlanning(session.permissions);
    if (shown.type === "tool.finished") {
      if (isWorking && isEditing(access) && !shown.isError) run.work.hasEdited = true;
      continue;
    }
    const { tool, reason, code } = shown;
    const denied = { tool, input: call?.input ?? null, reason, code };
    run.denials.push(denied);
    if (!isWorking || !withoutPerson.has(code)) continue;
    run.work.denials.push(denied);
    /** Before an approval a command may have been a way to look, and a rule or an agent has its answer. */
    const isMissed = access?.kind === "write" && !isWithin && code === "nobody";
    if (run.hasApproval ? isEditing(access) : isMissed) run.work.edits.push(denied);
  }
}

/** Nothing of what the work needed was let through: the run did not do what it was asked for. */
export function refusedWork({ work }: Run): readonly Denied[] {
  return work.hasEdited ? [] : work.edits;
}

/** Inside of the project: from its root, as everywhere in the JSON; elsewhere whole. */
export function fromRoot(path: string, { roots }: Session): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(roots.project, path);
  return inside === "" || inside.startsWith("..") ? path : inside;
}

/** What is denied for a reason that the person may want to change; not what they said no to, nor what the model got wrong. */
const withoutPerson: ReadonlySet<string> = new Set(["nobody", "rule", "hook", "classifier"]);

function nothingDone(): Work {
  return { denials: [], edits: [], hasEdited: false };
}

function isEditing(access: Access | null): boolean {
  return access?.kind === "write" || (access?.kind === "command" && access.verdict === "writes");
}

function isChange(output: unknown): output is { readonly changed: readonly string[] } {
  return typeof output === "object" && output !== null && "changed" in output && Array.isArray(output.changed);
}
