/** The call that presents a plan, as the session's events tell of it: shown, or ended in some way. */
import type { Happening, SessionHandle } from "../../agent/ports/handle.ts";
import { items } from "../../core/chain.ts";
import type { Outcome } from "../../core/outcome.ts";
import { pendingReview } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import type { Answerer } from "../../core/verdict.ts";

export interface EndedCall {
  readonly outcome: Outcome;
  /** Null where nobody answered. */
  readonly by: Answerer | null;
  /** The text that was shown. */
  readonly shown: string;
  /** What the plan's file holds after it was sent back. */
  readonly edited: { readonly text: string; readonly file: string } | null;
  /** In which the work begins. */
  readonly mode: "default" | "acceptEdits";
}

/** How it ended, where this event ended it. */
export function endedBy({ before, session, effects }: Extract<Happening, { kind: "event" }>): EndedCall | null {
  const closed = before.turn.open.find(
    ({ call }) => call.access?.kind === "exit-plan" && session.turn.open.every((open) => open.call.id !== call.id),
  );
  if (closed === undefined) return null;
  const { call, state } = closed;
  const result = items(session.transcript).findLast((entry) => entry.kind === "result" && entry.callId === call.id);
  if (result?.kind !== "result") return null;
  const close = effects.find((effect) => effect.type === "close-review");
  const { text, file } = session.plan;
  return {
    outcome: result.outcome,
    by: close?.by ?? null,
    shown: "request" in state ? state.request.plan : (text ?? ""),
    edited: result.outcome.kind === "revise" && file !== null && text !== null ? { text, file } : null,
    mode: session.permissions.mode.current === "acceptEdits" ? "acceptEdits" : "default",
  };
}

/** Resolves when a plan is before the person, or nothing is under way any more. */
export function whenShown(handle: SessionHandle): Promise<void> {
  return new Promise((resolve) => {
    const leave = handle.subscribe((happening) => {
      if (happening.kind !== "event" && happening.kind !== "halted") return;
      const isOver = happening.kind === "halted" || isQuiet(happening.session);
      if (!isOver && pendingReview(happening.session) === null) return;
      leave();
      resolve();
    });
  });
}

/** The model has spoken, and nothing came of it that is still open. */
function isQuiet({ turn }: Session): boolean {
  return turn.open.length === 0 && turn.thinking === null && !turn.due && turn.queued.length === 0;
}
