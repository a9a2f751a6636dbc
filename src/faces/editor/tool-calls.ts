/** Tool calls as an editor shows them: kind, title, locations, differences, and what came of them. */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type {
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolCallUpdate,
  ToolKind,
} from "@agentclientprotocol/sdk";
import { changedText } from "../../agent/answers/permission-words.ts";
import type { ShowCall } from "../../agent/tools/show.ts";
import type { ClaimKind } from "../../agent/tools/tool.ts";
import type { Call } from "../../core/decide/access.ts";
import { isError, type Outcome } from "../../core/outcome.ts";
import { hasHidden, makeVisible } from "../../core/wire/visible.ts";

export interface CallLook {
  readonly show: ShowCall;
  /** Short paths are from here. */
  readonly root: string;
}

/** Null for calls that are shown otherwise: the todo list is the plan of the editor. */
export function toolCallOf(call: Pick<Call, "id" | "tool" | "input">, { show }: CallLook): ToolCall | null {
  const { label, about, claims, result } = show(call.tool, call.input);
  if (claims.includes("note")) return null;
  const title = fitted(`${label}${about === "" ? "" : ` ${about}`}`, 300);
  const kind = kindOf(claims[0], result === "matches");
  return { toolCallId: call.id, title, name: call.tool, kind, status: "pending", rawInput: call.input };
}

function kindOf(claim: ClaimKind | undefined, isSearch: boolean): ToolKind {
  switch (claim) {
    case "read":
      return isSearch ? "search" : "read";
    case "write":
      return "edit";
    case "command":
      return "execute";
    case "fetch":
      return "fetch";
    case "spawn":
      return "think";
    case "enter-plan":
    case "exit-plan":
      return "switch_mode";
    default:
      return "other";
  }
}

/** Where an editor that follows along looks. */
export function locationsOf({ access, input }: Call): ToolCallLocation[] {
  if (access?.kind === "write") return [{ path: access.path }];
  if (access?.kind !== "read") return [];
  const offset = (input as { readonly offset?: unknown } | null)?.offset;
  const line = typeof offset === "number" && Number.isInteger(offset) && offset > 0 ? offset : null;
  return access.paths.slice(0, 20).map((path) => ({ path, line }));
}

/** What it would write, or is about to: the whole texts where the file can be read. */
export function differenceOf({ access, input }: Call): ToolCallContent[] {
  if (access?.kind !== "write") return [];
  const { from, to } = changedText(input, textNow(access.path) ?? null);
  return [{ type: "diff", path: access.path, oldText: from, newText: to }];
}

/** Of a call in the past: what its input says. */
export function pastDifference({ tool, input }: Pick<Call, "tool" | "input">, look: CallLook): ToolCallContent[] {
  const { change, about } = look.show(tool, input);
  if (change === undefined || about === "") return [];
  const home = about.startsWith("~/") ? join(homedir(), about.slice(2)) : about;
  const path = isAbsolute(home) ? home : join(look.root, home);
  return [{ type: "diff", path, oldText: change.before, newText: change.after }];
}

