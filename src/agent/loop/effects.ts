/** Performs effects: the only switch over `Effect`; every answer goes back as an event. */
import type { Call } from "../../core/decide/access.ts";
import type { Effect } from "../../core/effect.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Session } from "../../core/session.ts";
import { askSurface, untilAborted } from "../answers/ask-surface.ts";
import type { PermissionAnswer, ReviewAnswer, Send } from "../ports/ports.ts";
import type { Happening, LiveSession, SendRefused, SessionHandle } from "../ports/handle.ts";
import { talk } from "./talk.ts";
import type { World } from "./world.ts";
import type { Classified } from "../ports/host.ts";

export interface Performer {
  perform(effect: Effect): void;
  stop(): void;
  busy(): boolean;
}

interface Wiring {
  readonly world: World;
  readonly send: SessionHandle["send"];
  readonly publish: (happening: Happening) => void;
  readonly subscribe: LiveSession["subscribe"];
  readonly current: () => Session;
  readonly idle: () => void;
}

export function createPerformer(wiring: Wiring): Performer {
  const { world, send, publish, subscribe, current, idle } = wiring;
  /** What is under way, by a name that later effects can stop it by. */
  const running = new Map<string, AbortController>();
  const under = (name: string, work: (signal: AbortSignal) => Promise<unknown>): void => {
    const controller = new AbortController();
    running.set(name, controller);
    void work(controller.signal).finally(() => {
      if (running.get(name) === controller) running.delete(name);
      idle();
    });
  };
  const abort = (name: string): void => {
    running.get(name)?.abort();
    running.delete(name);
  };

  const callModel = async (request: number, signal: AbortSignal): Promise<void> => {
    await world.refresh?.();
    for (const event of (await world.noticeEdits?.(current())) ?? []) if (!signal.aborted) await send(event);
    if (!signal.aborted) await talk({ world, request, session: current(), signal, send, publish });
  };

  const liveOf = (call: Call): LiveSession => ({ callId: call.id, current, subscribe, publish });
  const runTool = async (call: Call, signal: AbortSignal): Promise<void> => {
    const session = current();
    const { usage, ...output } = await world.tools.run(call, session, { signal, send, live: liveOf(call) });
    if (signal.aborted && usage === undefined) return;
    if (call.access?.kind === "write" && call.access.path === session.plan.file && output.isError !== true) {
      const text = await world.plans.read(call.access.path);
      if (text !== null) await send({ type: "plan-saved", text, by: "model", at: world.clock.now() });
    }
    await world.refresh?.();
    const finished = { type: "tool-finished", callId: call.id, output, isError: output.isError === true } as const;
    await send(usage === undefined ? finished : { ...finished, usage });
  };

  const review = async (request: ReviewRequest, signal: AbortSignal): Promise<void> => {
    const decide: Send<ReviewAnswer> = async (answer) => {
      const refused = await send({ type: "review-decided", requestId: request.id, ...answer, at: world.clock.now() });
      if (refused !== null) return refused;
      await untilAborted(signal);
      return cameTo(current(), request.id);
    };
    const isThere = await askSurface((given) => world.person.review(request, signal, given), { send: decide, signal });
    if (!isThere) publish({ kind: "unanswered", requestId: request.id });
  };

  const permit = async (effect: Extract<Effect, { type: "ask-permission" }>, signal: AbortSignal): Promise<void> => {
    const { questionId, call, question } = effect;
    const output = await world.tools.check(call, current(), { signal, send, live: liveOf(call) });
    if (signal.aborted) return;
    if (output !== null) return void (await send({ type: "tool-finished", callId: call.id, output, isError: true }));
    const answered: Send<PermissionAnswer> = async (answer) => {
      await world.refresh?.();
      const refused = signal.aborted ? null : await send({ type: "permission-answered", questionId, ...answer });
      if (refused === null) abort(questionId);
      return refused;
    };
    const ask = { id: questionId, call, question };
    const asked = { send: answered, signal, isNobody: ({ by }: PermissionAnswer) => by === null };
    const isThere = await askSurface((given) => world.person.permit(ask, signal, given), asked);
    if (!isThere) await answered({ allowed: false, by: null });
  };

  const classify = async (effect: Extract<Effect, { type: "classify" }>, signal: AbortSignal): Promise<void> => {
    const { questionId, call, question } = effect;
    const unsure: Classified = { answer: "unsure", reason: "no classifier" };
    const asked = world.classify?.({ id: questionId, call, question }, current(), signal);
    const answer = (await asked?.catch((error: unknown) => ({ ...unsure, reason: String(error) }))) ?? unsure;
    if (!signal.aborted || answer.usage !== undefined)
      await send({ type: "classifier-answered", questionId, ...answer });
  };

  const compactContext = async (focus: string | null, signal: AbortSignal): Promise<void> => {
    const failed = { type: "compaction-failed", error: "there is no way to summarise here" } as const;
    const event = (await world.compact?.({ session: current(), focus, signal })) ?? failed;
    if (!signal.aborted) await send(event);
  };

  const perform = (effect: Effect): void => {
    switch (effect.type) {
      case "call-model":
        return under("model", (signal) => callModel(effect.request, signal));
      case "run-tool":
        return under(`tool ${effect.call.id}`, (signal) => runTool(effect.call, signal));
      case "ask-permission":
        return under(effect.questionId, (signal) => permit(effect, signal));
      case "classify":
        return under(effect.questionId, (signal) => classify(effect, signal));
      case "withdraw-question":
        return abort(effect.questionId);
      case "claim-plan":
        return under("claim", async () => send(await world.plans.claim(effect.task)));
      case "read-plan":
        return under("read-plan", async () => send(await world.plans.submitted(effect.callId, effect.file)));
      case "write-plan":
        return under("write-plan", async () => send(await world.plans.write(effect.callId, effect.file, effect.text)));
      case "request-review":
        return under(effect.request.id, (signal) => review(effect.request, signal));
      case "close-review":
        return abort(effect.requestId);
      case "submit-plan":
        return under(effect.request.id, async (signal) => world.submitPlan?.(effect.request, signal));
      case "start-linked-session":
        return under("linked", async () => world.startLinked?.(effect));
      case "compact-context":
        return under("compaction", (signal) => compactContext(effect.focus, signal));
      case "save-rule":
        return under("save-rule", async () => world.saveRule?.(effect.rule));
      case "stop":
        for (const name of running.keys()) if (isStoppable(name)) abort(name);
        return undefined;
      case "reoffer-review":
      case "notify":
      case "refuse":
        return undefined;
    }
  };

  return {
    perform,
    stop: () => [...running.keys()].forEach(abort),
    busy: () => running.size > 0,
  };
}

/** Of one request a single verdict is taken: closed by somebody, it was this one; else the file was another meanwhile (B2.1). */
function cameTo({ answered }: Session, requestId: string): SendRefused | null {
  const closed = answered.findLast(({ id }) => id === requestId);
  if (closed === undefined) return { reason: "halted" };
  return closed.by === null ? { reason: "other-hash" } : null;
}

/** What Esc stops: the model, its compaction, its tools. */
function isStoppable(name: string): boolean {
  return name === "model" || name === "compaction" || name.startsWith("tool ");
}
