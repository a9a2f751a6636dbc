/** What must hold in every session, whatever happens; stated from the specification, independently of the code. */
import { isDeepStrictEqual } from "node:util";
import type { Call } from "../../src/core/decide/access.ts";
import { items } from "../../src/core/chain.ts";
import type { Answerer, Verdict } from "../../src/core/verdict.ts";
import type { Effect } from "../../src/core/effect.ts";
import type { Event } from "../../src/core/event.ts";
import { approvedHash } from "../../src/core/plan/ledger.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import { reduce, replay } from "../../src/core/reduce.ts";
import { openQuestions, statusLabel } from "../../src/core/selectors.ts";
import { freshSession, type Session } from "../../src/core/session.ts";
import { isHarmless, isUncagedUnproven } from "./calls.ts";

interface Moment {
  readonly before: Session;
  readonly event: Event;
  readonly session: Session;
  readonly effects: readonly Effect[];
  readonly log: readonly Event[];
}

export interface Checks {
  after(moment: Moment): string | null;
  /** The state is as before; what is said about it must be true. */
  refused(event: Event, effects: readonly Effect[]): string | null;
  atEnd(session: Session, log: readonly Event[]): string | null;
}

export function createChecks(): Checks {
  const asked = new Map<string, { readonly call: Call; readonly revision: number }>();
  const shown = new Map<string, { readonly hash: string; readonly plan: string }>();
  const approvals = new Map<string, { readonly text: string; readonly hash: string }>();
  const confirmed = new Map<string, string | null>();
  const decided = new Set<string>();
  const refusedByHook = new Set<string>();
  const questioned = new Set<string>();
  /** Who closed a question or a review last; null where it was taken back. */
  const closedBy = new Map<string, Answerer | null>();
  const results = new Map<string, number>();
  const calls = new Set<string>();
  let thinking: number | null = null;

  const modelCalls = ({ event, session, effects }: Moment): string | null => {
    if (event.type === "model-replied" || event.type === "model-failed") {
      if (event.request === thinking) thinking = null;
    }
    if (event.type === "turn-cancelled" || event.type === "session-resumed") thinking = null;
    for (const effect of effects) {
      if (effect.type !== "call-model") continue;
      if (thinking !== null) return "two model calls at a time";
      thinking = effect.request;
      const problem = noticesAgree(session);
      if (problem !== null) return problem;
    }
    return session.turn.thinking === thinking ? null : "the store and the model calls disagree";
  };

  const runs = ({ before, event, session, effects }: Moment): string | null => {
    const planning = session.permissions.mode.current === "plan";
    if (event.type === "hooks-answered" && (event.answer.answer === "deny" || event.answer.stop !== undefined)) {
      const about = before.hooks.waiting.find(({ id }) => id === event.id)?.occasion;
      if (about?.event === "PreToolUse") refusedByHook.add(about.callId);
    }
    for (const effect of effects) {
      if (effect.type === "ask-permission" || effect.type === "classify") {
        asked.set(effect.questionId, { call: effect.call, revision: session.permissions.revision });
      }
      if (effect.type === "request-review" || effect.type === "submit-plan") {
        shown.set(effect.request.id, { hash: effect.request.hash, plan: effect.request.plan });
        if (effect.request.plan.trim() === "") return "an empty plan was presented";
        if (!planning) return "a plan was presented outside of plan mode";
        if (event.type === "plan-read" && session.settings.hooks?.includes("plan.submitted") === true)
          return "a plan was presented that hooks did not hear of";
      }
      if (effect.type === "write-plan" && effect.file !== session.plan.file) return "a plan was written elsewhere";
      if (effect.type !== "run-tool") continue;
      const { call } = effect;
      if (!session.turn.open.some((open) => open.call.id === call.id && open.state.kind === "running")) {
        return "a tool runs that is not open";
      }
      if (call.hook?.answer === "deny" || refusedByHook.has(call.id))
        return `a call runs that a hook refused: ${call.tool}`;
      const isUnheard = call.hook === undefined && effect.answer === undefined;
      if (isUnheard && before.settings.hooks?.includes("PreToolUse") === true && event.type !== "settings-changed")
        return `a call runs that hooks did not hear of: ${call.tool}`;
      if (isDenied(call, session)) return `a denied call runs: ${call.tool}`;
      if (!planning || isHarmless(call, session.plan.file)) continue;
      if (isUncagedUnproven(call) && isYesTo(event, call, session, asked)) continue;
      return `plan mode ran ${JSON.stringify(call)}`;
    }
    return null;
  };

  const answerable = ({ before, event, session, effects }: Moment): string | null => {
    for (const effect of effects) {
      if (effect.type === "close-review") closedBy.set(effect.requestId, effect.by);
      if (effect.type === "close-questions") closedBy.set(effect.id, effect.by);
      if (effect.type === "withdraw-question") closedBy.set(effect.questionId, null);
    }
    if (event.type === "permission-answered") {
      const isOpen = before.turn.open.some(
        ({ state }) => state.kind === "asking" && state.questionId === event.questionId,
      );
      if (!isOpen) return "an answer to a question that was not open counted";
      closedBy.set(event.questionId, event.by);
    }
    if (event.type === "question-answered") {
      if (!openQuestions(before).some(({ id }) => id === event.questionId))
        return "an answer to questions that were not open counted";
      if (questioned.has(event.questionId)) return "questions were answered twice";
      questioned.add(event.questionId);
      const told = effects.filter((effect) => effect.type === "run-tool" && effect.answer === event.answer);
      if (told.length !== (event.stop === true ? 0 : 1)) return "an answer did not reach its call";
    }
    for (const { state } of session.turn.open) {
      if (!("questionId" in state)) continue;
      if (asked.get(state.questionId)?.revision !== session.permissions.revision)
        return "a question of another mode is open";
    }
    if (event.type !== "lead-answered") return null;
    return before.plan.awaiting?.id === event.requestId ? null : "a foreign answer counted";
  };

  const ends = ({ before, event, session }: Moment): string | null => {
    if (event.type === "plan-read") confirmed.set(event.callId, event.text);
    if (event.type === "review-decided") {
      if (!shown.has(event.requestId)) return "an answer to no review counted";
      if (decided.has(event.requestId)) return "a review was answered twice";
      decided.add(event.requestId);
      const request = shown.get(event.requestId);
      if (event.verdict.kind === "approve" && request?.hash === event.verdict.hash) {
        approvals.set(event.requestId, { text: event.verdict.plan ?? request.plan, hash: request.hash });
      }
    }
    if (before.permissions.mode.current !== "plan" || session.permissions.mode.current === "plan") return null;
    const isPersons = ["mode-chosen", "mode-cycled", "plan-left"].includes(event.type);
    const follows = session.actor.kind === "subagent" || "held" in before.permissions.mode;
    if (isPersons || (event.type === "parent-mode-changed" && follows)) return null;
    if (event.type === "review-decided")
      return ["save", "abandon"].includes(event.verdict.kind) ? null : "left by a verdict that does not leave";
    if (event.type === "lead-answered") return leadApproved(before, event.verdict, before.plan.text);
    const { answering, awaiting } = before.plan;
    if (event.type === "plan-written" && answering !== null) {
      const { verdict } = answering;
      return leadApproved(before, verdict, event.callId === awaiting?.callId ? (verdict.plan ?? null) : null);
    }
    if (session.actor.kind === "teammate" && "voluntary" in before.permissions.mode && hasLeft(before, session))
      return null;
    if (event.type !== "plan-read" && event.type !== "plan-written") return `plan mode ended by ${event.type}`;
    if (session.actor.kind === "teammate" && !session.actor.planRequired) return null;
    const entry = items(session.transcript).findLast((one) => one.kind === "result" && one.callId === event.callId);
    if (entry?.kind !== "result" || entry.outcome.kind !== "approved") return "left without an approval";
    const approved = entry.outcome.plan;
    const onDisk = hashText(confirmed.get(event.callId) ?? "");
    const isTheirs = [...approvals.values()].some(({ text, hash }) => text === approved && hash === onDisk);
    return isTheirs ? null : "approved a text that nobody approved, or that the file no longer held";
  };

  /** After a return to a point the conversation that counts is the one that was returned to. */
  const returnedTo = (session: Session): string | null => {
    const ids = items(session.transcript).flatMap((entry) => (entry.kind === "result" ? [entry.callId] : []));
    results.clear();
    calls.clear();
    for (const id of ids) {
      if (results.has(id)) return `call ${id} has two results after a return`;
      results.set(id, 1);
      calls.add(id);
    }
    return session.turn.open.length > 0 ? "calls are open after a return" : null;
  };

  const settled = ({ event, session, before }: Moment): string | null => {
    if (event.type === "session-rewound" && event.what !== "files") return returnedTo(session);
    if (event.type === "model-replied" && before.turn.thinking === event.request) {
      for (const call of event.calls) calls.add(call.id);
    }
    if (session.transcript.length > before.transcript.length) {
      for (const entry of items(session.transcript).slice(before.transcript.length)) {
        if (entry.kind !== "result") continue;
        const count = (results.get(entry.callId) ?? 0) + 1;
        results.set(entry.callId, count);
        const state = before.turn.open.find(({ call }) => call.id === entry.callId)?.state.kind;
        /** A call that cannot succeed ends before anybody has answered. */
        const isHopeless = state === "asking" && event.type === "tool-finished" && event.isError;
        if (entry.outcome.kind === "ran" && state !== "running" && state !== "finishing" && !isHopeless)
          return "a call that did not run has an output";
        if (count > 1 || !calls.has(entry.callId)) return `call ${entry.callId} has ${count} results`;
      }
    }
    return null;
  };

  return {
    after: (moment) =>
      runs(moment) ??
      answerable(moment) ??
      modelCalls(moment) ??
      ends(moment) ??
      settled(moment) ??
      labelled(moment) ??
      escapable(moment) ??
      kept(moment) ??
      stops(moment) ??
      granted(moment),
    refused(event, effects) {
      const id =
        event?.type === "review-decided"
          ? event.requestId
          : event?.type === "permission-answered" || event?.type === "question-answered"
            ? event.questionId
            : null;
      const by = id === null ? null : (closedBy.get(id) ?? null);
      const isMalformed = effects.some((effect) => effect.type === "refuse" && effect.reason === "malformed-event");
      if (by === null || isMalformed) return null;
      const isTold = effects.some((effect) => effect.type === "refuse" && isDeepStrictEqual(effect.by, by));
      return isTold ? null : "a late answer was not told whose was taken";
    },
    atEnd(session, log) {
      const open = new Set(session.turn.open.map(({ call }) => call.id));
      const lost = [...calls].filter((id) => !open.has(id) && !results.has(id));
      if (lost.length > 0) return `calls without a result: ${lost.join(", ")}`;
      return isDeepStrictEqual(plain(replay(freshSession(), log)), plain(session))
        ? null
        : "replay differs from the state";
    },
  };
}

