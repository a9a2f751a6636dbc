/** The log's lines: versioned JSON, one event each; a line that cannot be read loses nothing but itself (R14.5). */
import type { Event } from "../event.ts";
import { shapeProblem } from "./event-shape.ts";
import { parseJson } from "./shape.ts";

export const logVersion = 1;

export interface LogEntry {
  readonly at: number;
  readonly event: Event;
}

export type LogProblem = "not-json" | "not-an-entry" | "newer-version" | "unknown-event" | "malformed-event";

export type DecodedLine =
  | { readonly entry: LogEntry; readonly problem: null }
  | { readonly entry: null; readonly problem: LogProblem };

export interface DecodedLog {
  readonly entries: readonly LogEntry[];
  readonly problems: readonly { readonly line: number; readonly problem: LogProblem }[];
}

/** One line without its newline; JSON escapes every line break inside. */
export function encodeEntry({ at, event }: LogEntry): string {
  return JSON.stringify({ v: logVersion, at, event });
}

export function decodeLine(line: string): DecodedLine {
  const value = parseJson(line);
  if (value === undefined) return { entry: null, problem: "not-json" };
  if (typeof value !== "object" || value === null || !("v" in value) || !("event" in value)) {
    return { entry: null, problem: "not-an-entry" };
  }
  if (typeof value.v !== "number" || value.v > logVersion) return { entry: null, problem: "newer-version" };
  const problem = shapeProblem(value.event);
  if (problem !== null) return { entry: null, problem };
  const at = "at" in value && typeof value.at === "number" ? value.at : 0;
  return { entry: { at, event: value.event as Event }, problem: null };
}

export function decodeLog(text: string): DecodedLog {
  const entries: LogEntry[] = [];
  const problems: { line: number; problem: LogProblem }[] = [];
  text.split("\n").forEach((line, index) => {
    if (line === "") return;
    const { entry, problem } = decodeLine(line);
    if (problem === null) entries.push(entry);
    else problems.push({ line: index + 1, problem });
  });
  return { entries, problems };
}
