/** Auto mode's classifier (R11.1): rules first; what these leave open goes to a side model where there is one; the rest is a person's. */
import type { Call } from "../../core/decide/access.ts";
import { isPlanning } from "../../core/mode.ts";
import { sideQuestion } from "../../prompts/render/auto.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { NamedModel } from "../ports/model.ts";
import type { Host } from "../ports/host.ts";
import { judgeCall } from "./call-rules.ts";
import { lastTurns, lastWords } from "./last-turns.ts";
import { askSideModel, unsure } from "./side-verdict.ts";

export interface ClassifierOptions {
  /** Without one, what the rules leave open is asked of the person. */
  readonly sideModel?: NamedModel;
  readonly timeoutMs?: number;
  readonly prompts: Prompts;
  /** The project and added directories, canonical. */
  readonly roots: readonly string[];
}

const defaultTimeoutMs = 15_000;
/** A call that cannot be shown whole cannot be judged by its beginning. */
const inputLimit = 12_000;

export function createClassifier(options: ClassifierOptions): NonNullable<Host["classify"]> {
  const { sideModel: named, timeoutMs = defaultTimeoutMs, prompts, roots } = options;
  return async ({ call, question }, session, signal) => {
    if (isPlanning(session.permissions) && !isLook(call)) return unsure("plan mode decides this");
    const { project, home } = session.roots;
    const ground = { roots: [project, ...roots], home, rules: session.permissions.rules, project: session.roots };
    const { kind, reason } = judgeCall(call, question, ground);
    if (kind === "allow" || kind === "deny") return { answer: kind, reason };
    if (kind === "ask" || named === undefined) return unsure(reason);
    const shown = shownCall(call);
    if (shown === null) return unsure("the call is too long to be judged");
    const asked = sideQuestion(prompts, {
      call: shown,
      asked: reason,
      user: lastWords(session),
      turns: lastTurns(session),
    });
    return askSideModel(named, asked, { signal, timeoutMs });
  };
}

/** In plan mode the classifier answers only questions about looking (R11.4). */
function isLook({ access }: Call): boolean {
  return access?.kind === "read" || access?.kind === "fetch";
}

function shownCall({ tool, input, access }: Call) {
  const size = (JSON.stringify(input) ?? "").length + JSON.stringify(access).length;
  return size > inputLimit ? null : { tool, input, touches: access };
}
