/** Tells hooks what nobody waits for: plans that begin and end, questions that wait for the person, a conversation cleared. */
import { items } from "../../core/chain.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Effect } from "../../core/effect.ts";
import type { Session } from "../../core/session.ts";
import type { Happening, SessionHandle } from "../ports/handle.ts";
import type { Host, HookAsked } from "../ports/host.ts";

export function followHooks(handle: Pick<SessionHandle, "subscribe">, { hooks, agent }: Host): void {
  if (hooks === undefined) return;
  handle.subscribe((happening) => {
    if (happening.kind !== "event") return;
    const { session } = happening;
    const names = session.settings.hooks ?? [];
    if (names.length === 0) return;
    for (const news of newsIn(happening))
      if (names.includes(news.event)) hooks.tell({ ...news, session, ...(agent === undefined ? {} : { agent }) });
  });
}

type News = Pick<HookAsked, "event" | "subject" | "input">;

function newsIn({ event, before, session, effects }: Extract<Happening, { kind: "event" }>): readonly News[] {
  if (effects.some(({ type }) => type === "refuse")) return [];
  const was = before.id !== "" && isPlanning(before.permissions);
  const isEntered = !was && isPlanning(session.permissions);
  const from = before.id === "" ? "default" : before.permissions.mode.current;
  return [
    ...(isEntered ? [{ event: "plan.entered", subject: null, input: { from } } as const] : []),
    ...(event.type === "session-rewound" ? [] : verdicts(before, session)),
    ...(event.type === "context-cleared"
      ? [{ event: "SessionEnd", subject: "clear", input: { reason: "clear" } } as const]
      : []),
    ...effects.flatMap(notification),
  ];
}

function verdicts(before: Session, { transcript, plan, permissions }: Session): readonly News[] {
  const known = before.transcript.length;
  const added = transcript.length > known ? items(transcript).slice(known) : [];
  return added.flatMap((entry): News[] => {
    const outcome = entry.kind === "result" ? entry.outcome : entry.kind === "lead" ? entry.verdict : null;
    if (outcome?.kind === "revise")
      return [
        { event: "plan.rejected", subject: null, input: { feedback: outcome.feedback, planFilePath: plan.file } },
      ];
    if ((outcome?.kind !== "approved" && outcome?.kind !== "approve") || plan.approved === null) return [];
    const { file, text, hash } = plan.approved;
    const input = { plan: text, planFilePath: file, hash, mode: permissions.mode.current };
    return [{ event: "plan.approved", subject: null, input }];
  });
}

function notification(effect: Effect): readonly News[] {
  const asked = askedBy(effect);
  if (asked === null) return [];
  const { type: notification_type, message } = asked;
  return [{ event: "Notification", subject: notification_type, input: { message, notification_type } }];
}

function askedBy(effect: Effect): { readonly type: string; readonly message: string } | null {
  switch (effect.type) {
    case "ask-permission":
      return { type: "permission_prompt", message: `Groundplan needs your permission to use ${effect.call.tool}` };
    case "request-review":
      return { type: "permission_prompt", message: "A plan waits for your answer" };
    case "ask-questions":
      return { type: "elicitation_dialog", message: "Groundplan has a question" };
    default:
      return null;
  }
}
