/** A desk that offers only what another agent's client can carry back: modes, edits, notes; anything else is refused here, too (B11.5). */
import type { WorkingMode } from "../../../core/mode.ts";
import type { Choice } from "../../../core/verdict.ts";
import type { ReviewDesk } from "./desk.ts";
import type { ReviewState, VerdictBody } from "./wire.ts";

export interface CarriedAnswers {
  /** As people call the agent. */
  readonly title: string;
  /** In which its work may begin; never empty. */
  readonly modes: readonly WorkingMode[];
  /** Whether one of these is really set there. */
  readonly setsMode: boolean;
  readonly edit: boolean;
  readonly notes: boolean;
}

export function offeredDesk(desk: ReviewDesk, carried: () => CarriedAnswers): ReviewDesk {
  return {
    ...desk,
    state: async (tab) => offeredState(await desk.state(tab), carried()),
    async decide(body, tab) {
      const { modes, edit, notes } = carried();
      if (body.kind !== "approve" && body.kind !== "revise") return "mode-not-available";
      if (!edit && body.plan !== undefined) return "not-carried";
      if (body.kind === "revise") return desk.decide(body, tab);
      if (!notes && isSaid(body)) return "not-carried";
      const mode = body.mode ?? modes[0];
      if (mode === undefined || !modes.includes(mode) || body.fresh === true) return "mode-not-available";
      return desk.decide({ ...body, mode }, tab);
    },
    /** Nobody there would hear it. */
    comment: () => Promise.resolve("closed"),
  };
}

function offeredState(state: ReviewState, { title, modes, setsMode, edit, notes }: CarriedAnswers): ReviewState {
  const { request } = state;
  const client = { title, edit, notes, mode: setsMode };
  if (request === null) return { ...state, client };
  const isOffered = (choice: Choice): boolean =>
    choice.kind === "revise" || (choice.kind === "approve" && modes.includes(choice.mode));
  return { ...state, client, request: { ...request, choices: request.choices.filter(isOffered) } };
}

function isSaid({ notes = "", feedback = "", comments = [] }: VerdictBody): boolean {
  return notes.trim() !== "" || feedback.trim() !== "" || comments.length > 0;
}
