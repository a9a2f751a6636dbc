/** Permission rules: deny before ask before allow, matched against the subjects of a call (R17.1). */
import type { Subject } from "./access.ts";
import { isDangerous } from "./dangerous.ts";
import { parseGlob } from "./glob.ts";

/** Rules as the person wrote them: `Name`, `Name(exact command)`, `Name(prefix:*)`, `Name(path/glob/**)`. */
export interface RuleBook {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** Allow rules that end with the session: a person gave them for it, no file holds them (B18.2). */
  readonly session?: readonly string[];
  /** While true, dangerous allow rules do not count (R11.2); nothing is moved, so what comes back is exact. */
  readonly stripped: boolean;
  /** Names of rules under which commands or agents run, as the tools declare them. */
  readonly runners: readonly string[];
}

export interface Roots {
  readonly project: string;
  readonly home: string;
}

export interface RuleMatch {
  readonly denied: string | null;
  /** A deny rule that may be broken by what cannot be known before it runs. */
  readonly unresolved: string | null;
  /** The same, by what the text of a command may start. */
  readonly unseen: string | null;
  readonly asked: string | null;
  readonly allowed: boolean;
}

export function matchRules(book: RuleBook, subjects: readonly Subject[], roots: Roots): RuleMatch {
  const explicit = subjects
    .filter(({ parts }) => parts !== undefined)
    .map((one) => Object.assign({}, one, { explicit: true }));
  const isNamedByRule = areCovered(effectiveAllow(book), explicit, roots);
  const own = subjects.find((one) => one.own !== undefined && one.unknown !== true)?.own;
  const around = subjects.find((one) => one.own !== undefined)?.own;
  const unseen = isNamedByRule ? undefined : book.deny.find((rule) => subjects.some((one) => mayStart(rule, one)));
  return {
    unseen: unseen ?? null,
    denied: own ?? book.deny.find((rule) => subjects.some((subject) => matchesAny(rule, subject, roots))) ?? null,
    unresolved: isNamedByRule
      ? null
      : (around ?? book.deny.find((rule) => subjects.some((one) => isUnresolved(rule, one))) ?? null),
    asked: book.ask.find((rule) => subjects.some((subject) => matchesAny(rule, subject, roots))) ?? null,
    allowed: areCovered(effectiveAllow(book), subjects, roots),
  };
}

/** Paths are read that nobody knows yet: whatever is refused under that name may be among them. */
function isUnresolved(rule: string, { rule: name, unknown }: Subject): boolean {
  return unknown === true && isNamed(parseRule(rule).name, name);
}

/** A program that a rule names, or anything under that name, may be started by a text that nobody looked through. */
function mayStart(rule: string, { rule: name, starts }: Subject): boolean {
  const { name: wanted, pattern } = parseRule(rule);
  return starts === true && pattern !== null && isNamed(wanted, name);
}

/** The allow rules that count now. */
export function effectiveAllow(book: RuleBook): readonly string[] {
  const given = [...book.allow, ...(book.session ?? [])];
  return book.stripped ? given.filter((rule) => !isDangerous(rule, book.runners)) : given;
}

/** The allow rules set aside for the time auto mode is active. */
export function strippedRules(book: RuleBook): readonly string[] {
  const given = [...book.allow, ...(book.session ?? [])];
  return book.stripped ? given.filter((rule) => isDangerous(rule, book.runners)) : [];
}

export function parseRule(rule: string): { readonly name: string; readonly pattern: string | null } {
  const match = /^([^()\s]+)(?:\(([\s\S]*)\))?$/.exec(rule.trim());
  if (match === null) return { name: rule.trim(), pattern: null };
  const pattern = match[2];
  return { name: match[1]!, pattern: pattern === undefined || pattern === "" ? null : pattern };
}

/** For deny and ask: one matching part is enough, and what cannot be seen through counts as matching. */
function matchesAny(rule: string, subject: Subject, roots: Roots): boolean {
  const { name, pattern } = parseRule(rule);
  if (!isNamed(name, subject.rule)) return false;
  if (pattern === null || subject.unknown === true) return pattern === null;
  if (subject.path !== undefined) return isSpelledMatch(pattern, subject.path, roots);
  if (subject.parts === undefined) return pattern === "*";
  if (subject.opaque === true || subject.parts.some((part) => isCommandMatch(broadly(pattern), part))) return true;
  return subject.forms?.some((form) => isFormMatch(pattern, form)) === true;
}

/** B1.14: a word that is known only at run time may be any words. */
function isFormMatch(pattern: string, form: readonly (string | null)[]): boolean {
  const { words: wanted, isPrefix } = commandPattern(broadly(pattern));
  const unknown = form.indexOf(null);
  const known = unknown < 0 ? form : form.slice(0, unknown);
  const isSame = (word: string, index: number): boolean =>
    index >= known.length
      ? unknown >= 0
      : index === 0
        ? programName(word) === programName(known[0]!)
        : word === known[index];
  return wanted.every(isSame) && (isPrefix || unknown >= 0 || known.length === wanted.length);
}

function programName(word: string): string {
  return word
    .slice(word.lastIndexOf("/") + 1)
    .normalize("NFC")
    .toLowerCase();
}

