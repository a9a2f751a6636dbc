/** What the page sends becomes a verdict, if the request that it names can still be answered so. */
import { isBlank } from "../../../core/plan/hash.ts";
import type { ReviewRequest } from "../../../core/plan/review.ts";
import type { Refused, VerdictBody } from "./wire.ts";

/** Null: nothing speaks against it. Only the very text that was shown can be answered (B2.1). */
export function objectionTo(request: ReviewRequest, body: VerdictBody): Refused["reason"] | null {
  if (body.requestId !== request.id || body.hash !== request.hash) return "stale";
  if (body.plan !== undefined && isBlank(body.plan)) return "empty-plan";
  if (body.kind !== "approve") return null;
  const { choices } = request;
  const hasMode = choices.some(
    (choice) => choice.kind === "approve" && (body.mode === undefined || choice.mode === body.mode),
  );
  const hasFresh = body.fresh !== true || choices.some(({ kind }) => kind === "approve-fresh");
  return hasMode && hasFresh ? null : "mode-not-available";
}
