/** The closed set of judgements on a call, with typed reasons; sentences are made of them in `prompts/` and the faces. */

export type Decision =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly denial: Denial }
  | { readonly kind: "ask"; readonly question: Question }
  | { readonly kind: "classify"; readonly question: Question }
  /** Plan mode begins without a question. */
  | { readonly kind: "enter" }
  /** The plan is read, then shown to the person. */
  | { readonly kind: "review" }
  /** The plan is read, then sent to the team's lead. */
  | { readonly kind: "submit" }
  /** A teammate that chose plan mode by itself leaves it by itself (R12.3). */
  | { readonly kind: "leave" };

export type DenialCode =
  | "plan-write"
  | "plan-approved"
  | "plan-command-writes"
  | "plan-command-unproven"
  | "plan-network"
  | "plan-spawn"
  | "plan-external"
  | "already-planning"
  | "enter-in-agent"
  | "enter-not-offered"
  | "enter-no-approval"
  | "exit-not-planning"
  | "exit-parent-planning"
  | "exit-awaiting-lead"
  | "no-plan"
  | "no-access"
  | "invalid"
  | "rule"
  | "hook"
  | "classifier"
  | "declined"
  | "enter-declined"
  | "nobody";

export interface Denial {
  readonly code: DenialCode;
  /** What decided: a rule, a reason, an agent's name. */
  readonly detail: string | null;
  /** The part of a command that decided. */
  readonly part: string | null;
  /** The one file that may be written, where another one was tried. */
  readonly planFile?: string;
}

export type Question =
  /** `outsidePlan`: the plan that is being carried out does not name the file (B6.2). */
  | { readonly kind: "edit"; readonly path: string; readonly guarded: boolean; readonly outsidePlan?: true }
  | { readonly kind: "command"; readonly reason: string; readonly part: string | null }
  /** Plan mode cannot vouch for this command: exactly this line, here, now, once; "no" is selected (B1.3). */
  | {
      readonly kind: "unproven";
      readonly command: string;
      readonly directory: string;
      readonly reason: string;
      readonly part: string | null;
    }
  | { readonly kind: "rule"; readonly rule: string }
  | { readonly kind: "external"; readonly name: string }
  /** `inward`: where inside of this machine or the networks around it the address leads. */
  | { readonly kind: "network"; readonly url: string; readonly inward?: readonly string[] }
  | { readonly kind: "enter-plan" };

export const allow: Decision = { kind: "allow" };

export function deny(code: DenialCode, detail: string | null = null, part: string | null = null): Decision {
  return { kind: "deny", denial: { code, detail, part } };
}

export function ask(question: Question): Extract<Decision, { kind: "ask" }> {
  return { kind: "ask", question };
}

/** What a person's yes to it may be remembered for: nothing that plan mode asks (B1.3). */
export function isRememberable(question: Question): boolean {
  return question.kind !== "unproven" && question.kind !== "enter-plan" && question.kind !== "network";
}
