/** What is noted while a headless run goes on: what was told, denied, changed and asked in vain, what failed, and why it was stopped. */
import { questionsOf, type Happening } from "../../agent/ports/handle.ts";
import type { UserQuestion } from "../../core/questions.ts";
import type { PublicEvent } from "../../agent/ports/event-shapes.ts";
import type { Access, Call } from "../../core/decide/access.ts";
import { isPlanning } from "../../core/mode.ts";
import { openQuestions, refusedPrompt } from "../../core/selectors.ts";
import { makeVisible } from "../../core/wire/visible.ts";

type Denied = Extract<PublicEvent, { type: "result" }>["denials"][number];
type Notice = Extract<PublicEvent, { type: "result" }>["notices"][number];

export type Run = ReturnType<typeof newRun>;

export function newRun() {
  const stopping = new AbortController();
  const run = {
    started: performance.now(),
    denials: [] as Denied[],
    /** Each once, oldest first. */
    notices: [] as Notice[],
    /** By calls, commands and agents; and by whomever in the work tree while it planned. */
    changed: new Set<string>(),
    calls: new Map<string, Call>(),
    agentModels: new Set<string>(),
    /** A side model used tokens, too. */
    hasSideUsage: false,
    /** Questions that could not be shown to anybody. */
    questions: [] as UserQuestion[],
    /** A plan was approved in it: what is wanted now is that it is carried out. */
    hasApproval: false,
    /** Since the person last spoke, outside of plan mode. */
    work: nothingDone(),
    turns: 0,
    error: null as string | null,
    /** Why stdout takes nothing any more. */
    outputError: null as NodeJS.ErrnoException | null,
    /** What a command answered that gives the model nothing to do. */
    said: null as string | null,
    /** A command was not carried out. */
    isRefused: false,
    stopped: null as "limit" | "interrupted" | null,
    /** Aborted with the stop: whoever waits for input waits no longer. */
    signal: stopping.signal,
    cancel: (): void => undefined,
    stop(why: "limit" | "interrupted"): void {
      if (run.stopped !== null) return;
      run.stopped = why;
      run.cancel();
      stopping.abort();
    },
  };
  return run;
}

/** What was denied, by rules, for want of a person or by auto mode, and whether anything was edited all the same. */
function nothingDone() {
  return {
    denials: [] as Denied[],
    /** One that the work cannot be done without. */
    hasDeniedEdit: false,
    hasEdited: false,
  };
}

/** What the terminal would show as a notice: on stderr as it happens, a wait each time, and in the result. */
export function noteNotice({ notices }: Run, { key, text }: Notice, complain: (line: string) => void): void {
  const isKnown = notices.some((known) => known.key === key && known.text === text);
  if (!isKnown) notices.push({ key, text });
  if (!isKnown || key === "retry") complain(makeVisible(text));
}

/** Null also for what the result says. */
export function noticeIn(event: PublicEvent): Notice | null {
  if (event.type === "retry") {
    const { error, waitMs, attempt } = event;
    const text = `${error.message} Trying again in ${Math.ceil(waitMs / 1000)} s (attempt ${attempt}).`;
    return { key: event.type, text };
  }
  if (event.type !== "notification" || event.key === "model-failed") return null;
  return { key: event.key, text: event.key === "turn-ended-in-text" ? stillPlanning : event.text };
}

/** Where there are no keys to press. */
const stillPlanning = "still in plan mode · go on with words, or leave with /plan off";

export function note(happening: Happening, run: Run): void {
  if (happening.kind === "halted") run.error = `The session log cannot be written: ${happening.error}`;
  if (happening.kind === "agent" && happening.news.kind === "started") run.agentModels.add(happening.news.model);
  if (happening.kind !== "event") return;
  const { event, session, before } = happening;
  if (event.type === "model-failed") run.error = session.turn.compaction === null ? event.error : null;
  if (event.type === "compaction-failed" && before.turn.compaction?.why !== "near") run.error = event.error;
  const refused = refusedPrompt(before, event);
  if (refused !== null) run.error = `A hook does not let the prompt through: ${refused}`;
  if (event.type === "user-said") {
    run.error = null;
    run.work = nothingDone();
  }
  if (session.plan.approved !== null && session.plan.approved !== before.plan.approved) run.hasApproval = true;
  if (event.type === "classifier-answered" && event.usage !== undefined) run.hasSideUsage = true;
  run.turns += happening.effects.filter(({ type }) => type === "call-model").length;
  if (event.type === "work-tree-compared") for (const path of event.changed) run.changed.add(path);
  if (event.type === "work-ended") for (const path of event.changed ?? []) run.changed.add(path);
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
    if (run.hasApproval ? isEditing(access) : isMissed) run.work.hasDeniedEdit = true;
  }
}

/** What is denied for a reason that the person may want to change; not what they said no to, nor what the model got wrong. */
const withoutPerson: ReadonlySet<string> = new Set(["nobody", "rule", "hook", "classifier"]);

function isEditing(access: Access | null): boolean {
  return access?.kind === "write" || (access?.kind === "command" && access.verdict === "writes");
}

function isChange(output: unknown): output is { readonly changed: readonly string[] } {
  return typeof output === "object" && output !== null && "changed" in output && Array.isArray(output.changed);
}
