/** The approval dialog (R7.4, B2, B3): a plan to read, comment, compare, edit and answer. */
import { errorText } from "../../../../core/error-text.ts";
import type { ReviewRequest } from "../../../../core/plan/review.ts";
import type { Choice, Verdict } from "../../../../core/verdict.ts";
import type { Dialog, EditOutcome, Surface } from "../../overlays/surface.ts";
import { editedPlan, openedApproval, withChoices, type ApprovalState } from "./state.ts";
import { updateApproval } from "./update.ts";
import { approvalView } from "./view.ts";
import { dialogOf } from "../component.ts";

/** `choicesOf`: what the session offers for a request now; null where it does not say. */
export const approvalWith =
  (choicesOf: (requestId: string) => readonly Choice[] | null): Dialog<ReviewRequest, Verdict> =>
  (request, surface, done) => {
    const { layout, view } = approvalView(surface);
    return dialogOf<ApprovalState, Verdict>({
      surface,
      done,
      initial: openedApproval(request),
      update: (state, key, size) => updateApproval(state, key, { keys: surface.keys, layout: layout(state, size) }),
      view,
      renew: (state) => withChoices(state, choicesOf(request.id)),
      takesText: ({ focus }) => focus === "box",
      perform: (state) => (state.wantsEditor ? editing(state, (text, file) => surface.edit(text, file)) : null),
    });
  };

function failed(error: unknown): EditOutcome {
  return { kind: "failed", reason: errorText(error) };
}

/** The plan after the person's own editor: closed without a change, that changes nothing (B3.5). */
export async function editing(state: ApprovalState, edit: Surface["edit"]): Promise<ApprovalState> {
  const name = state.request.planFile.split(/[\\/]/).at(-1) ?? "plan.md";
  const outcome = await edit(state.plan, { name }).catch(failed);
  const back = { ...state, wantsEditor: false };
  if (outcome.kind === "failed") return { ...back, says: `The editor could not be used: ${outcome.reason}` };
  if (outcome.kind === "unchanged" || outcome.text === state.plan)
    return { ...back, says: "The plan was not changed." };
  if (outcome.text.trim() === "") return { ...back, says: "An empty plan cannot be approved: your edit was left out." };
  return editedPlan(back, outcome.text);
}
