/** Turns what is refused to another agent into words for its model: why, and what it may do instead (B11.2). */
import type { Denial, Question } from "../../core/decide/decision.ts";
import type { Prompts } from "../index.ts";

/** Beyond what `decide` refuses or would ask a person about. */
export type ClientRefusal =
  | { readonly kind: "denied"; readonly denial: Denial }
  | { readonly kind: "asked"; readonly question: Question; readonly hold: "no-cage" | "no-rewrite" }
  | { readonly kind: "trap"; readonly name: string }
  | { readonly kind: "unknown-tool"; readonly name: string }
  | { readonly kind: "settings" | "unreadable" | "failed"; readonly problem: string }
  | { readonly kind: "late"; readonly seconds: number };

export function renderClientRefusal(prompts: Prompts, refusal: ClientRefusal): string {
  switch (refusal.kind) {
    case "denied":
      return denied(prompts, refusal.denial);
    case "asked":
      return asked(prompts, refusal.question, refusal.hold);
    case "trap":
      return prompts("clients/trap", { name: clip(refusal.name), instead: prompts("clients/instead") });
    case "unknown-tool":
      return prompts("clients/unknown-tool", { name: clip(refusal.name), instead: prompts("clients/instead") });
    case "settings":
    case "unreadable":
    case "failed":
      return prompts(`clients/${refusal.kind}`, { problem: clip(refusal.problem) });
    case "late":
      return prompts("clients/late", { seconds: String(refusal.seconds) });
  }
}

function denied(prompts: Prompts, { code, detail, part, planFile }: Denial): string {
  const instead = prompts("clients/instead");
  switch (code) {
    case "plan-write":
    case "plan-approved": {
      const file = planFile === undefined ? "" : `, which is ${planFile}`;
      return prompts("clients/write", { path: named(detail), planFile: file, instead });
    }
    case "plan-command-writes":
      return prompts("clients/command-writes", { reason: named(detail), part: quoted(part), instead });
    case "plan-network":
      return prompts("clients/network", { target: named(detail), instead });
    case "plan-spawn":
      return prompts("clients/spawn", { agent: named(detail), instead });
    case "plan-external":
      return prompts("clients/external", { name: named(detail), instead });
    case "already-planning":
    case "enter-in-agent":
      return prompts("clients/already-planning");
    case "rule":
      return prompts("clients/rule", { rule: named(detail) });
    default:
      return prompts("clients/invalid", { reason: named(detail ?? code) });
  }
}

function asked(prompts: Prompts, question: Question, hold: "no-cage" | "no-rewrite"): string {
  switch (question.kind) {
    case "unproven":
      return prompts("clients/command-unproven", {
        reason: named(question.reason),
        part: quoted(question.part),
        hold: prompts(`clients/${hold}`),
        instead: prompts("clients/instead"),
      });
    case "rule":
      return prompts("clients/consent", { about: named(question.rule) });
    case "network":
      return prompts("clients/network", { target: named(question.url), instead: prompts("clients/instead") });
    case "edit":
      return prompts("clients/consent", { about: named(question.path) });
    case "external":
      return prompts("clients/consent", { about: named(question.name) });
    case "command":
      return prompts("clients/consent", { about: named(question.reason) });
    case "enter-plan":
      return prompts("clients/already-planning");
  }
}

function quoted(part: string | null): string {
  return part === null ? "" : ` (\`${clip(part)}\`)`;
}

function named(detail: string | null): string {
  return detail === null || detail === "" ? "(unnamed)" : clip(detail.trim().replace(/\.+$/, ""));
}

function clip(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

/** Characters of foreign text that are told back to the model, which knows the rest. */
const longest = 300;