/** B18.1: a no that stops is the last thing that happens in the turn. */
function stops({ event, session, effects }: Moment): string | null {
  const isStop = (event.type === "permission-answered" || event.type === "question-answered") && event.stop === true;
  if (!isStop) return null;
  const isGoing = effects.some(({ type }) => type === "call-model" || type === "run-tool");
  return isGoing || session.turn.open.length > 0 ? "a no that stops let the turn go on" : null;
}

/** B18.2: what is allowed for the session comes of a person's yes, never while planning, and ends with the session. */
function granted({ before, event, session }: Moment): string | null {
  const [old, now] = [before, session].map(({ permissions }) => permissions.rules.session ?? []);
  const isNew = event.type === "session-resumed" || event.type === "session-forked";
  if (isNew) return now!.length === 0 ? null : "what was allowed for a session outlived it";
  if (isDeepStrictEqual(old, now)) return null;
  if (before.permissions.mode.current === "plan") return "something was allowed for the session while planning";
  const isYes = event.type === "permission-answered" && event.allowed && event.by !== null;
  const isGiven =
    event.type === "session-allowed" || event.type === "rules-changed" || event.type === "session-started";
  return isYes || isGiven ? null : "something was allowed for the session by nobody";
}

/** Each transcript as the list that it stands for. */
function plain(session: Session): unknown {
  const points = session.undo.points.map((point) => ({
    id: point.id,
    works: point.works,
    before: point.before === null ? null : { ...point.before, transcript: items(point.before.transcript) },
  }));
  return { ...session, transcript: items(session.transcript), undo: { ...session.undo, points } };
}

