/** B7.4: a model whose context is too small for the conversation while planning is said aloud, with what to choose. */
import type { Event } from "../../core/event.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import { tokensOf } from "../../core/usage.ts";
import type { Happening, SessionHandle } from "../ports/handle.ts";

export interface SmallContextOptions {
  /** The name of the model that speaks next. */
  readonly modelOf: (session: Session) => string;
  /** Tokens; undefined where nobody knows. */
  readonly windowOf: (model: string) => number | undefined;
  readonly report: (problem: string) => void;
  /** What a resumed session's log holds. */
  readonly past: readonly Event[];
}

export function tellSmallContext(handle: Pick<SessionHandle, "subscribe">, options: SmallContextOptions): void {
  const { modelOf, windowOf, report, past } = options;
  let used = past.reduce(lengthAfter, 0);
  let told = "";
  const tell = (model: string, size: string): void => {
    if (told !== model) report(`The conversation ${size}does not fit into ${model}, which plans here. ${choices}`);
    told = model;
  };
  handle.subscribe((happening: Happening) => {
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

/** What the last reply says of the conversation's length. */
function lengthAfter(used: number, event: Event): number {
  if (event.type === "model-replied" && event.usage !== undefined) return tokensOf(event.usage);
  return event.type === "context-compacted" || event.type === "context-cleared" ? 0 : used;
}

const choices =
  "Choose one with a larger context (planModel, --model, /model), or shorten the conversation (/compact, /clear).";
