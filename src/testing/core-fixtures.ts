/** Sessions, calls and moves for tests of the core: plain functions over values, no state of their own. */
import type { Access, Call, CommandAccess, ExternalAccess, Place } from "../core/decide/access.ts";
import { items } from "../core/chain.ts";
import type { Effect } from "../core/effect.ts";
import type { Event, SessionStarted } from "../core/event.ts";
import type { Mode } from "../core/mode.ts";
import type { Outcome } from "../core/outcome.ts";
import { hashText } from "../core/plan/hash.ts";
import { reduce } from "../core/reduce.ts";
import type { Reminder } from "../core/reminders/reminder.ts";
import type { Verdict } from "../core/verdict.ts";
import { pendingReview } from "../core/selectors.ts";
import { freshSession, type PlanSettings, type Session } from "../core/session.ts";
import type { Entry } from "../core/transcript.ts";

export const plans = "/home/me/.groundplan/plans";
export const planFile = `${plans}/calm-baking-otter.md`;
export const otherPlanFile = `${plans}/bold-sailing-heron.md`;
export const person = { user: "ada", surface: "terminal" };
export const noOrigin = { branch: null, commit: null };

/** Something that happens: an event, or one that depends on the session (request numbers, hashes, question ids). */
export type Move = Event | ((session: Session) => Event);

export interface Played {
  readonly session: Session;
  /** The effects of every move, in order. */
  readonly effects: readonly Effect[];
  /** The effects of the last move alone. */
  readonly last: readonly Effect[];
  readonly log: readonly Event[];
}

export function play(session: Session, ...moves: readonly Move[]): Played {
  return moves.reduce<Played>(
    (played, move) => {
      const event = typeof move === "function" ? move(played.session) : move;
      const { session: next, effects } = reduce(played.session, event);
      return { session: next, effects: [...played.effects, ...effects], last: effects, log: [...played.log, event] };
    },
    { session, effects: [], last: [], log: [] },
  );
}

export const settings: PlanSettings = {
  planNetwork: "readers",
  modelMayEnterPlan: "ask",
  useAutoModeDuringPlan: false,
  cycleModes: null,
  planTemplate: null,
  maxPlanningTokens: null,
  planScope: "warn",
};

export function start(over: Partial<SessionStarted> = {}): SessionStarted {
  return {
    type: "session-started",
    id: "s1",
    at: 1,
    actor: { kind: "main" },
    roots: { project: "/repo", home: "/home/me" },
    mode: "default",
    bypassAvailable: false,
    reviewable: true,
    rules: { allow: [], ask: [], deny: [] },
    runners: ["Bash", "PowerShell", "Agent"],
    settings,
    auto: { optedIn: false, gateOpen: false },
    ...over,
  };
}

/** Auto mode can be had; `duringPlan` is the setting `useAutoModeDuringPlan`. */
export function withAuto(duringPlan: "during-plan" | "not-during-plan"): Partial<SessionStarted> {
  const useAutoModeDuringPlan = duringPlan === "during-plan";
  return { auto: { optedIn: true, gateOpen: true }, settings: { ...settings, useAutoModeDuringPlan } };
}

export function started(over: Partial<SessionStarted> = {}): Session {
  return reduce(freshSession(), start(over)).session;
}

/** The model is thinking about the first message, in the mode that the session began in. */
export function working(over: Partial<SessionStarted> = {}): Session {
  return play(started(over), said("Refactor auth")).session;
}

/** In plan mode, with a claimed file, the full reminder given, the model thinking about the first message. */
export function planning(over: Partial<SessionStarted> = {}): Session {
  const session = play(started(over), choose("plan"), said("Refactor auth")).session;
  return session.plan.claim === "pending" ? play(session, claimed()).session : session;
}

/** The same, after the plan was submitted: it lies before the person. */
export function reviewing(text = "# Plan\n1. do it", over: Partial<SessionStarted> = {}): Session {
  return play(planning(over), ...submission(text)).session;
}

export function said(text: string): Event {
  return { type: "user-said", text };
}

export function choose(mode: Mode): Event {
  return { type: "mode-chosen", mode };
}

export function claimed(file = planFile): Event {
  const slug = file.slice(file.lastIndexOf("/") + 1, -".md".length);
  return { type: "plan-claimed", slug, file, origin: noOrigin };
}

/** The model's answer to the request under way; without calls it ends the turn in text. */
export function reply(...calls: readonly Call[]): Move {
  return ({ turn }) => ({
    type: "model-replied",
    request: turn.thinking ?? -1,
    content: [{ type: "text", text: "…" }],
    calls,
  });
}

export function finished(callId: string): Event {
  return { type: "tool-finished", callId, output: "done", isError: false };
}

