/** What hooks and `stream-json` see of a session: dotted public names, independent of the log's own events (R16.1, R16.2). */
import type { Call } from "../../core/decide/access.ts";
import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import { noticeText } from "../../core/reminders/notice.ts";
import { hashText } from "../../core/plan/hash.ts";
import { exitOutput } from "../../core/selectors.ts";
import { strippedRules } from "../../core/decide/rules.ts";
import type { Session } from "../../core/session.ts";
import { items } from "../../core/chain.ts";
import { replyText, type Entry } from "../../core/transcript.ts";
import type { Prompts } from "../../prompts/index.ts";
import { renderDenial } from "../../prompts/render/denial.ts";
import type { PublicEvent } from "../ports/event-shapes.ts";
import { agentQuestionId, questionsOf, type AgentHappening, type Happening } from "../ports/handle.ts";

export interface EventFacts {
  /** Whether the session has a tool that starts agents (R7.8). */
  readonly hasTaskTool: boolean;
}

/** Everything a surface may want to show of one happening, in order. */
export function publicEvents(
  happening: Happening,
  prompts: Prompts,
  facts: EventFacts = { hasTaskTool: false },
): readonly PublicEvent[] {
  switch (happening.kind) {
    case "delta":
      return fromDelta(happening.delta);
    case "agent":
      return fromAgent(happening, prompts);
    case "team":
    case "asking":
      return [happening.news];
    case "unanswered":
      return [{ type: "plan.unanswered", id: happening.requestId }];
    case "halted":
      return [{ type: "error", message: `The session log cannot be written: ${happening.error}` }];
    case "event": {
      const { event, before, session, effects } = happening;
      const { transcript } = session;
      const known = before.transcript.length;
      const added = transcript.length > known ? items(transcript).slice(known) : [];
      return [
        ...(effects.some(({ type }) => type === "refuse") ? [] : fromEvent(event, session)),
        ...modeChange(before, session),
        ...autoChange(before, session),
        ...added.flatMap((entry) => fromEntry(entry, session, { prompts, ...facts })),
        ...effects.flatMap((effect) => fromEffect(effect)),
      ];
    }
  }
}

function fromDelta(delta: Extract<Happening, { kind: "delta" }>["delta"]): readonly PublicEvent[] {
  switch (delta.type) {
    case "text":
      return [{ type: "message.delta", text: delta.text }];
    case "thinking":
      return [{ type: "thinking.delta", text: delta.text }];
    case "retrying":
      return [{ type: "retry", attempt: delta.attempt, waitMs: delta.waitMs, error: delta.error }];
    case "restarted":
      return [{ type: "message.restarted" }];
    case "failed":
      return [{ type: "error", code: delta.error.code, message: delta.error.message }];
    case "done":
      return [{ type: "usage", ...delta.usage }];
  }
}

function fromEvent(event: Event, session: Session): readonly PublicEvent[] {
  switch (event.type) {
    case "session-started":
      return [{ type: "session.started", sessionId: event.id, mode: session.permissions.mode.current }];
    case "session-linked":
      return [{ type: "session.linked", sessionId: session.id, to: event.id }];
    case "session-resumed":
      return [{ type: "session.resumed", sessionId: session.id, mode: session.permissions.mode.current }];
    case "user-said":
      return [{ type: "user", text: event.text }];
    case "plan-saved":
      return [{ type: "plan.saved", path: session.plan.file, hash: hashText(event.text), by: event.by }];
    case "files-edited":
      return event.edits.flatMap(({ path, own }) => (own === true ? [] : [{ type: "file.edited", path }]));
    case "compaction-requested":
      return [{ type: "context.compacting", why: event.why, focus: event.focus ?? null }];
    case "context-compacted":
      return [{ type: "context.compacted", summary: event.summary }];
    case "todos-written":
      return [{ type: "todos.changed", todos: event.todos }];
    case "work-tree-compared":
      return event.changed.length === 0 ? [] : [{ type: "worktree.changed", paths: event.changed }];
    case "permission-answered":
      return [{ type: "permission.answered", id: event.questionId, allowed: event.allowed, by: event.by }];
    case "classifier-answered":
      return [{ type: "permission.classified", id: event.questionId, answer: event.answer, reason: event.reason }];
    default:
      return [];
  }
}

function modeChange(before: Session, after: Session): readonly PublicEvent[] {
  const from = before.permissions.mode.current;
  const mode = after.permissions.mode.current;
  if (from === mode || before.id === "")
    return mode === "plan" && before.id === "" ? [{ type: "plan.entered", from }] : [];
  const changed: PublicEvent = { type: "mode.changed", from, mode };
  return mode === "plan" ? [changed, { type: "plan.entered", from }] : [changed];
}

/** Auto mode may begin and end within plan mode: the rules set aside meanwhile are named (R11.2). */
function autoChange(before: Session, { permissions }: Session): readonly PublicEvent[] {
  const { autoActive: active, rules } = permissions;
  return before.permissions.autoActive === active
    ? []
    : [{ type: "auto.changed", active, stripped: strippedRules(rules) }];
}

interface EntryFacts extends EventFacts {
  readonly prompts: Prompts;
}

