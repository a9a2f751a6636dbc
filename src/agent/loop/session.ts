/** A live session: one queue of events; each is reduced, logged, published, and then its effects are performed. */
import { errorText } from "../../core/error-text.ts";
import type { RefusedEvent, Step } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import { reduce, replay } from "../../core/reduce.ts";
import { freshSession, type Session } from "../../core/session.ts";
import { createPerformer } from "./effects.ts";
import type { Happening, Log, SendRefused, SessionHandle } from "../ports/handle.ts";
import type { World } from "./world.ts";

export interface SessionOptions {
  readonly world: World;
  readonly log: Log;
  /** What a log already holds: applied without performing its effects. */
  readonly past?: Iterable<Event>;
  /** What these events come to, where that is known already. */
  readonly session?: Session;
}

export function createSession({ world, log, past = [], session }: SessionOptions): SessionHandle {
  const listeners = new Set<(happening: Happening) => void>();
  const waiting: (() => void)[] = [];
  let state = session ?? replay(freshSession(), past);
  const publish = (happening: Happening): void => {
    for (const listener of listeners) listener(happening);
  };
  const subscribe: SessionHandle["subscribe"] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const settle = (): void => {
    if (queue.busy() || performer.busy()) return;
    for (const resolve of waiting.splice(0)) resolve();
  };
  const apply = async (event: Event): Promise<SendRefused | null> => {
    const before = state;
    const at = world.clock.now();
    const step = reduce(before, event);
    const refused = refusalIn(step);
    if (refused === null) {
      try {
        await log.append({ at, event });
      } catch (error) {
        queue.end("halted");
        performer.stop();
        publish({ kind: "halted", error: errorText(error) });
        return { reason: "halted" };
      }
    }
    state = step.session;
    publish({ kind: "event", at, event, before, session: state, effects: step.effects });
    if (refused === null && "questionId" in event) performer.abort(event.questionId);
    for (const effect of step.effects) performer.perform(effect);
    return refused;
  };
  const queue = eventQueue(apply, settle);
  const clean = (event: Event): Event => world.withoutKeys?.(event) ?? event;
  const send: SessionHandle["send"] = (event) => queue.add(clean(event));
  const performer = createPerformer({ world, send, publish, subscribe, current: () => state }, settle);
  return {
    get state() {
      return state;
    },
    send,
    alone: (act) => queue.alone((take) => act((event) => take(clean(event)))),
    settled: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
    compact: (focus) => send({ type: "compaction-requested", why: "asked", ...(focus === undefined ? {} : { focus }) }),
    subscribe,
    close() {
      queue.end("closed");
      performer.stop();
      world.plans.letGo();
      queue.drop();
      settle();
    },
  };
}

/** One after the other, events and what is done alone; `idle` hears that nothing is left. */
function eventQueue(apply: (event: Event) => Promise<SendRefused | null>, idle: () => void) {
  const queue: { readonly run: () => Promise<void>; readonly drop: () => void }[] = [];
  let pumping = false;
  let over: "closed" | "halted" | null = null;
  const take: SessionHandle["send"] = async (event) => (over === null ? apply(event) : { reason: over });
  const pump = async (): Promise<void> => {
    pumping = true;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next.run();
    pumping = false;
    idle();
  };
  const push = (job: (typeof queue)[number]): void => {
    queue.push(job);
    if (!pumping) void pump();
  };
  return {
    add: (event: Event): Promise<SendRefused | null> =>
      new Promise((done) => push({ run: async () => done(await take(event)), drop: () => done({ reason: "closed" }) })),
    alone: <Result>(act: (send: SessionHandle["send"]) => Promise<Result>): Promise<Result> =>
      new Promise((done, fail) =>
        push({ run: () => act(take).then(done, fail), drop: () => fail(new Error("the session was closed")) }),
      ),
    busy: (): boolean => pumping || queue.length > 0,
    /** Nothing is taken any more; the first reason stays. */
    end: (why: "closed" | "halted"): void => void (over ??= why),
    /** What waits is not taken. */
    drop: (): void => queue.splice(0).forEach(({ drop }) => drop()),
  };
}

/** A refused event changed nothing, so it does not go into the log. */
function refusalIn({ effects }: Step): RefusedEvent | null {
  const refusal = effects.find((effect) => effect.type === "refuse");
  if (refusal === undefined) return null;
  const { reason, by } = refusal;
  return { reason, ...(by === undefined ? {} : { by }) };
}