/** A deny rule by bare name holds in every mode. */
function isDenied(call: Call, { permissions }: Session): boolean {
  return call.subjects.some(({ rule }) => permissions.rules.deny.includes(rule));
}

/** The single yes: to this call, now, by the person, in the same mode revision. */
function isYesTo(
  event: Event,
  call: Call,
  session: Session,
  asked: ReadonlyMap<string, { readonly call: Call; readonly revision: number }>,
): boolean {
  if (event.type !== "permission-answered" || !event.allowed) return false;
  const question = asked.get(event.questionId);
  return question?.call.id === call.id && question.revision === session.permissions.revision;
}

/** `held`: the text in the file when the answer counts. */
function leadApproved({ plan, actor }: Session, verdict: Verdict, held: string | null): string | null {
  const { awaiting } = plan;
  const isApproval = verdict.kind === "approve" && verdict.hash === awaiting?.hash && actor.kind === "teammate";
  if (!isApproval) return "a lead's answer ended plan mode without approving";
  if (held !== (verdict.plan ?? awaiting?.plan)) return "a lead approved a text that the plan no longer held";
  return actor.parent === "plan" ? "let out under a planning session" : null;
}

/** Store, status label and the last notice to the model agree whenever the model is asked. */
function noticesAgree(session: Session): string | null {
  const planning = session.permissions.mode.current === "plan";
  const notice = items(session.transcript).findLast(
    (entry) => entry.kind === "reminder" && ["plan_mode", "plan_mode_exit"].includes(entry.reminder.type),
  );
  const told = notice?.kind === "reminder" ? notice.reminder.type : null;
  if (planning && told !== "plan_mode") return "the model is not told that plan mode is on";
  if (!planning && told === "plan_mode") return "the model is not told that plan mode is off";
  const file =
    notice?.kind === "reminder" && notice.reminder.type === "plan_mode" ? notice.reminder.planFilePath : null;
  if (planning && file !== session.plan.file) return "the model was told another plan file";
  return null;
}

