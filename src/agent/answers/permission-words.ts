/** What a permission dialog says, the same on every face: the question, why it is asked, what can be answered, what would be written. */
import type { Call } from "../../core/decide/access.ts";
import type { Question } from "../../core/decide/decision.ts";
import type { RuleOffers } from "../../core/decide/offers.ts";
import { shortRule } from "../../core/decide/rule-words.ts";
import type { PermissionRequest } from "./permission-request.ts";

/** Foreign text on one row, made harmless; at most so wide. */
export type FitText = (text: string, width: number) => string;

export interface PermissionWords {
  readonly title: string;
  readonly tone: "plan" | "warning" | "accent";
  /** What must not be overlooked. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

export function permissionWords(request: PermissionRequest, fit: FitText): PermissionWords {
  const { agent } = request.ask;
  const { notes, ...asked } = askedText(request, fit);
  const whose = agent === undefined ? [] : [`Asked by agent ${fit(agent, 60)}`];
  return { tone: "accent", warnings: [], ...asked, notes: [...whose, ...notes] };
}

type AskedText = Pick<PermissionWords, "title" | "notes"> & Partial<Pick<PermissionWords, "tone" | "warnings">>;

function askedText({ ask: { question, call }, mode, before }: PermissionRequest, fit: FitText): AskedText {
  switch (question.kind) {
    case "enter-plan":
      return { title: "Enter plan mode?", tone: "plan", notes: [] };
    case "edit": {
      const guard = question.guarded ? ["This file is guarded: it can change how programs run here."] : [];
      const outside = question.outsidePlan === true ? ["The approved plan does not name this file."] : [];
      const title = before === null && isNewFile(call) ? "Write this new file?" : "Make this edit?";
      return { title, warnings: [...guard, ...outside], notes: [question.path] };
    }
    case "command":
      return { title: "Run this command?", notes: [...inDirectory(call), `Why you are asked: ${question.reason}`] };
    case "unproven": {
      const warnings = ["Plan mode cannot vouch for this command: it could not be proved that it changes nothing."];
      const once = `It would run once, exactly as shown, without a sandbox, in ${question.directory}`;
      return { title: "Run an unproven command?", tone: "warning", warnings, notes: [`Why: ${question.reason}`, once] };
    }
    case "rule": {
      const notes = [...inDirectory(call), `A rule asks first: ${question.rule}`];
      return { title: `Allow ${fit(call.tool, 40)}?`, tone: mode === "plan" ? "plan" : "accent", notes };
    }
    case "external":
      return { title: "Use a tool of another server?", notes: [question.name] };
    case "network": {
      if (question.inward === undefined) return { title: "Reach out to the network?", notes: [question.url] };
      const warnings = [`It leads to ${question.inward.join(", ")}: this machine, or a network around it`];
      return { title: "Fetch from inside of your network?", tone: "warning", warnings, notes: [question.url] };
    }
  }
}

function isNewFile(call: Call): boolean {
  return typeof (call.input as { readonly content?: unknown } | null)?.content === "string";
}

function inDirectory({ access }: Call): readonly string[] {
  return access?.kind === "command" ? [`In ${access.directory}`] : [];
}

export interface PermissionChoice {
  readonly label: string;
  readonly short?: string;
  readonly letter: string;
  readonly does: "allow" | "session" | "remember" | "reason" | "deny" | "stop";
}

/** Least permissive first where plan mode cannot vouch for it (B1.3). The last one ends the turn (B18.1). */
export function permissionChoices(request: PermissionRequest, fit: FitText): readonly PermissionChoice[] {
  const { ask, mode, offers } = request;
  const { kind } = ask.question;
  const stop: PermissionChoice = { label: "No, and stop", short: "Stop", letter: "q", does: "stop" };
  if (kind === "enter-plan") {
    return [
      { label: "Yes, enter plan mode", letter: "y", does: "allow" },
      { label: `No, go on in ${mode} mode`, letter: "n", does: "deny" },
      stop,
    ];
  }
  const no: PermissionChoice = { label: "No, and say what to do instead", short: "No", letter: "n", does: "reason" };
  if (kind === "unproven")
    return [no, { label: "Yes, run it this once", short: "Yes, once", letter: "y", does: "allow" }, stop];
  return [
    { label: "Yes, once", short: "Yes", letter: "y", does: "allow" },
    ...rememberingChoices(kind, offers, fit),
    no,
    stop,
  ];
}

function rememberingChoices(
  kind: Question["kind"],
  { session, always }: RuleOffers,
  fit: FitText,
): readonly PermissionChoice[] {
  const isProject = kind === "edit" && session.every((rule) => rule.endsWith("(**)"));
  const words = isProject ? "edits in this project" : fit(session.map(shortRule).join(", "), 40);
  const forSession: PermissionChoice = {
    label: `Yes, for this session: ${words}`,
    short: "Session",
    letter: "s",
    does: "session",
  };
  const forAlways: PermissionChoice = {
    label: `Yes, and always allow ${fit(always.join(", "), 44)}`,
    short: "Always",
    letter: "a",
    does: "remember",
  };
  return [...(session.length === 0 ? [] : [forSession]), ...(always.length === 0 ? [] : [forAlways])];
}

export const enterPlanText = `The model would like to plan before it changes anything. It will
• explore the code, and find patterns that can be used again
• design one approach, and ask you where something is open
• present a plan for your approval
Nothing is changed until you approve the plan.`;

/** Both texts of a change by the shape of its call: a replacement, a whole content, or a cell's source; `isWhole`: of the whole file. */
export interface ChangedText {
  /** Null where there is nothing before it. */
  readonly from: string | null;
  readonly to: string;
  readonly isWhole: boolean;
}

export function changedText(given: unknown, before: string | null): ChangedText {
  const input = (given ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string): string | null => (typeof input[name] === "string" ? input[name] : null);
  const [from, to, content] = [text("old_string"), text("new_string"), text("content")];
  if (from !== null && to !== null) {
    if (before === null || from === "" || !before.includes(from)) return { from, to, isWhole: false };
    const after = input["replace_all"] === true ? before.split(from).join(to) : before.replace(from, () => to);
    return { from: before, to: after, isWhole: true };
  }
  if (content !== null) return { from: before, to: content, isWhole: true };
  return { from: null, to: text("new_source") ?? JSON.stringify(input, null, 2), isWhole: false };
}
