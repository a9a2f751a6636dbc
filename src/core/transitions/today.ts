/** Resuming under the rules of today: what this start and today's settings say takes the place of what the log says (B1.15). */
import { posix } from "node:path";
import { decide } from "../decide/decide.ts";
import type { Effect, Step } from "../effect.ts";
import type { Today } from "../event.ts";
import type { ReviewRequest } from "../plan/review.ts";
import { emptyPlan, type CallState, type OpenCall, type Session } from "../session.ts";
import { follow, step, withPlan, withTurn } from "../step.ts";
import { isUnheard, withHooks } from "./ask-hooks.ts";
import { situationOf } from "./calls.ts";
import { autoChanged, bypassChanged, choicesNow, planAtMost } from "./mode.ts";
import { setState, settle } from "./open-calls.ts";
import { withoutPoints } from "./points.ts";

export function applyToday(session: Session, today: Today): Step {
  const { actor, roots, rules, runners, settings, autoOptedIn, reviewable, bypass, doubt } = today;
  const { allow, ask, deny } = rules;
  const now: Session = {
    ...session,
    actor,
    roots,
    reviewable,
    settings: { ...session.settings, ...settings },
    auto: { ...session.auto, optedIn: autoOptedIn },
    permissions: { ...session.permissions, rules: { ...session.permissions.rules, allow, ask, deny, runners } },
  };
  if (doubt !== undefined) return doubted(now, doubt);
  return follow(bypassChanged(now, bypass), (bounded) => follow(autoChanged(bounded), (now) => step(reoffered(now))));
}

/** Nothing that a doubtful log left open goes on, nothing that it claims to be approved counts, and its mode neither. */
function doubted(session: Session, { why, id, plansDirectory }: NonNullable<Today["doubt"]>): Step {
  const { file } = session.plan;
  const isOurs = file === null || posix.dirname(file) === plansDirectory;
  const parted = partOpenCalls(session);
  const quiet: Session = {
    ...withTurn(parted, { queued: [] }),
    ...withoutPoints,
    id,
    plan: isOurs ? { ...session.plan, awaiting: null, answering: null, approved: null } : emptyPlan,
    permissions: { ...session.permissions, bypassAvailable: false },
    links: { ...session.links, due: null },
  };
  return follow(step(quiet, { type: "notify", notice: { key: "log-doubted", why } }), planAtMost);
}

/** What was open stays undone. */
export function partOpenCalls(session: Session): Session {
  const settled = session.turn.open.reduce(
    (now, { call, state }) => settle(now, call.id, { kind: state.kind === "running" ? "interrupted" : "cancelled" }),
    session,
  );
  return withTurn(withHooks(settled, { waiting: [] }), { thinking: null, due: false, ended: false, compaction: null });
}

/** A plan that is shown offers the modes that can be had from now on, and its dialog is told (R11.3). */
export function reofferModes(session: Session): Step {
  const choices = choicesNow(session);
  const effects = session.turn.open.flatMap(({ state }): Effect[] => {
    if (state.kind !== "reviewing" || JSON.stringify(state.request.choices) === JSON.stringify(choices)) return [];
    return [{ type: "reoffer-review", requestId: state.request.id, choices }];
  });
  return step(reoffered(session), ...effects);
}

/** A plan that waits offers the modes that can be had now. */
function reoffered(session: Session): Session {
  const { plan } = session;
  const choices = choicesNow(session);
  const offer = (request: ReviewRequest): ReviewRequest => ({ ...request, choices });
  const open = session.turn.open.reduce(
    (now, { call, state }) =>
      state.kind === "reviewing" ? setState(now, call.id, { kind: "reviewing", request: offer(state.request) }) : now,
    session,
  );
  return plan.awaiting === null ? open : withPlan(open, { awaiting: offer(plan.awaiting) });
}

/** Whether today the same would be asked. */
export function isAskedStill(session: Session, { call, state }: OpenCall & { readonly state: Asked }): boolean {
  if (isUnheard(session, call)) return false;
  const decision = decide(call, situationOf(session));
  const isKind = decision.kind === "classify" || (decision.kind === "ask" && state.kind === "asking");
  return isKind && JSON.stringify(decision.question) === JSON.stringify(state.question);
}

type Asked = Extract<CallState, { kind: "asking" | "classifying" }>;
