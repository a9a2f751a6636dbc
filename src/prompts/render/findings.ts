/** What a verification found, as the next prompt of the plan's session (B16.3). */
import { isRefusing, severities, type PlanFinding } from "../../core/proof/finding.ts";
import type { Prompts } from "../index.ts";
import { withoutReminderTags } from "./tags.ts";

export interface GivenFindings {
  /** The plan's file. */
  readonly file: string;
  readonly findings: readonly PlanFinding[];
}

/** What nobody could verify is left out: there is nothing to put right in it. */
export function renderFindings(prompts: Prompts, { file, findings }: GivenFindings): string {
  const lists = severities.flatMap((severity) => {
    const own = findings.filter((finding) => finding.severity === severity && isRefusing(finding));
    if (own.length === 0) return [];
    const shown = own.slice(0, mostItems).map((finding) => itemOf(prompts, finding));
    const rest = own.length > mostItems ? [prompts("findings/more", { count: String(own.length - mostItems) })] : [];
    return [prompts("findings/list", { severity, items: [...shown, ...rest].join("\n") })];
  });
  return withoutReminderTags(prompts("findings/give-back", { file, findings: lists.join("\n\n") }));
}

function itemOf(prompts: Prompts, { text, detail }: PlanFinding): string {
  const indented = detail === undefined ? "" : `\n${detail.replace(/^/gm, "    ")}`;
  return prompts("findings/item", { text, detail: indented });
}

const mostItems = 30;
