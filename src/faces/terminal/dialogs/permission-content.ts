/** What a permission dialog shows: the question, what exactly would happen, and why it is asked. */
import type { Call } from "../../../core/decide/access.ts";
import { safeLine, safeText } from "../view/safe-text.ts";
import { wrapSpans, type StyledSpan } from "../view/spans.ts";
import type { Theme } from "../view/theme.ts";
import { countOf, type ViewLook } from "../view/view-facts.ts";
import { signs, differenceLines, type DifferenceLine } from "./difference.ts";
import { shownDifference } from "./difference-spans.ts";
import type { Pages } from "./pager.ts";
import type { PermissionRequest } from "./permission-request.ts";
import { piecesOf } from "../view/plan-lines.ts";

export interface PermissionContent {
  readonly title: string;
  readonly tone: "plan" | "warning" | "accent";
  /** What must not be overlooked. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
  pages(width: number): Pages;
}

export function permissionContent(request: PermissionRequest, theme: Theme): PermissionContent {
  const { agent } = request.ask;
  const { notes, ...asked } = askedText(request);
  const whose = agent === undefined ? [] : [`Asked by agent ${safeLine(agent, 60)}`];
  const body = bodyOf(request);
  const pages = (width: number): Pages => pagesOf(body, { theme, width });
  return { tone: "accent", warnings: [], ...asked, notes: [...whose, ...notes], pages };
}

type AskedText = Pick<PermissionContent, "title" | "notes"> & Partial<Pick<PermissionContent, "tone" | "warnings">>;

function askedText({ ask: { question, call }, mode, before }: PermissionRequest): AskedText {
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
      return { title: `Allow ${safeLine(call.tool, 40)}?`, tone: mode === "plan" ? "plan" : "accent", notes };
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

type Body =
  /** The numbers are the file's only where the whole file is compared. */
  | { readonly kind: "difference"; readonly lines: readonly DifferenceLine[]; readonly numbered: boolean }
  | { readonly kind: "command"; readonly command: string; readonly part: string | null }
  | { readonly kind: "text"; readonly text: string; readonly short?: string };

function bodyOf({ ask, before }: PermissionRequest): Body {
  const { call, question } = ask;
  if (question.kind === "enter-plan") return { kind: "text", text: enterText, short: enterShort };
  const input = (call.input ?? {}) as Readonly<Record<string, unknown>>;
  if (call.access?.kind === "command") {
    const part = "part" in question ? question.part : (call.access.part ?? null);
    return { kind: "command", command: call.access.command, part };
  }
  if (call.access?.kind === "write") return { kind: "difference", ...editLines(input, before) };
  return { kind: "text", text: JSON.stringify(input, null, 2) };
}

const enterText = `The model would like to plan before it changes anything. It will
• explore the code, and find patterns that can be used again
• design one approach, and ask you where something is open
• present a plan for your approval
Nothing is changed until you approve the plan.`;
const enterShort = `The model would like to plan first: explore the code, find patterns, design an approach, present a plan.
Nothing is changed until you approve it.`;

type EditedLines = Omit<Extract<Body, { readonly kind: "difference" }>, "kind">;

/** By the shape of the call: a replacement, a whole content, or a cell's source. */
function editLines(input: Readonly<Record<string, unknown>>, before: string | null): EditedLines {
  const text = (name: string): string | null => (typeof input[name] === "string" ? input[name] : null);
  const [from, to, content] = [text("old_string"), text("new_string"), text("content")];
  if (from !== null && to !== null) {
    if (before === null || from === "" || !before.includes(from))
      return { lines: differenceLines(from, to), numbered: false };
    const after = input["replace_all"] === true ? before.split(from).join(to) : before.replace(from, () => to);
    return { lines: differenceLines(before, after), numbered: true };
  }
  if (content !== null)
    return { lines: before === null ? allNew(content) : differenceLines(before, content), numbered: true };
  return { lines: allNew(text("new_source") ?? JSON.stringify(input, null, 2)), numbered: false };
}

function allNew(text: string): readonly DifferenceLine[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, index) => ({ kind: "added", text: line, after: index + 1 }));
}

function isNewFile(call: Call): boolean {
  return typeof (call.input as { readonly content?: unknown } | null)?.content === "string";
}

function inDirectory({ access }: Call): readonly string[] {
  return access?.kind === "command" ? [`In ${access.directory}`] : [];
}

function pagesOf(body: Body, { theme, width }: ViewLook): Pages {
  const room = Math.max(1, width - 3);
  const lines = spansOf(body.kind === "text" && width < 60 ? { ...body, text: body.short ?? body.text } : body, theme);
  const hanging = body.kind === "difference" ? 6 : 0;
  return {
    length: lines.length,
    rows: (index) => wrapSpans(lines[index]!(), { width: room, hanging }).map((row) => `   ${row}`),
  };
}

/** Made only when they are looked at. */
function spansOf(body: Body, theme: Theme): readonly (() => readonly StyledSpan[])[] {
  switch (body.kind) {
    case "text":
      return body.text
        .split("\n")
        .flatMap(piecesOf)
        .map((line) => () => [{ text: safeText(line) }]);
    case "command":
      return commandLines(body, theme);
    case "difference":
      return shownDifference(body.lines, theme).map((shown) => () => {
        const line = shown();
        if (line.kind === "gap") return [{ text: `⋯ ${countOf(line.count, "unchanged line")}`, style: theme.faint }];
        const number = { text: `${String(line.number ?? "").padStart(digitsOf(body.lines))} `, style: theme.faint };
        return [...(body.numbered ? [number] : []), { text: `${signs[line.kind]} `, style: line.style }, ...line.spans];
      });
  }
}

function digitsOf(lines: readonly DifferenceLine[]): number {
  const last = lines.findLast((line) => "after" in line);
  return last === undefined ? 0 : String(last.after).length;
}

/** The part that decided is marked, also by brackets where there is no colour. */
function commandLines(
  { command, part }: Extract<Body, { readonly kind: "command" }>,
  theme: Theme,
): readonly (() => readonly StyledSpan[])[] {
  const at = part === null || part === "" ? -1 : command.indexOf(part);
  const pieces = at < 0 ? [command] : [command.slice(0, at), part!, command.slice(at + part!.length)];
  const lines: StyledSpan[][] = [[]];
  for (const [index, piece] of pieces.entries()) {
    for (const [row, text] of piece.split("\n").entries()) {
      if (row > 0) lines.push([]);
      for (const bit of piecesOf(text))
        lines.at(-1)!.push({ text: bit, ...(index === 1 ? { style: theme.marked } : {}) });
    }
  }
  return lines.map((line) => () => line.map((span) => ({ ...span, text: safeText(span.text) })));
}
