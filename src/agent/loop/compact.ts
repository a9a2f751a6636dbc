/** A conversation that grows too long: said aloud, and compacted by a summary in a request of its own in which no tool runs (R14.1). */
import { errorText } from "../../core/error-text.ts";
import type { Event } from "../../core/event.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import { tokensOf } from "../../core/usage.ts";
import { summaryRequest } from "../../prompts/render/entry.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { SessionHandle } from "../ports/handle.ts";
import type { Message, Model, ModelDelta, ModelRequest } from "../ports/model.ts";
import type { Plans } from "../store/plans.ts";

export interface CompactParts {
  readonly prompts: Prompts;
  readonly plans: Plans;
  readonly prepare: (session: Session) => { readonly model: Model; readonly request: ModelRequest };
}

export interface CompactRequest {
  readonly session: Session;
  readonly focus: string | null;
  readonly signal: AbortSignal;
}

export type Compacted = Extract<Event, { type: "context-compacted" | "compaction-failed" }>;

/**
 * Never throws. Tools stay in the request, byte for byte, since providers refuse a conversation with calls without them and
 * the prompt cache is kept; what the reply calls is not carried out.
 */
export async function compact(parts: CompactParts, { session, focus, signal }: CompactRequest): Promise<Compacted> {
  try {
    const { model, request } = parts.prepare(session);
    const asked = summaryRequest(parts.prompts, focus);
    let problem = "";
    const { messages: whole } = request;
    for (const shorter of [() => whole, () => withShortResults(whole), () => lastHalf(whole)]) {
      const messages = withWords(shorter(), asked);
      const last = await lastDelta(model, { ...request, messages, wants: "summary" }, { signal });
      if (last?.type === "done") return await compactedBy(last, session, parts.plans);
      problem = last?.error.message ?? "The model's answer broke off.";
      if (last?.error.code !== "context-full") break;
    }
    return { type: "compaction-failed", error: problem };
  } catch (error) {
    return { type: "compaction-failed", error: errorText(error) };
  }
}

/** Asks for a compaction when a reply shows that the next request comes near the model's limit. */
export function compactNearLimit(handle: SessionHandle, windowOf: (session: Session) => number | undefined): void {
  let failures = 0;
  handle.subscribe((happening) => {
    if (happening.kind !== "event") return;
    const { event, session } = happening;
    if (event.type === "compaction-failed") failures += 1;
    if (event.type === "context-compacted") failures = 0;
    if (event.type !== "model-replied" || event.usage === undefined || failures >= mostFailures) return;
    const window = windowOf(session);
    if (window === undefined || tokensOf(event.usage) < window * nearLimit) return;
    void handle.send({ type: "compaction-requested", why: "near" });
  });
}

/** B7.4: a model whose context is too small for the conversation while planning is said aloud, with what to choose. */
export function tellSmallContext(handle: Pick<SessionHandle, "subscribe">, options: SmallContextOptions): void {
  const { modelOf, windowOf, report, past } = options;
  let used = past.reduce(lengthAfter, 0);
  let told = "";
  const tell = (model: string, size: string): void => {
    if (told !== model) report(`The conversation ${size}does not fit into ${model}, which plans here. ${choices}`);
    told = model;
  };
  handle.subscribe((happening) => {
    if (happening.kind !== "event") return;
    const { event, session, before, effects } = happening;
    used = lengthAfter(used, event);
    if (!isPlanning(session.permissions)) {
      told = "";
      return;
    }
    const model = modelOf(session);
    if (event.type === "model-failed" && event.contextFull === true && isPlanning(before.permissions)) tell(model, "");
    const window = windowOf(model);
    if (window !== undefined && used >= window && effects.some(({ type }) => type === "call-model"))
      tell(model, `(about ${used} tokens of ${window}) `);
  });
}

interface SmallContextOptions {
  /** The name of the model that speaks next. */
  readonly modelOf: (session: Session) => string;
  /** Tokens; undefined where nobody knows. */
  readonly windowOf: (model: string) => number | undefined;
  readonly report: (problem: string) => void;
  /** What a resumed session's log holds. */
  readonly past: readonly Event[];
}

/** What the last reply says of the conversation's length. */
function lengthAfter(used: number, event: Event): number {
  if (event.type === "model-replied" && event.usage !== undefined) return tokensOf(event.usage);
  return ["context-compacted", "context-cleared", "session-rewound"].includes(event.type) ? 0 : used;
}

const choices =
  "Choose one with a larger context (planModel, --model, /model), or shorten the conversation (/compact, /clear).";
const nearLimit = 0.85;
/** After so many in a row it is no accident: only a person's wish tries again. */
const mostFailures = 2;
const shortResult = 1_000;

async function compactedBy(
  { reply, usage }: Extract<ModelDelta, { type: "done" }>,
  session: Session,
  plans: Plans,
): Promise<Compacted> {
  const summary = reply.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  if (summary.trim() === "") return { type: "compaction-failed", error: "The model gave no summary." };
  const { permissions, plan } = session;
  const file = isPlanning(permissions) ? plan.file : (plan.approved?.file ?? null);
  return { type: "context-compacted", summary, plan: file === null ? null : await plans.read(file), usage };
}

/** How the model's answer ends, null where it breaks off; attempts beyond the wanted ones are not waited for. */
export async function lastDelta(
  model: Model,
  request: ModelRequest,
  { signal, mostAttempts = Infinity }: { readonly signal: AbortSignal; readonly mostAttempts?: number },
): Promise<Extract<ModelDelta, { type: "done" | "failed" }> | null> {
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === "retrying" && delta.attempt > mostAttempts) return { type: "failed", error: delta.error };
    if (delta.type === "done" || delta.type === "failed") return delta;
  }
  return null;
}

function withWords(messages: readonly Message[], text: string): readonly Message[] {
  const part = { type: "text", text } as const;
  const last = messages.at(-1);
  if (last?.role !== "user") return [...messages, { role: "user", content: [part] }];
  return [...messages.slice(0, -1), { role: "user", content: [...last.content, part] }];
}

function withShortResults(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) => {
    if (message.role !== "tool") return message;
    const results = message.results.map((result) => ({
      ...result,
      content: result.content.flatMap((part) =>
        part.type === "text" ? [{ ...part, text: part.text.slice(0, shortResult) }] : [],
      ),
    }));
    return { role: "tool", results };
  });
}

/** The first message and the later half, from a reply on, so that every result keeps its call. */
function lastHalf(messages: readonly Message[]): readonly Message[] {
  const short = withShortResults(messages);
  const from = short.findIndex(({ role }, index) => index >= short.length / 2 && role === "assistant");
  return from <= 1 ? short : [...short.slice(0, 1), ...short.slice(from)];
}
