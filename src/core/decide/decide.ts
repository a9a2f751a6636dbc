/** One function judges every call of every tool: the plan gate first, then the person's rules, then the mode's table. */
import { isTrustedReader, type Access, type Call, type CommandAccess, type FetchAccess } from "./access.ts";
import { allow, ask, deny, type Decision } from "./decision.ts";
import { gate } from "./gate.ts";
import { isPlanning, workingModeOf, type WorkingMode } from "../mode.ts";
import { isNamedIn } from "../plan/scope.ts";
import { matchRules, type RuleBook, type RuleMatch } from "./rules.ts";
import type { Situation } from "./situation.ts";

export function decide(call: Call, situation: Situation): Decision {
  const { access } = call;
  if (access === null) return deny("no-access");
  if (access.kind === "invalid") return deny("invalid", access.reason);
  const planning = isPlanning(situation.permissions);
  const gated = planning ? gate(access, situation) : allow;
  if (gated.kind === "deny") return gated;
  if (!planning && isSettledFile(access, situation)) return deny("plan-approved", access.path);
  const rules = matchRules(bookOf(situation), call.subjects, situation.roots);
  if (rules.denied !== null) return deny("rule", rules.denied);
  if (call.hook?.answer === "deny") return deny("hook", call.hook.reason);
  if (gated.kind !== "allow") return gated;
  if (access.kind === "enter-plan") return enter(situation);
  if (access.kind === "exit-plan") return deny("exit-not-planning");
  return planning
    ? whilePlanning(call, rules, situation)
    : withinPlan(whileWorking(call, rules, situation), access, situation);
}

/** What was given for the session was given outside of plan mode, and answers for nothing within it (B18.2). */
function bookOf({ permissions: { mode, rules } }: Situation): RuleBook {
  return mode.current === "plan" && rules.session !== undefined ? { ...rules, session: [] } : rules;
}

/** B6.2: an edit of a file that the plan being carried out does not name. */
export function isOutsidePlan(access: Access, { scope, roots, permissions }: Situation): boolean {
  if (access.kind !== "write" || scope === undefined || isPlanning(permissions)) return false;
  return !isNamedIn(scope.plan, access.path, roots.project);
}

/** Outside of the plan a question says so; where the person wants to be asked, allow rules and modes do not answer (bypass aside). */
function withinPlan(decision: Decision, access: Access, situation: Situation): Decision {
  if (access.kind !== "write" || decision.kind === "deny" || !isOutsidePlan(access, situation)) return decision;
  const question = { kind: "edit", path: access.path, guarded: access.place === "guarded", outsidePlan: true } as const;
  if (situation.scope?.rule === "ask" && workingModeOf(situation.permissions) !== "bypassPermissions") {
    return decision.kind === "ask" && decision.question.kind !== "edit" ? decision : ask(question);
  }
  const isEdit = "question" in decision && decision.question.kind === "edit";
  return isEdit && (decision.kind === "ask" || decision.kind === "classify")
    ? { kind: decision.kind, question }
    : decision;
}

/** B5.1: what was approved, saved or given up, by whichever session, stays as it was, whatever the mode. */
function isSettledFile(access: Access, { settledFiles = [] }: Situation): access is Extract<Access, { kind: "write" }> {
  return access.kind === "write" && (access.kept === true || settledFiles.includes(access.path));
}

/** Behind the open gate: allow rules and hooks have nothing left to open, ask rules still ask (R5.6, not under bypass: B1.8). */
function whilePlanning(call: Call, rules: RuleMatch, { permissions }: Situation): Decision {
  const open = unmasked(call, rules, "plan");
  if (open !== null) return ask({ kind: "rule", rule: open });
  const byHook = call.hook?.answer === "ask" ? call.hook.reason : null;
  const wanted = rules.asked ?? byHook;
  if (wanted === null || workingModeOf(permissions) === "bypassPermissions") return allow;
  const question = ask({ kind: "rule", rule: wanted });
  const isRead = call.access?.kind === "read" || call.access?.kind === "fetch";
  return permissions.autoActive && isRead && byHook === null ? { ...question, kind: "classify" } : question;
}

