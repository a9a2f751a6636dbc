/** What a permission dialog must know beyond what is asked: the file as it is, and the rule that "always allow" would write (R17.2). */
import { homeDirectory } from "../host/config-home.ts";
import type { PermissionAsk } from "../ports/ports.ts";
import { isInside, type Subject } from "../../core/decide/access.ts";
import { isRememberable } from "../../core/decide/decision.ts";
import { matchRules, type Roots } from "../../core/decide/rules.ts";
import type { Mode } from "../../core/mode.ts";

export interface PermissionRequest {
  readonly ask: PermissionAsk;
  readonly mode: Mode;
  /** The file as it is, for the difference of an edit; null where there is none, or it cannot be read. */
  readonly before: string | null;
  /** As narrow as the call; null where it would not really cover it, and is not offered. */
  readonly rule: string | null;
}

export interface PermissionFacts {
  /** The mode of the session at the moment of asking. */
  readonly mode: () => Mode;
  readonly projectRoot: () => string;
  readonly home?: string;
  /** The content of a file that an edit would change; null when there is none. */
  readonly readText?: (path: string) => Promise<string | null>;
}

export async function permissionRequest(ask: PermissionAsk, facts: PermissionFacts): Promise<PermissionRequest> {
  await ask.ready;
  const mode = facts.mode();
  const { access } = ask.call;
  const before = access?.kind === "write" ? await facts.readText?.(access.path).catch(() => null) : null;
  const rule = ruleFor(ask, mode, { project: facts.projectRoot(), home: facts.home ?? homeDirectory() });
  return { ask, mode, before: before ?? null, rule };
}

/** Null where nothing can be remembered: in plan mode, for guarded paths, for what a rule asks about anyway. */
function ruleFor({ call, question }: PermissionAsk, mode: Mode, roots: Roots): string | null {
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