/** Null: there is no file; undefined: none that can be shown. */
function textNow(path: string): string | null | undefined {
  try {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return null;
    if (!facts.isFile() || facts.size > largestText) return undefined;
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

const largestText = 1024 * 1024;

export interface Came {
  readonly status: ToolCallStatus;
  /** Absent where what was shown stays. */
  readonly content?: ToolCallContent[];
}

/** What came of a call. `denial` says why it was denied. */
export function cameOf(outcome: Outcome, denial: string | null, isChange: boolean): Came {
  const status = isError(outcome) ? "failed" : "completed";
  if (denial !== null) return { status: "failed", content: [textContent(denial)] };
  switch (outcome.kind) {
    case "ran":
      return isChange && !outcome.isError ? { status } : { status, content: outputContent(outcome.output) };
    case "approved":
      return { status, content: [textContent(`Approved.\n\n${outcome.plan}`)] };
    case "revise":
    case "unchanged":
      return { status, content: [textContent(`Not approved. ${outcome.feedback}`.trim())] };
    default:
      return { status, content: [textContent(outcomeWords[outcome.kind])] };
  }
}

const outcomeWords = {
  denied: "Denied.",
  cancelled: "Cancelled.",
  interrupted: "Interrupted.",
  entered: "Plan mode is on.",
  left: "Plan mode is off.",
  "sent-back": "Sent back: headings are missing.",
  saved: "Saved for later.",
  abandoned: "Abandoned.",
  dismissed: "Not answered.",
  withdrawn: "Taken back: nothing was approved.",
  submitted: "With the team lead.",
} as const;

function outputContent(output: unknown): ToolCallContent[] {
  const parts = (output as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(parts)) return output === undefined ? [] : [textContent(fenced(asText(output)))];
  return parts.flatMap((part: unknown): ToolCallContent[] => {
    const { type, text, base64, mediaType } = Object(part) as Readonly<Record<string, unknown>>;
    if (type === "text" && typeof text === "string") return [textContent(fenced(text))];
    if (type !== "image" || typeof base64 !== "string" || typeof mediaType !== "string") return [];
    return [{ type: "content", content: { type: "image", data: base64, mimeType: mediaType } }];
  });
}

function asText(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

/** Editors read Markdown: what a program or a file says is shown as it is. */
export function fenced(text: string, length = longestOutput): string {
  const shown = fitted(text, length);
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${shown.replace(/\n$/, "")}\n${fence}`;
}

const longestOutput = 30_000;

/** The text once more as it is written, where an editor's Markdown swallows parts of it: all that is approved can be seen (B19.3). */
export function asWritten(text: string): ToolCallContent[] {
  if (!swallowed.some((part) => part.test(text)) && !hasLostCells(text)) return [];
  return [textContent(`As it is written, since Markdown hides parts of it:\n\n${fenced(text, Infinity)}`)];
}

/** Tags and comments, references, addresses, definitions, words behind a fence or a heading, what stands before a document. */
const swallowed: readonly RegExp[] = [
  /<[!?/a-z]/i,
  /&#?\w+;/,
  /\][([]/,
  /^(?:[\s>*+-]|\d+[.)])*\[[^\]]*\]:/m,
  /^[^`~\n]*(?:`{3,}|~{3,})[^\S\n]*\S+[^\S\n]+\S/m,
  /^[\s>]*#.*\{.*\}\s*$/m,
  /^\s*(?:---|\+\+\+)[^\S\n]*\n/,
];

/** Cells beyond a table's columns. */
function hasLostCells(text: string): boolean {
  let columns = Infinity;
  for (const line of text.split("\n")) {
    const cells = line
      .replaceAll("\\|", "")
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|").length;
    if (line.trim() === "") columns = Infinity;
    else if (/^[\s>|:-]*-[\s>|:-]*$/.test(line) && line.includes("|")) columns = cells;
    else if (cells > columns) return true;
  }
  return false;
}

/** Of a difference, which an editor draws as it is: the new lines with something hidden in them (B2.5). */
export function hiddenIn(differences: readonly ToolCallContent[]): ToolCallContent[] {
  const lines = differences.flatMap((one) => {
    if (one.type !== "diff") return [];
    const former = new Set(one.oldText?.split(/\r?\n/));
    return one.newText.split(/\r?\n/).filter((line) => hasHidden(line) && !former.has(line));
  });
  if (lines.length === 0) return [];
  return [textContent(`Hidden characters would be written:\n\n${fenced(lines.join("\n"), Infinity)}`)];
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

/** Nothing hidden, and no longer than this. */
export function fitted(text: string, length: number): string {
  const shown = makeVisible(text.slice(0, length + 1));
  return text.length > length ? `${shown.slice(0, length).replace(/[\uD800-\uDBFF]$/, "")}…` : shown;
}

export type CallNews = ToolCallUpdate & { sessionUpdate: "tool_call_update" };

export function callNews(toolCallId: string, news: Omit<ToolCallUpdate, "toolCallId">): CallNews {
  return { sessionUpdate: "tool_call_update", toolCallId, ...news };
}
