/** What a permission dialog shows: the question, what exactly would happen, and why it is asked. */
import { safeLine, safeText } from "../view/safe-text.ts";
import { wrapSpans, type StyledSpan } from "../view/spans.ts";
import type { Theme } from "../view/theme.ts";
import { countOf, type ViewLook } from "../view/view-facts.ts";
import { signs, differenceLines, type DifferenceLine } from "./difference.ts";
import { shownDifference } from "./difference-spans.ts";
import type { Pages } from "./pager.ts";
import type { PermissionRequest } from "../../../agent/answers/permission-request.ts";
import {
  changedText,
  enterPlanText,
  permissionWords,
  type PermissionWords,
} from "../../../agent/answers/permission-words.ts";
import { piecesOf } from "../view/plan-lines.ts";

export interface PermissionContent extends PermissionWords {
  pages(width: number): Pages;
}

export function permissionContent(request: PermissionRequest, theme: Theme): PermissionContent {
  const body = bodyOf(request);
  const pages = (width: number): Pages => pagesOf(body, { theme, width });
  return { ...permissionWords(request, safeLine), pages };
}

type Body =
  /** The numbers are the file's only where the whole file is compared. */
  | { readonly kind: "difference"; readonly lines: readonly DifferenceLine[]; readonly numbered: boolean }
  | { readonly kind: "command"; readonly command: string; readonly part: string | null }
  | { readonly kind: "text"; readonly text: string; readonly short?: string };

function bodyOf({ ask, before }: PermissionRequest): Body {
  const { call, question } = ask;
  if (question.kind === "enter-plan") return { kind: "text", text: enterPlanText, short: enterShort };
  if (call.access?.kind === "command") {
    const part = "part" in question ? question.part : (call.access.part ?? null);
    return { kind: "command", command: call.access.command, part };
  }
  if (call.access?.kind === "write") return { kind: "difference", ...editLines(call.input, before) };
  return { kind: "text", text: JSON.stringify(call.input ?? {}, null, 2) };
}

const enterShort = `The model would like to plan first: explore the code, find patterns, design an approach, present a plan.
Nothing is changed until you approve it.`;

type EditedLines = Omit<Extract<Body, { readonly kind: "difference" }>, "kind">;

function editLines(input: unknown, before: string | null): EditedLines {
  const { from, to, isWhole } = changedText(input, before);
  return { lines: from === null ? allNew(to) : differenceLines(from, to), numbered: isWhole };
}

function allNew(text: string): readonly DifferenceLine[] {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, index) => ({ kind: "added", text: line, after: index + 1 }));
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