/** For allow: everything that the call touches is covered under one of its names; a command is covered as a command alone. */
function areCovered(rules: readonly string[], subjects: readonly Subject[], roots: Roots): boolean {
  const commands = subjects.filter(({ parts }) => parts !== undefined);
  const touched = commands.length > 0 ? commands : subjects;
  const covered = new Set(touched.filter((subject) => isAllowed(rules, subject, roots)).map(({ path }) => path));
  return touched.length > 0 && touched.every(({ path }) => covered.has(path));
}

/** Every part of a command must be covered, each by some rule, and nothing may be hidden. */
function isAllowed(rules: readonly string[], subject: Subject, roots: Roots): boolean {
  const named = rules.map(parseRule).filter(({ name }) => isNamed(name, subject.rule));
  const isWhole = named.some(({ pattern }) => pattern === null || (pattern === "*" && subject.path === undefined));
  if (isWhole && subject.explicit !== true) return true;
  const patterns = named.flatMap(({ pattern }) => pattern ?? []);
  if (subject.path !== undefined) return patterns.some((pattern) => isPathMatch(pattern, subject.path!, roots));
  const { parts = [], proved = [], silent = [], redirected = [], explicit, opaque, loose } = subject;
  if (opaque === true || loose === true) return false;
  const needless = explicit === true ? silent : proved;
  const needing = parts.filter((part) => !needless.includes(part));
  const isCovered = (part: string): boolean =>
    patterns.some((pattern) => {
      if (pattern === "*" || (redirected.includes(part) && commandPattern(pattern).isPrefix)) return false;
      return isCommandMatch(pattern, part);
    });
  return needing.length > 0 && needing.every(isCovered);
}

/** `mcp__server` covers every tool of that server. */
function isNamed(rule: string, subject: string): boolean {
  return rule === subject || (rule.startsWith("mcp__") && subject.startsWith(`${rule}__`));
}

function isCommandMatch(pattern: string, part: string): boolean {
  if (pattern === "*") return true;
  const command = words(part);
  const { words: wanted, isPrefix } = commandPattern(pattern);
  return wanted.every((word, index) => word === command[index]) && (isPrefix || wanted.length === command.length);
}

/** `npm test:*` and `npm test *`: how a command begins; anything else, all of it. */
export function commandPattern(pattern: string): { readonly words: readonly string[]; readonly isPrefix: boolean } {
  const prefix = /^([\s\S]*\S)(?::\*|\s+\*)\s*$/.exec(pattern)?.[1];
  return { words: words(prefix ?? pattern), isPrefix: prefix !== undefined };
}

/** A star in the middle is not understood: what it refuses is refused from there on. */
function broadly(pattern: string): string {
  return pattern.replace(/\s\*\s[\s\S]*$/, " *");
}

/** Why a rule does not mean what it seems to mean; null where it does. */
export function ruleProblem(rule: string, runners: readonly string[]): string | null {
  const { name, pattern } = parseRule(rule);
  if (/\s|[()]/.test(name)) return "it is not of the form Name or Name(pattern)";
  if (pattern === null || !runners.includes(name) || broadly(pattern) === pattern) return null;
  return "a star counts at the end alone, as in Bash(npm test:*) or Bash(npm test *)";
}

function isPathMatch(pattern: string, path: string, roots: Roots): boolean {
  const { base, glob } = anchored(pattern, roots);
  return parseGlob(glob, base).test(path.replaceAll("\\", "/"));
}

/** A name is the same one however its accents are encoded; systems that know only one form would let the other one by. */
function isSpelledMatch(pattern: string, path: string, { project, home }: Roots): boolean {
  const roots = { project: project.normalize("NFC"), home: home.normalize("NFC") };
  return isPathMatch(pattern.normalize("NFC"), path.normalize("NFC"), roots);
}

/** A glob and the folder that it starts from, whose name is taken literally. */
function anchored(pattern: string, { project, home }: Roots): { readonly base: string; readonly glob: string } {
  if (pattern.startsWith("/")) return { base: "", glob: pattern.replace(/^\/\//, "/") };
  if (pattern === "~" || pattern.startsWith("~/")) return { base: folder(home), glob: pattern.slice(1) };
  const [, up, rest] = /^((?:\.{1,2}\/)*)(.*)$/s.exec(pattern)!;
  const steps = up!.split("/").filter((name) => name === "..").length;
  const base = folder(project)
    .split("/")
    .slice(0, steps === 0 ? undefined : -steps);
  return { base: base.join("/"), glob: `/${rest}` };
}

/** The patterns of deny rules under one name as absolute globs, for searches that leave such files out. */
export function deniedGlobs(book: RuleBook, name: string, roots: Roots): readonly string[] {
  return book.deny.map(parseRule).flatMap((rule) => {
    if (rule.name !== name) return [];
    if (rule.pattern === null) return ["/**"];
    const { base, glob } = anchored(rule.pattern, roots);
    return spellings(exactPath(base) + glob);
  });
}

/** A glob that means this path alone. */
export function exactPath(path: string): string {
  return path.replaceAll(/[*?[{]/g, "[$&]");
}

function spellings(name: string): readonly string[] {
  return [...new Set([name, name.normalize("NFC"), name.normalize("NFD")])];
}

function folder(path: string): string {
  return path.replaceAll("\\", "/").replace(/\/$/, "");
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