function fromEntry(entry: Entry, session: Session, facts: EntryFacts): readonly PublicEvent[] {
  if (entry.kind === "assistant") {
    const text = replyText(entry.content);
    return text === "" ? [] : [{ type: "message", text }];
  }
  if (entry.kind === "lead") return [fromLead(entry, session, facts)];
  if (entry.kind !== "result") return [];
  const { callId: id, tool, outcome } = entry;
  switch (outcome.kind) {
    case "ran":
      return [{ type: "tool.finished", id, tool, isError: outcome.isError, output: outcome.output }];
    case "denied": {
      const { denial } = outcome;
      const reason = renderDenial(facts.prompts, denial, { actor: session.actor.kind });
      return [{ type: "tool.denied", id, tool, code: denial.code, reason }];
    }
    case "approved": {
      const { plan, file: path, edited, notes, comments, fresh } = outcome;
      const mode = session.permissions.mode.current;
      const output = exitOutput(session, outcome, facts);
      const said = { notes, ...(comments === undefined ? {} : { comments }) };
      return [{ type: "plan.approved", id, path, hash: hashText(plan), mode, edited, ...said, fresh, output }];
    }
    case "revise":
      return [{ type: "plan.rejected", id, feedback: outcome.feedback, comments: outcome.comments }];
    case "saved":
    case "abandoned":
    case "dismissed":
    case "withdrawn":
    case "unchanged":
    case "sent-back":
      return [{ type: "plan.returned", id, outcome: outcome.kind }];
    case "submitted": {
      const output = exitOutput(session, outcome, facts);
      return [{ type: "tool.finished", id, tool, isError: false, output }];
    }
    case "cancelled":
    case "interrupted":
    case "entered":
    case "left":
      return [{ type: "tool.finished", id, tool, isError: outcome.kind === "cancelled", output: outcome.kind }];
  }
}

/** The lead's answer, under the names of any other one; `by` says who gave it. */
function fromLead(
  { requestId: id, verdict }: Extract<Entry, { kind: "lead" }>,
  session: Session,
  facts: EntryFacts,
): PublicEvent {
  const by = session.plans.flatMap(({ decisions }) => decisions).at(-1)?.by ?? null;
  if (verdict.kind === "revise")
    return { type: "plan.rejected", id, feedback: verdict.feedback, comments: verdict.comments ?? [], by };
  const { approved } = session.plan;
  if (verdict.kind !== "approve" || approved === null) return { type: "plan.returned", id, outcome: verdict.kind };
  const { file: path, hash } = approved;
  const mode = session.permissions.mode.current;
  const { plan, notes = null } = verdict;
  const [edited, fresh] = [plan !== undefined, false];
  const outcome = { kind: "approved", plan: approved.text, file: path, edited, notes, fresh } as const;
  const output = exitOutput(session, outcome, facts);
  return { type: "plan.approved", id, path, hash, mode, edited, notes, fresh, by, output };
}

function fromEffect(effect: Effect): readonly PublicEvent[] {
  switch (effect.type) {
    case "run-tool":
      return effect.answer === undefined ? [toolStarted(effect.call)] : [];
    case "ask-questions":
      return [toolStarted(effect.call), { type: "question.requested", ...effect.asked }];
    case "close-questions":
      return [{ type: "question.closed", id: effect.id, by: effect.by }];
    case "request-review":
    case "submit-plan": {
      const { id, planFile: path, plan: text, hash, revision, previous, choices, comments, ...rest } = effect.request;
      const { stale, changed, again, deadline = null } = rest;
      const submitted = { id, path, hash, revision, text, previous, choices, comments, stale, changed, again };
      const lead = effect.type === "submit-plan" ? ({ awaitingLeaderApproval: true, deadline } as const) : {};
      return [{ type: "plan.submitted", ...submitted, ...lead }];
    }
    case "reoffer-review":
      return [{ type: "plan.reoffered", id: effect.requestId, choices: effect.choices }];
    case "close-review":
      return [{ type: "plan.closed", id: effect.requestId, by: effect.by }];
    case "notify":
      return [{ type: "notification", key: effect.notice.key, ...noticeText(effect.notice) }];
    case "refuse": {
      const { event, reason, by } = effect;
      return [{ type: "refused", event, reason, ...(by === undefined ? {} : { by }) }];
    }
    default:
      return [];
  }
}

function toolStarted({ id, tool, input }: Call): PublicEvent {
  return { type: "tool.started", id, tool, input };
}

function fromAgent({ id, agent, callId, news }: AgentHappening, prompts: Prompts): readonly PublicEvent[] {
  switch (news.kind) {
    case "started":
      return [{ type: "agent.started", id, agent, callId, description: news.description, model: news.model }];
    case "within":
      return publicEvents(news.happening, prompts).flatMap((event) => fromChild(event, id, agent));
    case "finished":
      return [{ type: "agent.finished", id, agent, callId, status: news.status, usage: news.usage }];
  }
}

/** Of an agent's own events a surface hears which tools it uses and what it wants of the person, labelled with the agent. */
function fromChild(event: PublicEvent, agent: string, name: string): readonly PublicEvent[] {
  switch (event.type) {
    case "tool.started":
      return [{ type: "agent.progress", id: agent, tool: event.tool }];
    case "tool.denied":
      return [{ type: "agent.progress", id: agent, tool: event.tool, denied: event.code }];
    case "question.requested":
      return [{ ...event, id: agentQuestionId(agent, event.id), questions: questionsOf(name, event.questions), agent }];
    case "question.closed":
    case "permission.requested":
    case "permission.withdrawn":
    case "permission.answered":
    case "permission.classified":
      return [{ ...event, id: agentQuestionId(agent, event.id), agent }];
    case "notification":
      return event.key === "outside-plan" ? [{ ...event, agent }] : [];
    case "retry":
    case "plan.saved":
    case "plan.submitted":
    case "plan.reoffered":
    case "plan.closed":
    case "plan.unanswered":
    case "plan.approved":
    case "plan.rejected":
    case "plan.returned":
      return [{ ...event, agent }];
    default:
      return [];
  }
}
