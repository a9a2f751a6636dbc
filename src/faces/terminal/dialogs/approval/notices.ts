/** What a person must know before they answer: what changed, what hides, what is still open, whether the plan is long (R9.5). */
import { hasHidden } from "../../../../core/wire/visible.ts";
import { countOf } from "../../view/view-facts.ts";
import { comparedWith, isEdited, type ApprovalState } from "./state.ts";
import { countDifference, differenceLines, type DifferenceLine } from "../difference.ts";

export type ApprovalNotice = readonly [tone: "warning" | "dim" | "accent" | "error", text: string];

/** What costs time to find out; given by who knows it already. */
export interface NoticeFacts {
  readonly difference: readonly DifferenceLine[];
  readonly hidden: boolean;
}

export function noticesOf(state: ApprovalState, facts: NoticeFacts = factsOf(state)): readonly ApprovalNotice[] {
  return [
    ...againNotices(state),
    ...(facts.hidden ? [["warning", "Hidden characters are shown as \\u{…}: look at them closely."] as const] : []),
    ...fileNotices(state),
    ...openNotices(state),
    ...differenceNotices(state, facts.difference),
    ...lengthNotices(state.plan.length),
  ];
}

function factsOf(state: ApprovalState): NoticeFacts {
  const base = comparedWith(state);
  return { difference: base === null ? [] : differenceLines(base, state.plan), hidden: hasHidden(state.plan) };
}

function againNotices({ request }: ApprovalState): readonly ApprovalNotice[] {
  if (request.again === null) return [];
  if (request.again === "write-failed") return [["error", "Your edit could not be written: nothing was approved."]];
  return [["error", "The file changed after you answered: nothing was approved. Look again."]];
}

function fileNotices({ request: { changed, stale } }: ApprovalState): readonly ApprovalNotice[] {
  const inTree: ApprovalNotice = ["warning", `Changed in the work tree while planning: ${listed(changed)}`];
  const named: ApprovalNotice = ["warning", `Changed since the plan was submitted: ${listed(stale)}`];
  return [...(changed.length > 0 ? [inTree] : []), ...(stale.length > 0 ? [named] : [])];
}

function openNotices({ request, resolved }: ApprovalState): readonly ApprovalNotice[] {
  const open = request.comments.filter(({ id }) => !resolved.includes(id)).length;
  return open === 0 ? [] : [["accent", `${countOf(open, "comment")} of yours still open, shown with the plan`]];
}

function differenceNotices(state: ApprovalState, difference: readonly DifferenceLine[]): readonly ApprovalNotice[] {
  const { added, removed } = countDifference(difference);
  const since = isEdited(state) ? "by your edit" : "since you last saw it";
  const how = state.shows === "difference" ? "d shows the plan" : "d compares";
  return added + removed === 0 ? [] : [["dim", `+${added} −${removed} ${since} · ${how}`]];
}

function lengthNotices(length: number): readonly ApprovalNotice[] {
  if (length > 20_000) return [["dim", "Long plan: of those above 20,000 characters, half are sent back."]];
  return length > 8_000 ? [["dim", "Long plans are sent back more often: consider asking for a shorter one."]] : [];
}

/** How many first, and none so long that it pushes the others out of sight. */
function listed(files: readonly string[]): string {
  const total = files.length > 3 ? `${countOf(files.length, "file")}, ` : "";
  const more = files.length > 12 ? ` and ${files.length - 12} more` : "";
  const names = files.slice(0, 12).map((file) => (file.length > 48 ? `…${file.slice(-47)}` : file));
  return total + names.join(", ") + more;
}
