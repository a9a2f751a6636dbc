/** Turns a denial into words that say what may be done instead (R5.2); one entry for every code. */
import type { Denial, DenialCode } from "../../core/decide/decision.ts";
import type { Actor } from "../../core/decide/situation.ts";
import type { Prompts } from "../index.ts";

export interface DenialFacts {
  readonly actor: Actor["kind"];
}

export function renderDenial(prompts: Prompts, denial: Denial, facts: DenialFacts): string {
  return sentences[denial.code](prompts, denial, facts);
}

type Sentence = (prompts: Prompts, denial: Denial, facts: DenialFacts) => string;

const sentences: Readonly<Record<DenialCode, Sentence>> = {
  "plan-write": (prompts, { detail, planFile }, facts) =>
    prompts("denied/plan-write", {
      path: named(detail),
      planFile: planFile === undefined ? "" : `, which is ${planFile}`,
      instead: instead(prompts, facts),
    }),
  "plan-approved": (prompts, { detail }) => prompts("denied/plan-approved", { path: named(detail) }),
  "plan-command-writes": (prompts, denial, facts) =>
    prompts("denied/plan-command-writes", { ...judged(denial), instead: instead(prompts, facts) }),
  "plan-command-unproven": (prompts, denial, facts) =>
    prompts("denied/plan-command-unproven", { ...judged(denial), instead: instead(prompts, facts) }),
  "plan-network": (prompts, { detail }, facts) =>
    prompts("denied/plan-network", { target: named(detail), instead: instead(prompts, facts) }),
  "plan-spawn": (prompts, { detail }, facts) =>
    prompts("denied/plan-spawn", { agent: named(detail), instead: instead(prompts, facts) }),
  "plan-external": (prompts, { detail }, facts) =>
    prompts("denied/plan-external", { name: named(detail), instead: instead(prompts, facts) }),
  "already-planning": (prompts) => prompts("denied/already-planning"),
  "enter-in-agent": (prompts) => prompts("denied/enter-in-agent"),
  "enter-not-offered": (prompts) => prompts("denied/enter-not-offered"),
  "enter-no-approval": (prompts) => prompts("denied/enter-no-approval"),
  "exit-not-planning": (prompts) => prompts("denied/exit-not-planning"),
  "exit-parent-planning": (prompts) => prompts("denied/exit-parent-planning"),
  "exit-awaiting-lead": (prompts) => prompts("denied/exit-awaiting-lead"),
  "no-plan": (prompts, { detail }) =>
    detail === null ? prompts("denied/no-plan-file") : prompts("denied/no-plan", { path: detail }),
  "no-access": (prompts) => prompts("denied/no-access"),
  invalid: (prompts, { detail }) => prompts("denied/invalid", { reason: because(detail) }),
  rule: (prompts, { detail }) => prompts("denied/rule", { rule: named(detail) }),
  hook: (prompts, { detail }) => prompts("denied/hook", { reason: because(detail) }),
  classifier: (prompts, { detail }) => prompts("denied/classifier", { reason: because(detail) }),
  declined: (prompts, { detail }) => prompts("denied/declined", { reason: given(prompts, detail) }),
  "enter-declined": (prompts, { detail }) => prompts("denied/enter-declined", { reason: given(prompts, detail) }),
  nobody: (prompts, { detail }) => prompts("denied/nobody", { reason: given(prompts, detail) }),
};

function instead(prompts: Prompts, { actor }: DenialFacts): string {
  return prompts(actor === "subagent" ? "denied/instead-agent" : "denied/instead");
}

function judged({ detail, part }: Denial): { readonly reason: string; readonly part: string } {
  return { reason: because(detail), part: part === null ? "" : ` (\`${clip(part)}\`)` };
}

function given(prompts: Prompts, reason: string | null): string {
  return reason === null || reason.trim() === "" ? "" : `\n${prompts("denied/reason", { reason })}`;
}

/** The templates end the sentence. */
function because(reason: string | null): string {
  return reason?.trim().replace(/\.+$/, "") || "no reason given";
}

function named(detail: string | null): string {
  return detail === null || detail === "" ? "(unnamed)" : clip(detail);
}

function clip(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** Characters of a command or path that are quoted back to the model, which knows the rest. */
const longest = 300;
