/** The person behind one command: approves exactly one plan, or says what should change in the plan that waits; else nobody. */
import { userInfo } from "node:os";
import { nobody } from "../../agent/answers/persons.ts";
import type { Say } from "../../agent/loop/line-command.ts";
import type { Person } from "../../agent/ports/ports.ts";
import type { HeadlessLink, SaidAtStart } from "./link.ts";

export function commandLinePerson({ approve, mode }: SaidAtStart): Person {
  return {
    ...nobody(),
    review: async ({ hash }) => {
      if (hash !== approve) return null;
      return {
        verdict: { kind: "approve", hash, ...(mode === null || mode === "plan" ? {} : { mode }) },
        by: byCommand(),
      };
    },
  };
}

/** To a plan that waits they are the answer; whatever has become of that plan, they reach the session. */
export function sayOnce(composed: HeadlessLink, tell: (line: string) => void): Say {
  return async (text) => {
    const { handle } = composed;
    const waiting = handle.state.turn.open.flatMap(({ state }) =>
      state.kind === "reviewing" ? [state.request.id] : [],
    );
    for (const requestId of waiting) {
      const verdict = { kind: "revise", feedback: text.trim() } as const;
      const answer = { type: "review-decided", requestId, verdict, by: byCommand(), at: Date.now() } as const;
      if ((await handle.send(answer)) !== null) continue;
      tell("the plan was sent back with these words: it no longer awaits approval.");
      return null;
    }
    return handle.send({ type: "user-said", text });
  };
}

function byCommand() {
  return { user: userInfo().username, surface: "command line" };
}
