/** Asks the person what the session wants to know; whatever they answer goes to the session, which takes the first. */
import { errorText } from "../../core/error-text.ts";
import type { Call } from "../../core/decide/access.ts";
import { offersFor, type RuleOffers } from "../../core/decide/offers.ts";
import type { Effect } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { OpenQuestions } from "../../core/questions.ts";
import type { Session } from "../../core/session.ts";
import { hasHooks } from "../../core/transitions/ask-hooks.ts";
import { askSurface, untilAborted } from "../answers/ask-surface.ts";
import type { PermissionAnswer, QuestionReply, ReviewAnswer } from "../ports/ports.ts";
import { liveOf, type Wiring } from "./world.ts";
import type { SendRefused } from "../ports/handle.ts";

/** Each until the signal, which aborts when the question is closed. */
export async function askReview(wiring: Wiring, request: ReviewRequest, signal: AbortSignal): Promise<void> {
  const { world, send, publish, current } = wiring;
  const isThere = await askSurface<ReviewAnswer>((given) => world.person.review(request, signal, given), {
    signal,
    async send(answer) {
      const refused = await send({ type: "review-decided", requestId: request.id, ...answer, at: world.clock.now() });
      if (refused !== null) return refused;
      await untilAborted(signal);
      return cameTo(current(), request.id);
    },
  }).catch(brokenSurface(world, signal));
  if (!isThere) publish({ kind: "unanswered", requestId: request.id });
}

export async function askPermission(wiring: Wiring, effect: AskPermission, signal: AbortSignal): Promise<void> {
  const { world, send, current } = wiring;
  const { questionId, call, question } = effect;
  const offers = offersFor(call, question, current());
  const ready = checked(wiring, call, signal).then(() => tellAsking(wiring, { ...effect, offers }, signal));
  const answered = async (answer: GivenPermission): Promise<SendRefused | null> => {
    await ready;
    await world.refresh?.();
    return send({ type: "permission-answered", questionId, ...answer });
  };
  const heard = ready.then(() => hearHooks(wiring, effect, signal));
  const ask = { id: questionId, call, question, offers, ready };
  const asked = { send: answered, signal };
  const isThere = await askSurface<PermissionAnswer>((given) => world.person.permit(ask, signal, given), asked).catch(
    brokenSurface(world, signal),
  );
  if (!isThere) await heard;
  if (!isThere && !signal.aborted) await answered({ allowed: false, by: null });
}

/** Hooks may answer beside the person, and where nobody is there before it is given up. */
async function hearHooks(wiring: Wiring, effect: AskPermission, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !hasHooks(wiring.current(), "PermissionRequest")) return;
  const { hearPermission } = await import("../hooks/hear.ts");
  await hearPermission(wiring, effect, signal);
}

/** Why a question's signal aborts when it is taken back, and not answered. */
export const withdrawn = "withdrawn";

/** Nothing is told of a question that ended before anybody needed to hear of it. */
function tellAsking({ publish }: Wiring, asked: AskPermission & { offers: RuleOffers }, signal: AbortSignal): void {
  if (signal.aborted) return;
  const { questionId: id, call, question, offers } = asked;
  const { tool, input } = call;
  publish({ kind: "asking", news: { type: "permission.requested", id, tool, input, question, offers } });
  const takeBack = (): void => {
    if (signal.reason === withdrawn) publish({ kind: "asking", news: { type: "permission.withdrawn", id } });
  };
  signal.addEventListener("abort", takeBack, { once: true });
}

type AskPermission = Extract<Effect, { type: "ask-permission" }>;
type GivenPermission = Omit<Extract<Event, { type: "permission-answered" }>, "type" | "questionId">;

export async function askQuestions({ world, send }: Wiring, asked: OpenQuestions, signal: AbortSignal): Promise<void> {
  const answered = { type: "question-answered", questionId: asked.id } as const;
  const isThere = await askSurface<QuestionReply>((given) => world.person.answer(asked, signal, given), {
    signal,
    send: (reply) => send({ ...answered, ...reply }),
  }).catch(brokenSurface(world, signal));
  if (!isThere) await send({ ...answered, answer: { status: "not-shown" }, by: null });
}

/** It answers nothing; that is told while the question is open. */
function brokenSurface({ report }: Wiring["world"], signal: AbortSignal): (error: unknown) => boolean {
  return (error) => {
    if (signal.aborted) return true;
    report(`A question could not be shown: ${errorText(error)}`);
    return false;
  };
}

/** What would fail anyway ends before anybody is asked. */
async function checked(wiring: Wiring, call: Call, signal: AbortSignal): Promise<void> {
  const { world, send } = wiring;
  const live = liveOf(wiring, call);
  const output = await world.tools.check(call, wiring.current(), { signal, send, live });
  if (output === null || signal.aborted) return;
  await send({ type: "tool-finished", callId: call.id, output, isError: true });
}

/** Of one request a single verdict is taken: closed by somebody, it was this one; else the file was another meanwhile (B2.1). */
function cameTo({ answered }: Session, requestId: string): SendRefused | null {
  const closed = answered.findLast(({ id }) => id === requestId);
  if (closed === undefined) return { reason: "halted" };
  return closed.by === null ? { reason: "other-hash" } : null;
}
