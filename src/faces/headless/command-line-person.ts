/** The person behind one command: approves exactly one plan, or says what should change in the plan that waits; else nobody. */
import { userInfo } from "node:os";
import { nobody } from "../../agent/answers/persons.ts";
import type { Person } from "../../agent/ports/ports.ts";
import { isCommand } from "./headless-command.ts";
import type { SaidAtStart } from "./link.ts";

export interface CommandLinePerson extends Person {
  /** What is still to be said: null when the prompt went to a plan that had waited. A plan that comes later gets no answer. */
  restOfPrompt(): string | null;
}

export function commandLinePerson({ prompt, approve, mode, isResumed }: SaidAtStart): CommandLinePerson {
  const by = { user: userInfo().username, surface: "command line" };
  const words = (prompt ?? "").trim();
  let feedback: string | null = !isResumed || words === "" || isCommand(words) ? null : words;
  let rest = prompt;
  return {
    ...nobody(),
    restOfPrompt() {
      feedback = null;
      return rest;
    },
    review: async ({ hash }) => {
      if (approve !== null) {
        if (hash !== approve) return null;
        return { verdict: { kind: "approve", hash, ...(mode === null || mode === "plan" ? {} : { mode }) }, by };
      }
      if (feedback === null) return null;
      const verdict = { kind: "revise", feedback } as const;
      feedback = null;
      rest = null;
      return { verdict, by };
    },
  };
}
