/** Asks hooks, where there are any: what waits for their answer, and which calls they have not heard of yet (B14.1). */
import type { Call } from "../decide/access.ts";
import type { Step } from "../effect.ts";
import type { HookOccasion, HooksAnswer, HookState } from "../hooks.ts";
import type { Session } from "../session.ts";
import type { HookName } from "../settings/hook-names.ts";
import { step } from "../step.ts";

export function hasHooks({ settings }: Session, name: HookName): boolean {
  return settings.hooks?.includes(name) === true;
}

export function askHooks(session: Session, occasion: HookOccasion): Step {
  const asked = session.hooks.asked + 1;
  const id = `${occasion.event}-${asked}`;
  const waiting = [...session.hooks.waiting, { id, occasion }];
  return step(withHooks(session, { waiting, asked }), { type: "run-hooks", id, occasion });
}

/** Nobody judges a call that hooks were not asked about; one that cannot run at all needs no asking. */
export function isUnheard(session: Session, { access, hook }: Call): boolean {
  return hook === undefined && access !== null && access.kind !== "invalid" && hasHooks(session, "PreToolUse");
}

/** An agent within another session: it has no prompt of the person's, and no beginning of its own. */
export function isInner({ actor }: Session): boolean {
  return actor.kind === "subagent" || (actor.kind === "teammate" && actor.parent !== undefined);
}

export function beginHooks(session: Session, source: Extract<HookOccasion, { event: "SessionStart" }>["source"]): Step {
  if (isInner(session) || !hasHooks(session, "SessionStart")) return step(session);
  return askHooks(session, { event: "SessionStart", source });
}

/** Nothing is said to the model before it knows what they say. */
export function isBeginning({ hooks }: Session): boolean {
  return hooks.waiting.some(({ occasion }) => occasion.event === "SessionStart");
}

/** What they said to the model waits for its next request. */
export function hear(session: Session, event: HookName, { context }: Pick<HooksAnswer, "context">): Session {
  const heard = context.map((text) => ({ event, text, isOrder: false }));
  return withHooks(session, { heard: [...session.hooks.heard, ...heard] });
}

export function hearOrder(session: Session, event: HookName, text: string): Session {
  return withHooks(session, { heard: [...session.hooks.heard, { event, text, isOrder: true }] });
}

export function withHooks(session: Session, hooks: Partial<HookState>): Session {
  return { ...session, hooks: { ...session.hooks, ...hooks } };
}
