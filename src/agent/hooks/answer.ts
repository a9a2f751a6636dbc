/** The published contract of an answer: exit code, stdout and stderr of one hook become what it says (B14.1). */
import { makeVisible } from "../../core/wire/visible.ts";
import type { HooksAnswer } from "../../core/hooks.ts";
import { closedNames, hookAliases, type HookName } from "../../core/settings/hook-names.ts";

export type HookEnd =
  | { readonly kind: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** It gave no answer, and why: `took longer than 5 s`. */
  | { readonly kind: "failed"; readonly why: string };

export interface HookReading extends HooksAnswer {
  /** In place of the tool's input. */
  readonly input?: Readonly<Record<string, unknown>>;
}

/** `name`: the hook, as the person knows it. */
export function readAnswer(event: HookName, end: HookEnd, name: string): HookReading {
  if (end.kind === "failed") return failure(event, end.why, name);
  const { code, stdout, stderr } = end;
  if (code === 2) return blocked(event, clean(stderr) || "no reason given", name);
  if (code !== 0) {
    const said = clean(stderr).split("\n")[0] ?? "";
    return failure(event, `ended with exit code ${code}${said === "" ? "" : ` (${said})`}`, name);
  }
  const text = stdout.trim();
  if (!text.startsWith("{"))
    return { ...silent, context: textIsContext.has(event) && text !== "" ? [clean(text)] : [] };
  const fields = fieldsIn(text);
  const said = fields === null ? null : saidIn(event, fields, name);
  return said ?? failure(event, "answered with something that is no answer", name);
}

/** Refusal before question before yes; what each adds is kept. */
export function mergeAnswers(readings: readonly HookReading[]): HookReading {
  const answer = ranks.find((rank) => readings.some((reading) => reading.answer === rank)) ?? "none";
  const deciding = readings.filter((reading) => reading.answer === answer);
  const stop = readings.find((reading) => reading.stop !== undefined)?.stop;
  const input = answer === "deny" ? undefined : readings.findLast((reading) => reading.input !== undefined)?.input;
  const isFailed = answer === "deny" && deciding.every(({ failed }) => failed === true);
  const reasons = deciding.map(({ reason }) => reason).filter((reason) => reason !== "");
  return {
    answer,
    reason: [...new Set(reasons)].join("; "),
    context: readings.flatMap(({ context }) => context),
    told: readings.flatMap(({ told }) => told),
    ...(stop === undefined ? {} : { stop }),
    ...(isFailed ? { failed: true } : {}),
    ...(input === undefined ? {} : { input }),
  };
}

export const silent: HookReading = { answer: "none", reason: "", context: [], told: [] };

const ranks = ["deny", "ask", "allow"] as const;
/** Where plain words are for the model. */
const textIsContext: ReadonlySet<HookName> = new Set(["SessionStart", "UserPromptSubmit"]);
/** Where an exit code of 2, or `decision: "block"`, holds something up; elsewhere it is only told. */
const blocking: ReadonlySet<HookName> = new Set([
  "PreToolUse",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
  "PreCompact",
  "PermissionRequest",
  "plan.submitted",
]);

/** Where it guards something, a hook that fails refuses; elsewhere it is told, and the work goes on. */
function failure(event: HookName, why: string, name: string): HookReading {
  const told = [`${name} ${why}`];
  if (!closedNames.has(event)) return { ...silent, told };
  const what = event === "plan.submitted" ? "the plan is not handed in" : "the call does not run";
  return { ...silent, answer: "deny", reason: `${name} ${why}, so ${what}`, told, failed: true };
}

function blocked(event: HookName, reason: string, name: string): HookReading {
  return blocking.has(event) ? { ...silent, answer: "deny", reason } : { ...silent, told: [`${name}: ${reason}`] };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsIn(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** Null where a field that we know holds what it cannot hold. */
function saidIn(event: HookName, fields: Fields, name: string): HookReading | null {
  const specific = fields["hookSpecificOutput"] ?? {};
  if (!isFields(specific) || !isFor(specific["hookEventName"], event)) return null;
  const texts = [fields["stopReason"], fields["systemMessage"], fields["reason"], specific["additionalContext"]];
  if (!texts.every(isTextOrNothing) || !isFlagOrNothing(fields["continue"])) return null;
  const [stopReason, message, , context] = texts;
  const decided = decisionIn(event, fields, specific);
  if (decided === null) return null;
  const { told = [], ...decision } = decided;
  return {
    ...silent,
    ...decision,
    context: context === undefined || context === "" ? [] : [clean(context)],
    told: [...(message === undefined ? [] : [`${name}: ${clean(message)}`]), ...told.map((line) => `${name} ${line}`)],
    ...(fields["continue"] === false ? { stop: clean(stopReason ?? "") || "no reason given" } : {}),
  };
}

type Decided = Partial<Pick<HookReading, "answer" | "reason" | "input" | "stop" | "told">>;

function decisionIn(event: HookName, fields: Fields, specific: Fields): Decided | null {
  const { decision } = fields;
  const reason = clean(typeof fields["reason"] === "string" ? fields["reason"] : "");
  if (decision !== undefined && decision !== "block" && decision !== "approve") return null;
  const isBlocked = decision === "block" && blocking.has(event);
  const byDecision: Decided = isBlocked ? { answer: "deny", reason: reason || "no reason given" } : {};
  if (event === "PermissionRequest") return permissionIn(specific, byDecision);
  if (event !== "PreToolUse") return byDecision;
  const { permissionDecision: wanted, permissionDecisionReason: why, updatedInput: input } = specific;
  if (!isTextOrNothing(why) || (input !== undefined && !isFields(input))) return null;
  if (wanted !== undefined && (typeof wanted !== "string" || !Object.hasOwn(permissions, wanted))) return null;
  const changed = input === undefined ? {} : { input };
  if (typeof wanted === "string") {
    return { answer: permissions[wanted]!, reason: clean(why ?? "") || reason || "no reason given", ...changed };
  }
  return decision === "approve" ? { answer: "allow", reason, ...changed } : { ...byDecision, ...changed };
}

/** Later: nobody is there later, so the person is asked now. */
const permissions: Readonly<Record<string, "allow" | "deny" | "ask">> = {
  allow: "allow",
  deny: "deny",
  ask: "ask",
  defer: "ask",
};

function permissionIn({ decision }: Fields, otherwise: Decided): Decided | null {
  if (decision === undefined) return otherwise;
  if (!isFields(decision)) return null;
  const { behavior, message, updatedInput: input, interrupt, updatedPermissions } = decision;
  if (!isTextOrNothing(message) || !isFlagOrNothing(interrupt) || (input !== undefined && !isFields(input)))
    return null;
  const reason = clean(message ?? "") || "no reason given";
  if (behavior === "deny") return { answer: "deny", reason, ...(interrupt === true ? { stop: reason } : {}) };
  if (behavior !== "allow") return null;
  const told =
    updatedPermissions === undefined ? {} : { told: ["wants to change permissions or the mode; only you do"] };
  return { answer: "allow", reason: "", ...(input === undefined ? {} : { input }), ...told };
}

function isFor(name: unknown, event: HookName): boolean {
  if (name === undefined || name === event) return true;
  return Object.entries(hookAliases).some(([alias, now]) => alias === name && now === event);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextOrNothing(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isFlagOrNothing(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === "boolean";
}

/** Without colours, nothing in it that a terminal would obey, and no longer than anybody reads. */
export function clean(text: string): string {
  const shown = makeVisible(
    text
      .slice(0, longest * 4)
      .replace(colours, "")
      .replace(/\r\n?/g, "\n"),
  ).trim();
  return shown.length <= longest ? shown : `${shown.slice(0, longest)}… (cut: ${text.length} characters in all)`;
}

const longest = 10_000;
// eslint-disable-next-line no-control-regex
const colours = /\u001b\[[0-9;]*m/g;
