/** A tool call as one line that can be opened; denials with their reason, agents with their progress. */
import { subjectOf } from "../screen/entries.ts";
import type { AgentProgress, CallItem } from "../screen/items.ts";
import { clampLine, cutAt, safeLine, safeText } from "./safe-text.ts";
import { wrapSpans } from "./spans.ts";
import type { Style } from "./theme.ts";
import { changeLines, changeSize } from "./change.ts";
import { shortCount } from "../../../core/usage.ts";
import { countOf, type ViewFacts } from "./view.ts";

export function callLines(call: CallItem, facts: ViewFacts): readonly string[] {
  if (isQuiet(call)) return [];
  return [
    headLine(call, facts),
    ...reasonLines(call, facts),
    ...(call.agent === null ? [] : [agentLine(call.agent, facts)]),
    ...bodyLines(call, facts),
  ];
}

/** What is shown otherwise: an approved plan, the mode. */
function isQuiet({ tool, state, reason }: CallItem): boolean {
  const isModeTool = tool === "ExitPlanMode" || tool === "EnterPlanMode";
  return isModeTool && (state === "done" || ((state === "denied" || state === "stopped") && reason === null));
}

function headLine(call: CallItem, { width, theme, details, directory }: ViewFacts): string {
  const isOpen = details && hasDetails(call);
  const [sign, style] = signOf(call, isOpen);
  const name = names[call.tool] ?? call.tool;
  const subject = subjectOf(call.tool, call.input, directory);
  const result = resultOf(call);
  const title = safeLine(name, 40);
  const tail = result === "" ? "" : theme.dim(` · ${result}`);
  const room = width - 5 - title.length - (result === "" ? 0 : result.length + 3);
  const about = subject === "" ? "" : ` ${safeLine(subject.replaceAll(/\s*\n\s*/g, " ⏎ "), Math.max(8, room))}`;
  return clampLine(`  ${theme[style](sign)} ${theme.bold(title)}${about}${tail}`, width);
}

type Sign = readonly [sign: string, style: "dim" | "accent" | "warning" | "error"];

function signOf({ state }: CallItem, isOpen: boolean): Sign {
  switch (state) {
    case "waiting":
      return ["·", "dim"];
    case "asking":
      return ["?", "warning"];
    case "running":
      return ["◌", "accent"];
    case "done":
      return [isOpen ? "▾" : "▸", "dim"];
    case "failed":
    case "denied":
      return ["✗", "error"];
    case "stopped":
      return ["■", "warning"];
  }
}

const names: Readonly<Record<string, string>> = {
  TodoWrite: "Todos",
  AskUserQuestion: "Question",
  ExitPlanMode: "Plan for review",
  EnterPlanMode: "Enter plan mode",
  WebFetch: "Fetch",
};

function resultOf(call: CallItem): string {
  if (call.state === "denied") return "denied";
  if (call.state === "failed") return "failed";
  if (call.state === "stopped") return call.reason === null ? "stopped" : "";
  if (call.state !== "done") return "";
  switch (call.tool) {
    case "Read":
    case "Bash":
    case "WebFetch":
      return call.output.trim() === "" ? "no output" : countOf(linesIn(call.output), "line");
    case "Glob":
    case "Grep":
      return call.output.trim() === "" ? "nothing" : countOf(linesIn(call.output), "line");
    case "Write":
    case "Edit":
      return changeSize(call);
    default:
      return "";
  }
}

function reasonLines(
  { state, reason, tool }: CallItem,
  { width, theme, details, directory }: ViewFacts,
): readonly string[] {
  if (reason === null || reason.trim() === "" || state === "done") return [];
  const style: Style = state === "stopped" ? theme.dim : theme.error;
  const whole = safeText(cutAt(reason.trim(), 2_000))
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(`${directory}/`, "");
  const text = details ? whole : (whole.split(/(?<=\.)\s/)[0] ?? whole);
  const isCommand = tool === "Bash" && state === "failed";
  const rows = wrapSpans([{ text, style }], { width: Math.max(1, width - 6) });
  const most = details ? 12 : isCommand ? 1 : 3;
  return rows.slice(0, most).map((row, index) => `    ${index === 0 ? theme.faint("└") : " "} ${row}`);
}

function agentLine({ name, model, calls, latest, tokens, status }: AgentProgress, { width, theme }: ViewFacts): string {
  const words = [
    safeLine(name, 30),
    safeLine(model, 30),
    countOf(calls, "call"),
    ...(tokens === 0 ? [] : [`${shortCount(tokens)} tokens`]),
    ...(status === "running" ? (latest === null ? [] : [safeLine(latest, width)]) : status === "done" ? [] : [status]),
  ];
  return clampLine(`    ${theme.faint("└")} ${theme.dim(words.join(" · "))}`, width);
}

function bodyLines(call: CallItem, facts: ViewFacts): readonly string[] {
  const { width, theme, details } = facts;
  if (call.tool === "TodoWrite" && call.state === "done") return todoLines(call.input, facts);
  if (!details && call.tool !== "AskUserQuestion") return [];
  if (call.state !== "done" && call.state !== "failed") return [];
  if (call.tool === "Write" || call.tool === "Edit") return changeLines(call, facts);
  const most = details ? mostOpened : mostAnswers;
  const lines = cutAt(call.output.trimEnd(), 40_000).split("\n");
  if (lines.length === 1 && lines[0]!.trim() === "") return [];
  const shown = lines.slice(0, most).map((line) => `      ${theme.dim(safeLine(line, Math.max(1, width - 6)))}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `      ${theme.faint(`… ${countOf(rest, "more line")}`)}`] : shown;
}

function todoLines(input: unknown, { width, theme }: ViewFacts): readonly string[] {
  const todos =
    typeof input === "object" && input !== null && "todos" in input && Array.isArray(input.todos) ? input.todos : [];
  return todos.slice(0, 30).map((todo: { readonly content?: unknown; readonly status?: unknown }) => {
    const text = safeLine(typeof todo.content === "string" ? todo.content : "", Math.max(1, width - 8));
    if (todo.status === "completed") return `    ${theme.success("☑")} ${theme.dim(text)}`;
    return todo.status === "in_progress" ? `    ${theme.accent("◐")} ${theme.bold(text)}` : `    ☐ ${text}`;
  });
}

function hasDetails({ output, tool }: CallItem): boolean {
  return output.trim() !== "" || tool === "Write" || tool === "Edit";
}

function linesIn(text: string): number {
  return text.trimEnd().split("\n").length;
}

const mostOpened = 40;
const mostAnswers = 8;
