/** What came of a review outside of a session's own process, as scripts read it. */
import { hashText } from "../../../core/plan/hash.ts";
import type { CommentsBody, VerdictBody } from "./wire.ts";

/** `hash` is of the text that was decided on: the edited one where it was edited, which then is `plan`. */
export interface Decided extends Omit<VerdictBody, "requestId" | "kind"> {
  readonly type: "review";
  readonly kind: VerdictBody["kind"] | "comment";
  readonly file: string;
  readonly session: string | null;
  /** Whether a running session took it; otherwise it is kept until that is resumed. */
  readonly delivered?: boolean;
}

/** Empty fields are left out. */
export function decidedBy(
  body: VerdictBody | CommentsBody,
  { file, session, delivered }: Pick<Decided, "file" | "session" | "delivered">,
): Decided {
  const { hash, feedback, comments, resolved } = body;
  const plan = body.plan === undefined || hashText(body.plan) === hash ? undefined : body.plan;
  const { kind, mode, fresh, notes } = "kind" in body ? body : { kind: "comment" as const };
  return {
    type: "review",
    kind,
    file,
    session,
    hash: plan === undefined ? hash : hashText(plan),
    ...(mode === undefined ? {} : { mode }),
    ...(fresh === true ? { fresh } : {}),
    ...(isSaid(notes) ? { notes } : {}),
    ...(isSaid(feedback) ? { feedback } : {}),
    ...(comments === undefined || comments.length === 0 ? {} : { comments }),
    ...(resolved === undefined || resolved.length === 0 ? {} : { resolved }),
    ...(plan === undefined ? {} : { plan }),
    ...(delivered === undefined ? {} : { delivered }),
  };
}

function isSaid(words: string | undefined): words is string {
  return words !== undefined && words.trim() !== "";
}
