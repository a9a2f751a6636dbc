/** One model request: streamed to listeners, and its reply turned into judged calls. */
import type { Event } from "../../core/event.ts";
import type { ModelError, ReplyPart } from "../ports/model.ts";
import type { Wiring } from "./world.ts";

/** Resolves when what came of it is on its way to the session. */
export async function talk({ world, send, publish, current }: Wiring, request: number, signal: AbortSignal) {
  const session = current();
  try {
    const { model, request: asked } = world.prepare(session);
    for await (const delta of model.stream(asked, signal)) {
      if (signal.aborted) return;
      publish({ kind: "delta", request, delta });
      if (delta.type === "failed") return void (await send(failure(request, delta.error)));
      if (delta.type !== "done") continue;
      const content = withUniqueIds(delta.reply);
      const raw = content.filter((part) => part.type === "tool-call");
      const calls = await Promise.all(raw.map((part) => world.tools.prepare(part, session)));
      await world.refresh?.();
      return void (await send({ type: "model-replied", request, content, calls, usage: delta.usage }));
    }
    if (!signal.aborted) await send({ type: "model-failed", request, error: "The model's answer broke off." });
  } catch (error) {
    if (!signal.aborted) await send({ type: "model-failed", request, error: `The request failed: ${String(error)}` });
  }
}

function failure(request: number, { code, message }: ModelError): Event {
  const failed = { type: "model-failed", request, error: message } as const;
  return code === "context-full" ? { ...failed, contextFull: true } : failed;
}

/** Some servers number the calls of each reply anew or repeat an id; a result must find exactly one call. */
function withUniqueIds(reply: readonly ReplyPart[]): readonly ReplyPart[] {
  const seen = new Set<string>();
  return reply.map((part, index) => {
    if (part.type !== "tool-call") return part;
    const id = part.id === "" || seen.has(part.id) ? `${part.id}-${index}` : part.id;
    seen.add(id);
    return id === part.id ? part : { ...part, id };
  });
}
