/** The person at this terminal: every question of the session as a dialog, one after the other. */
import type { Answerer } from "../../core/verdict.ts";
import type { Person } from "../../agent/ports/ports.ts";
import type { PermissionFacts } from "../../agent/answers/permission-request.ts";
import type { RenewedChoices } from "./renewed-choices.ts";
import type { Dialog, DialogHost, Surface } from "./overlays/surface.ts";

export interface TerminalPersonOptions extends PermissionFacts {
  readonly user: string;
  readonly offers: RenewedChoices;
}

/** Closed from outside (the signal), nothing is answered. */
export function terminalPerson(host: DialogHost, surface: Surface, options: TerminalPersonOptions): Person {
  const by: Answerer = { user: options.user, surface: "terminal" };
  const shown = shownOn(host, surface);
  return {
    async review(request, signal) {
      const { approvalWith } = await import("./dialogs/approval/approval.ts");
      const verdict = await shown(approvalWith(options.offers.choices), request, signal);
      return verdict === null ? null : { verdict, by };
    },
    async permit(ask, signal) {
      const [{ permissionDialog }, { permissionRequest }] = await Promise.all([
        import("./dialogs/permission.ts"),
        import("../../agent/answers/permission-request.ts"),
      ]);
      const request = await permissionRequest(ask, options);
      const answer = await shown(permissionDialog, request, signal);
      return answer === null ? null : { ...answer, by };
    },
    async answer({ questions }, signal) {
      const { questionsDialog } = await import("./dialogs/questions/questions.ts");
      const answer = await shown(questionsDialog, questions, signal);
      if (answer === null) return null;
      return { answer, by, ...(answer.status === "dismissed" ? { stop: true as const } : {}) };
    },
  };
}

/** Null when it was closed from outside. */
function shownOn(host: DialogHost, surface: Surface) {
  return <Request, Answer>(dialog: Dialog<Request, Answer>, request: Request, signal: AbortSignal) =>
    new Promise<Answer | null>((resolve) => {
      if (signal.aborted) return resolve(null);
      let close: (() => void) | null = null;
      const settle = (answer: Answer | null): void => {
        signal.removeEventListener("abort", abort);
        close?.();
        resolve(answer);
      };
      const abort = (): void => settle(null);
      const component = dialog(request, surface, settle);
      signal.addEventListener("abort", abort, { once: true });
      close = host.show(component);
    });
}
