/** What Claude Code's and Codex's payloads and answers have in common: fields that are read alike, words that are put alike. */
import { isAbsolute } from "node:path";
import { isObject } from "../core/wire/shape.ts";
import type { GuardAnswer, HookInput, Occasion, Spoken } from "./client.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** The payload of this very event. */
export function payloadOf({ event, payload }: HookInput): { readonly payload: Payload } | { readonly problem: string } {
  if (!isObject(payload)) return { problem: "the payload is no JSON object" };
  const { hook_event_name: named = event } = payload;
  if (named === event) return { payload };
  return {
    problem: `the payload is of the event ${JSON.stringify(named)?.slice(0, 80) ?? "nothing"}, not of ${event}`,
  };
}

export interface ToolFields {
  readonly session: string;
  readonly cwd: string;
  readonly tool: string;
  readonly given: Payload;
}

/** The problem names the first field that cannot be read. */
export function toolFieldsOf(payload: Payload): ToolFields | { readonly problem: string } {
  const { session_id: session, cwd, tool_name: tool, tool_input: given } = payload;
  if (!isFilled(session)) return missing("session_id");
  if (!isFilled(cwd) || !isAbsolute(cwd)) return missing("cwd");
  if (!isFilled(tool)) return missing("tool_name");
  return isObject(given) ? { session, cwd, tool, given } : missing("tool_input");
}

function missing(field: string): { readonly problem: string } {
  return { problem: `the payload has no ${field} that can be read` };
}

export function unreadable(problem: string): Occasion {
  return { kind: "unreadable", problem };
}

export const silence: Spoken = { stdout: "", stderr: "", exitCode: 0 };

export function isSilent({ kind }: GuardAnswer): boolean {
  return kind === "no-opinion" || kind === "pass" || kind === "leave-to-client";
}

export function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
