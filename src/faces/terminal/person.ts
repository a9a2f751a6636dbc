/** The person at this terminal: every question of the session as a dialog, one after the other. */
import type { Mode } from "../../core/mode.ts";
import type { Answerer } from "../../core/verdict.ts";
import { homeDirectory } from "../../agent/host/config-home.ts";
import type { PermissionAsk, Person } from "../../agent/ports/ports.ts";
import type { PermissionRequest } from "./dialogs/permission-content.ts";
import type { RenewedChoices } from "./renewed-choices.ts";
import type { Component, Dialog, DialogHost, Surface } from "./overlays/surface.ts";

export interface TerminalPersonOptions {
  readonly user: string;
  /** The mode of the session at the moment of asking. */
  readonly mode: () => Mode;
  readonly offers: RenewedChoices;
  readonly projectRoot: () => string;
  readonly home?: string;
  /** The content of a file that an edit would change; null when there is none. */
  readonly readText?: (path: string) => Promise<string | null>;
}

/** Closed from outside (the signal), nothing is answered. */
export function terminalPerson(host: DialogHost, surface: Surface, options: TerminalPersonOptions): Person {
  const by: Answerer = { user: options.user, surface: "terminal" };
  return {
    async review(request, signal) {
      const { approvalWith } = await import("./dialogs/approval/approval.ts");
      const verdict = await shown(approvalWith(options.offers.choices), request, { host, surface, signal });
      return verdict === null ? null : { verdict, by };
    },
    async permit(ask, signal) {
      const { permissionDialog } = await import("./dialogs/permission.ts");
      const request = await permissionRequest(ask, options);
      const answer = await shown(permissionDialog, request, { host, surface, signal });
      return answer === null ? null : { ...answer, by };
    },
    async answer({ questions }, signal) {
      const { questionsDialog } = await import("./dialogs/questions/questions.ts");
      const answer = await shown(questionsDialog, questions, { host, surface, signal });
      return answer === null ? null : { answer, by };
    },
  };
}

/** What a permission dialog must know beyond what is asked. */
export async function permissionRequest(
  ask: PermissionAsk,
  options: TerminalPersonOptions,
): Promise<PermissionRequest> {
  const [{ editedPath }, { ruleFor }] = await Promise.all([
    import("./dialogs/permission-content.ts"),
    import("./dialogs/permission-rule.ts"),
  ]);
  await ask.ready;
  const mode = options.mode();
  const path = editedPath(ask);
  const before =
    path === null || options.readText === undefined ? null : await options.readText(path).catch(() => null);
  const rule = ruleFor(ask, mode, { project: options.projectRoot(), home: options.home ?? homeDirectory() });
  return { ask, mode, before, rule };
}

interface Showing {
  readonly host: DialogHost;
  readonly surface: Surface;
  readonly signal: AbortSignal;
}

/** Null when it was closed from outside. */
function shown<Request, Answer>(
  dialog: Dialog<Request, Answer>,
  request: Request,
  { host, surface, signal }: Showing,
): Promise<Answer | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    let close: (() => void) | null = null;
    const settle = (answer: Answer | null): void => {
      signal.removeEventListener("abort", abort);
      close?.();
      resolve(answer);
    };
    const abort = (): void => settle(null);
    const component: Component = dialog(request, surface, settle);
    signal.addEventListener("abort", abort, { once: true });
    close = host.show(component);
  });
}
