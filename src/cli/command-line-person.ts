/** The person behind one command: approves exactly one plan, or says what should change in the plan that waits; else nobody. */
import { userInfo } from "node:os";
import { nobody } from "../agent/persons.ts";
import type { Person } from "../agent/ports.ts";
import type { SessionArguments } from "./args.ts";

export interface CommandLinePerson extends Person {
  /** Whether the prompt went to a plan that waited for a review: it is not said again. */
  hasSpoken(): boolean;
}

export function commandLinePerson(args: SessionArguments, prompt: string | null): CommandLinePerson {
  const { approve, mode, resume } = args;
  const by = { user: userInfo().username, surface: "command line" };
  const feedback = resume === null ? "" : (prompt ?? "").trim();
  let isFirst = true;
  let spoken = false;
  return {
    ...nobody(),
    hasSpoken: () => spoken,
    review: async ({ hash }) => {
      const waited = isFirst;
      isFirst = false;
      if (approve !== null) {
        if (hash !== approve) return null;
        return { verdict: { kind: "approve", hash, ...(mode === null || mode === "plan" ? {} : { mode }) }, by };
      }
      if (!waited || feedback === "") return null;
      spoken = true;
      return { verdict: { kind: "revise", feedback }, by };
    },
  };
}
