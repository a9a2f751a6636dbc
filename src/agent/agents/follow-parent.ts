/** A child under its parent's gate, live: it hears every change that binds it, and no call slips through in between (B1.7). */
import type { Call } from "../../core/decide/access.ts";
import { decide } from "../../core/decide/decide.ts";
import type { Denial } from "../../core/decide/decision.ts";
import type { Event } from "../../core/event.ts";
import { enterPlan, isPlanning } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import { situationOf } from "../../core/transitions/calls.ts";
import type { Happening, LiveSession } from "../ports/handle.ts";

/** Call it in the same breath in which the parent's state is read: nothing after that is missed. */
export function followParent(live: LiveSession) {
  const waiting: Event[] = [];
  let deliver: (event: Event) => unknown = (event) => waiting.push(event);
  const stop = live.subscribe((happening) => {
    if (happening.kind === "event") for (const event of newsFor(happening)) deliver(event);
  });
  return {
    /** Hands over what happened since, and everything from now on. */
    begin(send: (event: Event) => unknown): void {
      deliver = send;
      waiting.splice(0).forEach(send);
    },
    stop,
  };
}

function newsFor({ event, before, session }: Extract<Happening, { kind: "event" }>): readonly Event[] {
  const news: Event[] = [];
  if (event.type === "settings-changed")
    news.push({ ...event, settings: { ...event.settings, maxPlanningTokens: null } });
  if (before.auto.gateOpen !== session.auto.gateOpen)
    news.push({ type: "auto-gate-changed", open: session.auto.gateOpen });
  const { rules, mode } = session.permissions;
  const old = before.permissions.rules;
  const { allow, ask, deny } = rules;
  const own = rules.session === undefined ? {} : { session: rules.session };
  if (old.allow !== allow || old.ask !== ask || old.deny !== deny || old.session !== rules.session)
    news.push({ type: "rules-changed", rules: { allow, ask, deny, ...own } });
  if (before.permissions.mode.current !== mode.current) news.push({ type: "parent-mode-changed", mode: mode.current });
  return news;
}

/** What a person answered to the child and meant for the session that it works for: what holds until that ends, and a stop (B18). */
export function answersFor(happening: Happening): readonly Parameters<LiveSession["send"]>[0][] {
  if (happening.kind !== "event" || happening.effects.some(({ type }) => type === "refuse")) return [];
  const { event, before, session } = happening;
  const isAnswer = event.type === "permission-answered" || event.type === "question-answered";
  if (isAnswer && event.stop === true) return [{ type: "turn-cancelled" }];
  if (event.type !== "session-allowed" && event.type !== "permission-answered") return [];
  const known = before.permissions.rules.session ?? [];
  const rules = (session.permissions.rules.session ?? []).filter((rule) => !known.includes(rule));
  return rules.length === 0 || event.by === null ? [] : [{ type: "session-allowed", rules, by: event.by }];
}

/** The parent plans already and the child is about to hear it: a call that begins now is judged as in plan mode (R5.5). */
export function denialMeanwhile(call: Call, child: Session, parent: Session): Denial | null {
  if (!isPlanning(parent.permissions) || isPlanning(child.permissions)) return null;
  const { permissions } = enterPlan(child.permissions, { available: false, duringPlan: false });
  const decision = decide(call, { ...situationOf(child), permissions });
  if (decision.kind === "deny") return decision.denial;
  const isSure = call.access?.kind !== "command" || call.access.verdict === "read-only";
  return decision.kind === "allow" && isSure ? null : { code: "nobody", detail: null, part: null };
}
