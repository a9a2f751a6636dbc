/** One question to a small model, one strict answer: whatever is unclear about it leaves the decision to a person. */
import * as z from "zod";
import type { SideQuestion } from "../../prompts/render/auto.ts";
import { untilAborted } from "../answers/ask-surface.ts";
import { lastDelta } from "../loop/compact.ts";
import type { ModelDelta, ModelRequest, NamedModel } from "../ports/model.ts";
import type { Classified } from "../ports/host.ts";

/** A person waits meanwhile. */
const mostAttempts = 2;

const verdict = z.strictObject({
  verdict: z.enum(["allow", "deny", "unsure"]),
  reason: z.string().trim().min(1).max(1000),
});

export async function askSideModel(
  named: NamedModel,
  question: SideQuestion,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Classified> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    const answered = lastDelta(named.model, requestOf(named, question), { signal: either, mostAttempts });
    const last = await Promise.race([answered, untilAborted(either)]);
    if (limit.signal.aborted) return unsure(`the side model gave no answer within ${timeoutMs / 1000} s`);
    if (last === null) return unsure("the side model's answer broke off");
    if (last.type === "failed") return unsure(`the side model could not be asked: ${last.error.message}`);
    return { ...read(last), usage: last.usage };
  } catch (error) {
    return unsure(`the side model could not be asked: ${String(error)}`);
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}

export function unsure(reason: string): Classified {
  return { answer: "unsure", reason };
}

function requestOf({ name }: NamedModel, { system, text }: SideQuestion): ModelRequest {
  const messages = [{ role: "user", content: [{ type: "text", text }] }] as const;
  return { model: name, effort: "low", system, tools: [], messages, maxOutputTokens: 2000 };
}

function read({ stop, reply }: Extract<ModelDelta, { type: "done" }>): Classified {
  if (stop === "refused") return unsure("the side model refused to judge");
  const parts = reply.filter(({ type }) => type !== "thinking");
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const answer = stop === "end" && parts.every(({ type }) => type === "text") ? parse(text) : null;
  return answer ?? unsure("the side model's answer was not the JSON that was asked for");
}

/** Exactly one object with exactly these keys, each once. */
function parse(text: string): Classified | null {
  if (text.split('"verdict"').length !== 2) return null;
  try {
    const read = verdict.safeParse(JSON.parse(text));
    return read.success ? { answer: read.data.verdict, reason: printable(read.data.reason) } : null;
  } catch {
    return null;
  }
}

/** It goes to a terminal, and may repeat what a file says. */
function printable(reason: string): string {
  return reason.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 300);
}
