/** The person at a terminal that is not redrawn: the same questions and answers as the dialogs, by printed text and typed lines. */
import { oneAtATime } from "../../../../agent/host/one-at-a-time.ts";
import type { Person } from "../../../../agent/ports/ports.ts";
import type { TerminalPersonOptions } from "../../person.ts";
import { permissionRequest } from "../../../../agent/answers/permission-request.ts";
import type { Surface } from "../../overlays/surface.ts";
import { askingLines, type LineTerminal, type PlainDesk } from "./ask-lines.ts";
import { plainPermission, plainQuestions } from "./plain-questions.ts";
import { plainReview } from "./review.ts";

/** One question at a time; when no more lines come, or a question is taken back, nothing is answered. */
export function plainPerson(terminal: LineTerminal, options: TerminalPersonOptions & Pick<Surface, "edit">): Person {
  const by = { user: options.user, surface: "terminal" };
  const inTurn = oneAtATime();
  const asking = <Answer>(signal: AbortSignal, work: (desk: PlainDesk) => Promise<Answer>): Promise<Answer> =>
    inTurn(() => work(askingLines(terminal, signal)));
  return {
    review: (request, signal) =>
      asking(signal, async (desk) => {
        const verdict = await plainReview(request, { ...desk, edit: options.edit, offers: options.offers });
        if (verdict !== null) return { verdict, by };
        return signal.aborted ? null : { verdict: { kind: "dismiss" }, by };
      }),
    permit: (question, signal) =>
      asking(signal, async (desk) => {
        const answer = await plainPermission(await permissionRequest(question, options), desk);
        return answer === null ? null : { ...answer, by };
      }),
    answer: ({ questions }, signal) =>
      asking(signal, async (desk) => {
        const answer = await plainQuestions(questions, desk);
        return { answer, by, ...(answer.status === "dismissed" && !signal.aborted ? { stop: true as const } : {}) };
      }),
  };
}
