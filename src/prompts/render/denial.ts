/** Turns a denial into words that say what may be done instead (R5.2). */
import type { Denial } from "../../core/decide/decision.ts";
import type { Actor } from "../../core/decide/situation.ts";
import type { Prompts } from "../index.ts";

export interface DenialFacts {
  readonly actor: Actor["kind"];
}

export function renderDenial(prompts: Prompts, denial: Denial, { actor }: DenialFacts): string {
  const { code, detail, part, planFile } = denial;
  const instead = prompts(actor === "subagent" ? "denied/instead-agent" : "denied/instead");
  switch (code) {
    case "plan-write": {
      const file = planFile === undefined ? "" : `, which is ${planFile}`;
      return prompts("denied/plan-write", { path: named(detail), planFile: file, instead });
    }
    case "plan-approved":
      return prompts("denied/plan-approved", { path: named(detail) });
    case "plan-command-writes":
    case "plan-command-unproven": {
      const quoted = part === null ? "" : ` (\`${clip(part)}\`)`;
      return prompts(`denied/${code}`, { reason: because(detail), part: quoted, instead });
    }
    case "plan-network":
      return prompts("denied/plan-network", { target: named(detail), instead });
    case "plan-spawn":
      return prompts("denied/plan-spawn", { agent: named(detail), instead });
    case "plan-external":
      return prompts("denied/plan-external", { name: named(detail), instead });
    case "no-plan":
      return detail === null ? prompts("denied/no-plan-file") : prompts("denied/no-plan", { path: detail });
    case "rule":
      return prompts("denied/rule", { rule: named(detail) });
    case "invalid":
    case "hook":
    case "classifier":
      return prompts(`denied/${code}`, { reason: because(detail) });
    case "declined": {
      const words = detail?.trim() ?? "";
      return words === "" ? prompts("denied/declined") : prompts("denied/declined-instead", { words });
    }
    case "enter-declined":
    case "nobody":
      return prompts(`denied/${code}`, { reason: given(prompts, detail) });
    case "already-planning":
    case "enter-in-agent":
    case "enter-not-offered":
    case "enter-no-approval":
    case "exit-not-planning":
    case "exit-parent-planning":
    case "exit-awaiting-lead":
    case "no-access":
      return prompts(`denied/${code}`);
  }
}

function given(prompts: Prompts, reason: string | null): string {
  return reason === null || reason.trim() === "" ? "" : `\n${prompts("denied/reason", { reason })}`;
}

/** The templates end the sentence. */
function because(reason: string | null): string {
  return reason?.trim().replace(/\.+$/, "") || "no reason given";
}

function named(detail: string | null): string {
  return detail === null || detail === "" ? "(unnamed)" : clip(detail);
}

function clip(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** Characters of a command or path that are quoted back to the model, which knows the rest. */
const longest = 300;