/** B1.14: a deny rule that a command may break by what it reads or starts, where no cage keeps that from it. */
function unmasked({ access }: Call, rules: RuleMatch, during: "plan" | "work"): string | null {
  const isUnasked = access?.kind === "command" && (during === "plan" || access.verdict === "read-only");
  const isCaged = isUnasked && access.sandboxed;
  return isCaged ? null : (rules.unresolved ?? rules.unseen);
}

function whileWorking(call: Call, rules: RuleMatch, { permissions }: Situation): Decision {
  const mode = workingModeOf(permissions);
  if (mode === "bypassPermissions") return rules.unseen === null ? allow : deny("rule", rules.unseen);
  const open = unmasked(call, rules, "work");
  if (open !== null) return ask({ kind: "rule", rule: open });
  const byMode = table(call.access!, mode);
  if (rules.asked !== null) {
    const question = ask({ kind: "rule", rule: rules.asked });
    const isPersons = byMode.kind === "ask" || call.hook?.answer === "ask";
    return isPersons ? question : mayClassify(mode, question);
  }
  if (call.hook?.answer === "ask") return ask({ kind: "rule", rule: call.hook.reason });
  const covered = rules.allowed || call.hook?.answer === "allow";
  return covered && byMode.kind !== "deny" && !isGuarded(call.access!) ? allow : byMode;
}

/** Section 17, row by row. */
function table(access: Access, mode: WorkingMode): Decision {
  switch (access.kind) {
    case "read":
    case "note":
    case "ask-user":
    case "spawn":
      return allow;
    case "fetch":
      return fetched(access, mode);
    case "write":
      return edit(access.place, mode, { kind: "edit", path: access.path, guarded: access.place === "guarded" });
    case "command":
      return command(access, mode);
    case "external":
      return isTrustedReader(access) ? allow : mayClassify(mode, ask({ kind: "external", name: access.name }));
    case "enter-plan":
    case "exit-plan":
    case "invalid":
      return deny("invalid");
  }
}

/** What leads inside of this machine and its networks only a person answers for. */
function fetched({ url, method, inward = [] }: FetchAccess, mode: WorkingMode): Decision {
  if (inward.length > 0) return ask({ kind: "network", url, inward });
  return method === "GET" ? allow : mayClassify(mode, ask({ kind: "network", url }));
}

function command(access: CommandAccess, mode: WorkingMode): Decision {
  if (access.verdict === "read-only") return allow;
  if (mode === "acceptEdits" && access.files === "project" && access.harsh !== true) return allow;
  return mayClassify(mode, ask({ kind: "command", reason: access.reason, part: access.part ?? null }));
}

function edit(place: "project" | "elsewhere" | "guarded", mode: WorkingMode, question: EditQuestion): Decision {
  if (place !== "project") return ask(question);
  if (mode === "acceptEdits") return allow;
  return mayClassify(mode, ask(question));
}

type EditQuestion = { readonly kind: "edit"; readonly path: string; readonly guarded: boolean };

function enter({ actor, reviewable, modelMayEnterPlan }: Situation): Decision {
  if (actor.kind === "subagent") return deny("enter-in-agent");
  if (modelMayEnterPlan === "never") return deny("enter-not-offered");
  if (actor.kind === "teammate") return { kind: "enter" };
  if (!reviewable) return deny("enter-no-approval");
  return modelMayEnterPlan === "allow" ? { kind: "enter" } : ask({ kind: "enter-plan" });
}

function isGuarded(access: Access): boolean {
  return access.kind === "write" && access.place === "guarded";
}

/** In auto mode a classifier answers what would be asked (R11.1). */
function mayClassify(mode: WorkingMode, question: Extract<Decision, { kind: "ask" }>): Decision {
  return mode === "auto" ? { ...question, kind: "classify" } : question;
}
