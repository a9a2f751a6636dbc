/** A tool call as one line that can be opened; denials with their reason, agents with their progress. */
import type { AgentProgress, CallItem } from "../screen/items.ts";
import { clampLine, cutAt, safeLine, safeText } from "./safe-text.ts";
import { wrapSpans } from "./spans.ts";
import type { Style } from "./theme.ts";
import { sameEnds } from "./same-ends.ts";
import { shortCount } from "../../../core/usage.ts";
import { countOf, moreLines, type ViewFacts } from "./view-facts.ts";

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
function isQuiet({ shown, state, reason }: CallItem): boolean {
  return (
    shown.result === "elsewhere" &&
    (state === "done" || ((state === "denied" || state === "stopped") && reason === null))
  );
}

function headLine(call: CallItem, { width, theme, details }: ViewFacts): string {
  const isEdit = call.shown.change !== undefined && call.isPlan !== true;
  const isOpen = isEdit || (details && (call.output.trim() !== "" || call.shown.change !== undefined));
  const [sign, style] = isOpen && call.state === "done" ? (["▾", "dim"] as const) : signs[call.state];
  const { label, about: subject } = call.shown;
  const result = resultOf(call);
  const title = safeLine(label, 40);
  const tail = result === "" ? "" : theme.dim(` · ${result}`);
  const room = width - 5 - title.length - (result === "" ? 0 : result.length + 3);
  const about = subject === "" ? "" : ` ${safeLine(subject.replaceAll(/\s*\n\s*/g, " ⏎ "), Math.max(8, room))}`;
  return clampLine(`  ${theme[style](sign)} ${theme.bold(title)}${about}${tail}`, width);
}

const signs = {
  waiting: ["·", "dim"],
  asking: ["?", "warning"],
  running: ["◌", "accent"],
  done: ["▸", "dim"],
  failed: ["✗", "error"],
  denied: ["✗", "error"],
  stopped: ["■", "warning"],
} as const;

function resultOf(call: CallItem): string {
  if (call.state === "denied") return "denied";
  if (call.state === "failed") return "failed";
  if (call.state === "stopped") return call.reason === null ? "stopped" : "";
  if (call.state !== "done") return "";
  const { change, result } = call.shown;
  if (change !== undefined) return changeSize(change);
  if (result !== "text" && result !== "matches") return "";
  if (call.output.trim() !== "") return countOf(call.output.trimEnd().split("\n").length, "line");
  return result === "text" ? "no output" : "nothing";
}

function reasonLines(
  { state, reason, shown }: CallItem,
  { width, theme, details, directory }: ViewFacts,
): readonly string[] {
  if (reason === null || reason.trim() === "" || state === "done") return [];
  const style: Style = state === "stopped" ? theme.dim : theme.error;
  const whole = safeText(cutAt(reason.trim(), 2_000))
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(`${directory}/`, "");
  const text = details ? whole : (whole.split(/(?<=\.)\s/)[0] ?? whole);
  const isCommand = shown.claims.includes("command") && state === "failed";
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
  const { todos, result, change } = call.shown;
  if (todos !== undefined && call.state === "done") return todoLines(todos, facts);
  if (call.state !== "done" && call.state !== "failed") return [];
  const isShut = !details && (call.state === "failed" || call.isPlan === true);
  if (change !== undefined) return isShut ? [] : changeLines(change, facts);
  if (!details && result !== "answer") return [];
  const lines = cutAt(call.output.trimEnd(), 40_000).split("\n");
  if (lines.length === 1 && lines[0]!.trim() === "") return [];
  const first = lines.slice(0, details ? 40 : 8);
  const shown = first.map((line) => `      ${theme.dim(safeLine(line, Math.max(1, width - 6)))}`);
  return [...shown, ...moreLines(lines.length - first.length, theme)];
}

type Written = NonNullable<CallItem["shown"]["change"]>;

function changeSize(change: Written): string {
  const { removed, added } = linesOfChange(change);
  return change.before === null ? countOf(added.length, "line") : `+${added.length} −${removed.length}`;
}

/** B18.5: what an edit changed stands below it, folded where it is long. */
function changeLines(change: Written, { width, theme, details }: ViewFacts): readonly string[] {
  const { removed, added } = linesOfChange(change);
  const room = Math.max(1, width - 8);
  const lines = [
    ...removed.map((line) => `      ${theme.removed(`- ${safeLine(line, room)}`)}`),
    ...added.map((line) => `      ${theme.added(`+ ${safeLine(line, room)}`)}`),
  ];
  const most = details ? 60 : lines.length > foldedAbove ? foldedTo : foldedAbove;
  return [...lines.slice(0, most), ...moreLines(lines.length - most, theme)];
}

const foldedAbove = 20;
const foldedTo = 10;

/** Lines that stand at the beginning or end of both are the same ones. */
function linesOfChange({ before, after }: Written): Record<"removed" | "added", readonly string[]> {
  const [old, now] = [linesOf(before ?? ""), linesOf(after)];
  const { start, end } = sameEnds(old, now);
  return { removed: old.slice(start, old.length - end), added: now.slice(start, now.length - end) };
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : cutAt(text, 100_000).replace(/\n$/, "").split("\n");
}

function todoLines(todos: NonNullable<CallItem["shown"]["todos"]>, { width, theme }: ViewFacts): readonly string[] {
  return todos.slice(0, 30).map(({ content, status }) => {
    const text = safeLine(content, Math.max(1, width - 8));
    if (status === "completed") return `    ${theme.success("☑")} ${theme.dim(text)}`;
    return status === "in_progress" ? `    ${theme.accent("◐")} ${theme.bold(text)}` : `    ☐ ${text}`;
  });
}
