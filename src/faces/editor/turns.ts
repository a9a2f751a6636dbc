/** The prompts that are under way in a session, and how each will have ended. */
import { RequestError, type StopReason } from "@agentclientprotocol/sdk";
import { untilAborted } from "../../agent/answers/ask-surface.ts";
import type { Happening } from "../../agent/ports/handle.ts";

export interface PromptTurn {
  /** Resolves when the person has the floor although a plan waits. */
  readonly held: Promise<null>;
  /** How it ended; throws where the model failed. */
  end(): StopReason;
}

interface OpenTurn {
  failed: { readonly code: string | null; readonly message: string } | null;
  stop: StopReason;
  isCancelled: boolean;
  readonly hold: () => void;
}

export type Turns = ReturnType<typeof createTurns>;

export function createTurns() {
  const open = new Set<OpenTurn>();
  /** Of the last request that failed. */
  let code: string | null = null;
  const each = (act: (turn: OpenTurn) => void): void => open.forEach(act);
  return {
    begin(): PromptTurn {
      const holding = new AbortController();
      const turn: OpenTurn = { failed: null, stop: "end_turn", isCancelled: false, hold: () => holding.abort() };
      open.add(turn);
      return {
        held: untilAborted(holding.signal),
        end() {
          open.delete(turn);
          return endOf(turn);
        },
      };
    },
    hold: () => each((turn) => turn.hold()),
    cancel: () => each((turn) => (turn.isCancelled = true)),
    hear(happening: Happening): void {
      if (happening.kind === "halted") {
        const message = `The session log cannot be written: ${happening.error}`;
        each((turn) => (turn.failed = { code: null, message }));
      }
      if (happening.kind === "delta") {
        const { delta } = happening;
        if (delta.type === "failed") ({ code } = delta.error);
        if (delta.type === "done") each((turn) => (turn.stop = stopOf(delta.stop)));
      }
      if (happening.kind !== "event") return;
      const { event, session } = happening;
      if (event.type === "model-failed" && session.turn.compaction === null)
        each((turn) => (turn.failed = { code, message: event.error }));
      if (event.type === "model-replied") each((turn) => (turn.failed = null));
    },
  };
}

function endOf({ isCancelled, failed, stop }: OpenTurn): StopReason {
  if (isCancelled) return "cancelled";
  if (failed === null) return stop;
  const isKey = failed.code === "no-key" || failed.code === "wrong-key";
  throw isKey
    ? RequestError.authRequired(undefined, failed.message)
    : RequestError.internalError({ code: failed.code }, failed.message);
}

function stopOf(stop: "end" | "tool-calls" | "length" | "refused"): StopReason {
  if (stop === "length") return "max_tokens";
  return stop === "refused" ? "refusal" : "end_turn";
}
