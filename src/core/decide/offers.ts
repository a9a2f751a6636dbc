/** What a yes may be remembered for (B18.2): rules for this session, of this kind, and rules for always. */
import { isInside, type Call, type Subject } from "./access.ts";
import { isRememberable, type Question } from "./decision.ts";
import { isPlanning, type Permissions } from "../mode.ts";
import { exactPath, matchRules, ruleProblem, type Roots } from "./rules.ts";

export interface RuleOffers {
  /** Edits in the project, the beginning of each command; none where nothing can be remembered. */
  readonly session: readonly string[];
  /** As narrow for a file as the call, for a command as for the session. */
  readonly always: readonly string[];
}

export const noOffers: RuleOffers = { session: [], always: [] };

export interface OfferFacts {
  readonly permissions: Permissions;
  readonly roots: Roots;
  /** Where edits outside of the plan are asked about each time, no rule answers for them. */
  readonly settings: { readonly planScope: "off" | "warn" | "ask" };
}

/** Nothing in plan mode, for guarded paths, for what a rule asks about anyway; and no rule that would not really cover the call. */
export function offersFor(call: Call, question: Question, facts: OfferFacts): RuleOffers {
  if (isPlanning(facts.permissions) || !isRememberable(question) || question.kind === "rule") return noOffers;
  const isAskedEachTime = facts.settings.planScope === "ask";
  if (question.kind === "edit" && (question.guarded || (question.outsidePlan === true && isAskedEachTime)))
    return noOffers;
  const always = rulesFor(call, facts, ruleOf);
  const session = rulesFor(call, facts, kindOf);
  return { session: session.length > 0 ? session : always, always };
}

/** Whether these rules answer for the whole call, beside those that there are. */
export function covers(rules: readonly string[], call: Call, { permissions, roots }: OfferFacts): boolean {
  const book = { ...permissions.rules, allow: [...permissions.rules.allow, ...rules], ask: [], deny: [] };
  return matchRules(book, call.subjects, roots).allowed;
}

type RulesOf = (subject: Subject, roots: Roots) => readonly string[];

/** The most general name of a call comes last. */
function rulesFor(call: Call, facts: OfferFacts, rulesOf: RulesOf): readonly string[] {
  const { runners } = facts.permissions.rules;
  const candidates = call.subjects.map((subject) => rulesOf(subject, facts.roots)).filter(({ length }) => length > 0);
  const isGood = (rules: readonly string[]): boolean =>
    rules.every((rule) => !rule.includes("\n") && ruleProblem(rule, runners) === null) && covers(rules, call, facts);
  return candidates.findLast(isGood) ?? [];
}

function ruleOf(subject: Subject, { project }: Roots): readonly string[] {
  const { rule, path } = subject;
  if (path === undefined) return commandRules(subject);
  return [`${rule}(${exactPath(isInside(path, project) ? path.slice(project.length + 1) : path)})`];
}

function kindOf(subject: Subject, { project }: Roots): readonly string[] {
  const { rule, path } = subject;
  if (path === undefined) return commandRules(subject);
  return isInside(path, project) ? [`${rule}(**)`] : [];
}

/** A rule for each part that needs one. */
function commandRules({ rule, parts, proved = [], redirected = [], opaque, loose }: Subject): readonly string[] {
  if (parts === undefined) return rule.startsWith("mcp__") ? [rule] : [];
  if (opaque === true || loose === true) return [];
  const needing = parts.filter((part) => !proved.includes(part));
  const rules = needing.map((part) => {
    const prefix = redirected.includes(part) ? null : prefixOf(part.trim());
    return prefix === null ? exactRule(rule, part.trim()) : `${rule}(${prefix}:*)`;
  });
  const unique = [...new Set(rules)];
  return unique.length <= mostRules && unique.every((one) => one !== null) ? unique : [];
}

/** More than this nobody reads before they say yes. */
const mostRules = 4;

function exactRule(name: string, command: string): string | null {
  return command === "" || /(^|\s|:)\*$/.test(command) ? null : `${name}(${command})`;
}

/** How a command begins that others of its kind begin with, too; null where that would say too much: then it is the command itself. */
function prefixOf(command: string): string | null {
  const [program = "", second = "", third = ""] = command.split(/\s+/);
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (
    command.includes("\n") ||
    !plainWord.test(program) ||
    program.includes("=") ||
    !plainWord.test(second) ||
    alone.has(name)
  )
    return null;
  if (!interpreters.test(name)) {
    if (!runsOthers.test(second)) return `${program} ${second}`;
    return plainWord.test(third) && !third.startsWith("-") ? `${program} ${second} ${third}` : null;
  }
  return second.startsWith("-") || !/[./]/.test(second) ? null : `${program} ${second}`;
}

const plainWord = /^[\w@./:+-]+$/;

/** `npm run build` is one kind, `npm run` is none. */
const runsOthers = /^(run|run-script|exec|dlx|x|tool|task|compose)$/;

/** With a file that they run they are one kind; with a text on the command line they are anything. */
const interpreters =
  /^(node|nodejs|deno|bun|python[\d.]*|ruby|perl|php|lua|sh|bash|zsh|dash|ksh|fish|pwsh|osascript|tsx|ts-node)$/;

/** What they do is all in their further words: remove, overwrite, fetch, start others. */
const alone: ReadonlySet<string> = new Set(
  (
    "rm rmdir mv cp ln mkdir touch install dd shred truncate chmod chown chgrp kill pkill killall sed awk gawk find xargs parallel env nice nohup timeout " +
    "time watch setsid stdbuf sudo doas su ssh scp sftp rsync curl wget nc eval exec source command builtin crontab at tee mkfs mount"
  ).split(" "),
);
