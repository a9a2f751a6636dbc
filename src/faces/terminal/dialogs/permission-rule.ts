/** The rule that "always allow" would write (R17.2): as narrow as the call, and offered only where it would really cover it. */
import { isInside, type Subject } from "../../../core/decide/access.ts";
import { isRememberable } from "../../../core/decide/decision.ts";
import type { Mode } from "../../../core/mode.ts";
import { matchRules, type Roots } from "../../../core/decide/rules.ts";
import type { PermissionAsk } from "../../../agent/ports/ports.ts";

/** Null where nothing can be remembered: in plan mode, for guarded paths, for what a rule asks about anyway. */
export function ruleFor({ call, question }: PermissionAsk, mode: Mode, roots: Roots): string | null {
  if (mode === "plan" || !isRememberable(question) || question.kind === "rule") return null;
  if (question.kind === "edit" && question.guarded) return null;
  const rules = [...new Set(call.subjects.flatMap((subject) => ruleOf(subject, roots) ?? []))];
  return rules.find((rule) => covers(rule, call.subjects, roots)) ?? null;
}

function covers(rule: string, subjects: readonly Subject[], roots: Roots): boolean {
  const book = { allow: [rule], ask: [], deny: [], stripped: false, runners: [] };
  return matchRules(book, subjects, roots).allowed;
}

function ruleOf({ rule, path, parts, opaque }: Subject, { project }: Roots): string | null {
  if (path !== undefined)
    return `${rule}(${isInside(path, project) ? literal(path.slice(project.length + 1)) : literal(path)})`;
  if (parts === undefined) return rule.startsWith("mcp__") ? rule : null;
  const command = parts[0]?.trim() ?? "";
  if (parts.length !== 1 || opaque === true || command === "*" || command === "" || command.endsWith(":*")) return null;
  return `${rule}(${command})`;
}

/** A path that means itself also where rules are globs. */
function literal(path: string): string {
  return path.replaceAll(/[*?[{]/g, "[$&]");
}