/** The person's answer to the open question of that call. */
export function answered(callId: string, allowed: "yes" | "no"): Move {
  return (session) => ({
    type: "permission-answered",
    questionId: questionOf(session, callId) ?? "none",
    allowed: allowed === "yes",
    by: person,
  });
}

export function classified(callId: string, answer: "allow" | "deny" | "unsure"): Move {
  return (session) => ({
    type: "classifier-answered",
    questionId: questionOf(session, callId) ?? "none",
    answer,
    reason: "because",
  });
}

export function questionOf({ turn }: Session, callId: string): string | null {
  const state = turn.open.find(({ call }) => call.id === callId)?.state;
  return state !== undefined && "questionId" in state ? state.questionId : null;
}

export function submission(text: string | null, callId = "exit"): readonly Move[] {
  return [reply(call(callId, { kind: "exit-plan" })), { type: "plan-read", callId, text, at: 10 }];
}

/** A verdict on the plan that lies before the person, or before the team's lead. */
export function decided(verdict: Verdict, type: "review-decided" | "lead-answered" = "review-decided"): Move {
  return (session) => ({
    type,
    requestId: pendingReview(session)?.id ?? "none",
    verdict,
    by: person,
    at: 20,
  });
}

/** Approves exactly what was shown, and lets the file still hold it. */
export function approval(more: Partial<Extract<Verdict, { kind: "approve" }>> = {}): readonly Move[] {
  return [
    (session) => {
      const hash = pendingReview(session)?.hash ?? hashText("");
      const move = decided({ kind: "approve", hash, ...more });
      return typeof move === "function" ? move(session) : move;
    },
    (session) => ({
      type: "plan-read",
      callId: pendingReview(session)?.callId ?? "exit",
      text: pendingReview(session)?.plan ?? null,
      at: 21,
    }),
  ];
}

export function call(id: string, access: Access | null, more: Partial<Call> = {}): Call {
  return { id, tool: "Tool", input: {}, access, subjects: [], ...more };
}

export function reads(id: string, path = "/repo/a.ts"): Call {
  return call(id, { kind: "read", paths: [path] }, { tool: "Read", subjects: [{ rule: "Read", path }] });
}

export function writes(id: string, path = "/repo/a.ts", place: Place = "project"): Call {
  return call(id, { kind: "write", path, place }, { tool: "Write", subjects: [{ rule: "Edit", path }] });
}

export function runs(id: string, over: Partial<CommandAccess> = {}): Call {
  const access = commandAccess(over);
  return call(id, access, { tool: "Bash", subjects: [{ rule: "Bash", parts: [access.command] }] });
}

export function commandAccess(over: Partial<CommandAccess> = {}): CommandAccess {
  return {
    kind: "command",
    command: "make all",
    directory: "/repo",
    verdict: "unproven",
    reason: "make runs what the project says",
    part: "make",
    sandboxed: false,
    network: false,
    files: null,
    ...over,
  };
}

export function externalAccess(over: Partial<ExternalAccess> = {}): ExternalAccess {
  return {
    kind: "external",
    name: "mcp__tracker__list",
    trusted: false,
    readOnlyHint: false,
    destructiveHint: false,
    namedReader: false,
    ...over,
  };
}

export const enters = (id = "enter"): Call => call(id, { kind: "enter-plan" }, { tool: "EnterPlanMode" });
export const exits = (id = "exit"): Call => call(id, { kind: "exit-plan" }, { tool: "ExitPlanMode" });

export function entriesOf({ transcript }: Session): readonly Entry[] {
  return items(transcript);
}

export function remindersOf(session: Session): readonly Reminder[] {
  return entriesOf(session).flatMap((entry) => (entry.kind === "reminder" ? [entry.reminder] : []));
}

/** Every result that the model got, by call. */
export function resultsOf(session: Session): Readonly<Record<string, Outcome>> {
  return Object.fromEntries(
    entriesOf(session).flatMap((entry) => (entry.kind === "result" ? [[entry.callId, entry.outcome]] : [])),
  );
}

export function typesOf(effects: readonly Effect[]): readonly string[] {
  return effects.map(({ type }) => type);
}

export function noticesIn(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === "notify" ? [effect.notice.key] : []));
}

export function refusalsIn(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === "refuse" ? [effect.reason] : []));
}

/** What each open call is waiting for. */
export function statesOf({ turn }: Session): Readonly<Record<string, string>> {
  return Object.fromEntries(turn.open.map(({ call, state }) => [call.id, state.kind]));
}

/** A return to a point that brought one file back. */
export function rewound(to: string, more: Partial<Rewound> = {}): Rewound {
  const trees = { from: "t1", after: "t2" };
  return {
    type: "session-rewound",
    id: "r1",
    to,
    what: "both",
    how: "undo",
    ...trees,
    restored: ["a"],
    kept: [],
    at: 1,
    ...more,
  };
}

type Rewound = Extract<Event, { type: "session-rewound" }>;
