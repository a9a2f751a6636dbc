/** Performs effects: the only switch over `Effect`; every answer goes back as an event. */
import type { Effect } from "../../core/effect.ts";
import { hasHooks } from "../../core/transitions/ask-hooks.ts";
import { askPermission, askQuestions, askReview, withdrawn } from "./asking.ts";
import { talk } from "./talk.ts";
import type { Classified } from "../ports/host.ts";
import { liveOf, type Wiring } from "./world.ts";

export function createPerformer(wiring: Wiring, idle: () => void) {
  const { world, send } = wiring;
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
  /** What is under way by this name is over. */
  const abort = (name: string, why?: string): void => {
    running.get(name)?.abort(why);
    running.delete(name);
  };
  const perform = (effect: Effect): void => {
    switch (effect.type) {
      case "call-model":
        return under("model", (signal) => callModel(wiring, effect.request, signal));
      case "run-tool":
        return under(`tool ${effect.call.id}`, (signal) => runTool(wiring, effect, signal));
      case "run-hooks":
        return under(`hooks ${effect.id}`, async (signal) => (await hooks()).hearHooks(wiring, effect, signal));
      case "ask-questions":
        return under(effect.asked.id, (signal) => askQuestions(wiring, effect.asked, signal));
      case "close-questions":
        return abort(effect.id);
      case "ask-permission":
        return under(effect.questionId, (signal) => askPermission(wiring, effect, signal));
      case "classify":
        return under(effect.questionId, (signal) => classify(wiring, effect, signal));
      case "withdraw-question":
        return abort(effect.questionId, withdrawn);
      case "claim-plan":
        return under("claim", async () => send(await world.plans.claim(effect.task)));
      case "read-plan":
        return under("read-plan", async () => send(await world.plans.submitted(effect.callId, effect.file)));
      case "write-plan":
        return under("write-plan", async () => send(await world.plans.write(effect.callId, effect.file, effect.text)));
      case "request-review":
        return under(effect.request.id, (signal) => askReview(wiring, effect.request, signal));
      case "submit-plan":
        return under(effect.request.id, async (signal) => world.submitPlan?.(effect.request, signal));
      case "close-review":
        return abort(effect.requestId);
      case "start-linked-session":
        return under("linked", async () => world.startLinked?.(effect));
      case "compact-context":
        return under("compaction", (signal) => compactContext(wiring, effect.focus, signal));
      case "save-rule":
        return under("save-rule", async () => world.saveRule?.(effect.rule));
      case "stop":
        return [...running.keys()].filter(isStoppable).forEach((name) => abort(name));
      case "reoffer-review":
      case "notify":
      case "refuse":
        return undefined;
    }
  };
  return {
    perform,
    abort,
    stop: () => [...running.keys()].forEach((name) => abort(name)),
    busy: () => running.size > 0,
  };
}

type Of<Type extends Effect["type"]> = Extract<Effect, { type: Type }>;

async function callModel(wiring: Wiring, request: number, signal: AbortSignal): Promise<void> {
  const { world, send, current } = wiring;
  await world.refresh?.();
  for (const event of (await world.noticeEdits?.(current())) ?? []) if (!signal.aborted) await send(event);
  if (!signal.aborted) await talk(wiring, request, signal);
}

async function runTool(wiring: Wiring, { call, answer }: Of<"run-tool">, signal: AbortSignal): Promise<void> {
  const { world, send, current } = wiring;
  const session = current();
  const told = { live: liveOf(wiring, call), ...(answer === undefined ? {} : { answer }) };
  const { usage, ...output } = await world.tools.run(call, session, { signal, send, ...told });
  if (signal.aborted && usage === undefined) return;
  if (call.access?.kind === "write" && call.access.path === session.plan.file && output.isError !== true) {
    const text = await world.plans.read(call.access.path);
    if (text !== null) await send({ type: "plan-saved", text, by: "model", at: world.clock.now() });
  }
  await world.refresh?.();
  const finished = { type: "tool-finished", callId: call.id, output, isError: output.isError === true } as const;
  await send(usage === undefined ? finished : { ...finished, usage });
}

async function classify({ world, send, current }: Wiring, effect: Of<"classify">, signal: AbortSignal): Promise<void> {
  const { questionId, call, question } = effect;
  const unsure: Classified = { answer: "unsure", reason: "no classifier" };
  const asked = world.classify?.({ id: questionId, call, question }, current(), signal);
  const answer = (await asked?.catch((error: unknown) => ({ ...unsure, reason: String(error) }))) ?? unsure;
  if (!signal.aborted || answer.usage !== undefined) await send({ type: "classifier-answered", questionId, ...answer });
}

async function compactContext(wiring: Wiring, focus: string | null, signal: AbortSignal): Promise<void> {
  const { world, send, current } = wiring;
  const refused = hasHooks(current(), "PreCompact")
    ? await (await hooks()).hearCompaction(wiring, focus, signal)
    : null;
  const failed = { type: "compaction-failed", error: refused ?? "there is no way to summarise here" } as const;
  const event = (refused === null ? await world.compact?.({ session: current(), focus, signal }) : null) ?? failed;
  if (!signal.aborted) await send(event);
}

/** Loaded where there are any. */
function hooks() {
  return import("../hooks/hear.ts");
}

/** What Esc stops: the model, its compaction, its tools, hooks that the session waits for. */
function isStoppable(name: string): boolean {
  return name === "model" || name === "compaction" || name.startsWith("tool ") || name.startsWith("hooks ");
}
