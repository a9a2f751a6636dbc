/** What came of a tool call, as a value; `prompts/` turns it into the words the model reads. */
import type { Denial } from "./decide/decision.ts";
import type { PlacedComment } from "./verdict.ts";

export type Outcome =
  | { readonly kind: "ran"; readonly output: unknown; readonly isError: boolean }
  | { readonly kind: "denied"; readonly denial: Denial }
  | { readonly kind: "cancelled" }
  /** The process died while it ran (R14.6). */
  | { readonly kind: "interrupted" }
  | { readonly kind: "entered" }
  | { readonly kind: "left" }
  | {
      readonly kind: "approved";
      readonly plan: string;
      readonly file: string;
      readonly edited: boolean;
      readonly notes: string | null;
      readonly fresh: boolean;
      readonly comments?: readonly PlacedComment[];
      /** How many of its steps became todos (B6.1); absent when none. */
      readonly seeded?: number;
      /** How many of these, the last ones, share one todo. */
      readonly together?: number;
    }
  | { readonly kind: "revise"; readonly feedback: string; readonly comments: readonly PlacedComment[] }
  /** The same plan again, although feedback is open (B4.2). */
  | {
      readonly kind: "unchanged";
      readonly feedback: string;
      readonly comments: readonly PlacedComment[];
      readonly times: number;
    }
  | { readonly kind: "sent-back"; readonly missing: readonly string[] }
  | { readonly kind: "saved" }
  | { readonly kind: "abandoned" }
  | { readonly kind: "dismissed" }
  /** The person left plan mode while the plan was under review: nothing was approved. */
  | { readonly kind: "withdrawn" }
  | { readonly kind: "submitted"; readonly requestId: string };

/** A question that the person answered. */
export interface AnsweredQuestion {
  readonly question: string;
  readonly answer: string;
}

/** What the person answered, as a tool's output keeps it. */
export function answersIn(output: unknown): readonly AnsweredQuestion[] {
  const answers = typeof output === "object" && output !== null && "answers" in output ? output.answers : [];
  return Array.isArray(answers) ? answers.filter(isAnswered) : [];
}

function isAnswered(value: unknown): value is AnsweredQuestion {
  if (typeof value !== "object" || value === null) return false;
  const { question, answer } = value as Partial<Record<keyof AnsweredQuestion, unknown>>;
  return typeof question === "string" && typeof answer === "string";
}

/** Whether the provider should hear of it as an error. */
export function isError(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case "ran":
      return outcome.isError;
    case "denied":
      return outcome.denial.code !== "already-planning";
    case "cancelled":
    case "interrupted":
    case "revise":
    case "unchanged":
    case "sent-back":
    case "dismissed":
    case "withdrawn":
      return true;
    case "entered":
    case "left":
    case "approved":
    case "saved":
    case "abandoned":
    case "submitted":
      return false;
  }
}