function labelled({ session }: Moment): string | null {
  const planning = session.permissions.mode.current === "plan";
  return statusLabel(session).includes("plan mode on") === planning ? null : "the status line lies";
}

/** B4.1: from every state a person is out of plan mode in at most two actions, without the model. */
function escapable({ session }: Moment): string | null {
  if (session.permissions.mode.current !== "plan") return null;
  const left = reduce(session, { type: "plan-left" }).session;
  const chosen = reduce(session, { type: "mode-chosen", mode: "default" }).session;
  return left.permissions.mode.current !== "plan" && chosen.permissions.mode.current === "default" ? null : "trapped";
}

/** B5.1: what was approved stays as it was approved, and no write of the model reaches it in any mode. An approval that is undone is undone (B15.3). */
function kept({ event, before, session, effects }: Moment): string | null {
  if (event.type === "session-rewound") return null;
  for (const record of before.plans) {
    if (approvedHash(record) === null) continue;
    const isReached = effects.some(
      (effect) =>
        effect.type === "run-tool" && effect.call.access?.kind === "write" && effect.call.access.path === record.file,
    );
    if (isReached) return "an approved plan is written to";
    const now = session.plans.find(({ id }) => id === record.id);
    if (now?.revisions.at(-1)?.hash !== record.revisions.at(-1)?.hash) return "an approved plan changed";
    if (session.plan.file === record.file) return "an approved plan's file is open for writing again";
  }
  const { transcript } = session;
  return transcript.length > 0 && transcript.shared[transcript.length - 1] === undefined
    ? "the transcript is broken"
    : null;
}

/** R12.3: a teammate took its own choice to plan back. */
function hasLeft(before: Session, { transcript }: Session): boolean {
  const added = items(transcript).slice(before.transcript.length);
  return added.some((entry) => entry.kind === "result" && entry.outcome.kind === "left");
}
