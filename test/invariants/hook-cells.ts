/** What must hold of a hook's answer, whatever it is: a hook that gives none refuses where it guards something (B14.1). */
import { mergeAnswers, readAnswer, type HookEnd } from "../../src/agent/hooks/answer.ts";

const noAnswers: Readonly<Record<string, HookEnd>> = {
  "a time out": { kind: "failed", why: "took too long" },
  "a crash": { kind: "exited", code: 1, stdout: "", stderr: "" },
  nonsense: { kind: "exited", code: 0, stdout: '{"decision":"sure"}', stderr: "" },
  "half an answer": { kind: "exited", code: 0, stdout: '{"decision":', stderr: "" },
};

/** What broke, or null. */
export function brokenHooks(): string | null {
  for (const event of ["PreToolUse", "plan.submitted"] as const) {
    for (const [name, end] of Object.entries(noAnswers)) {
      const { answer, told } = readAnswer(event, end, "h");
      if (answer !== "deny" || told.length === 0) return `${name} of a ${event} hook passes`;
    }
  }
  const both = [readAnswer("PreToolUse", { kind: "exited", code: 2, stdout: "", stderr: "no" }, "h"), yes];
  if (mergeAnswers(both).answer !== "deny") return "a yes goes before a refusal";
  return null;
}

const yes = { answer: "allow", reason: "", context: [], told: [] } as const;
