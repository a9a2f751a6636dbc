/** Names that Gemini CLI's row and its policy share. */
import { createHash } from "node:crypto";

/** Stands in the file and in every refusal of it: the transcript tells by it that the client plans. */
export const policyMark = "[groundplan: plan mode]";

/** What the names of approved plans begin with. */
export const approvedPrefix = "groundplan-approved-";

/** A plan that the person approved lies in a file of this name, which no tool of the client may write. */
export function approvedName(plan: string): string {
  return `${approvedPrefix}${createHash("sha256").update(plan).digest("hex")}.md`;
}
