/** Which file Claude Code lets its agent write while it plans: its transcript says so, and no tool call can put that there. */
import { basename, dirname, join } from "node:path";
import { isObject, parseJson } from "../core/wire/shape.ts";
import type { HookInput } from "./client.ts";

interface WriteCall {
  readonly tool: string;
  readonly wanted: Readonly<Record<string, unknown>>;
}

const writers: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit"]);

/** Null for a call that writes no file, and for one that writes anything but a plan. */
export function claudePlanFile(input: HookInput, { tool, wanted }: WriteCall): string | null {
  const { file_path: path } = wanted;
  if (!writers.has(tool) || typeof path !== "string" || !/^[\w-]+\.md$/.test(basename(path))) return null;
  return toldPlanFile(input) ?? plannedBelowHome(path, input);
}

/** The client names it anew every few turns. */
const searched = 8 * 1024 * 1024;

/** The last one that the transcript names. */
function toldPlanFile({ payload, readTail }: HookInput): string | null {
  const transcript = isObject(payload) ? payload["transcript_path"] : null;
  const text = typeof transcript === "string" ? readTail(transcript, searched) : null;
  const told = (text ?? "").split("\n").filter((line) => line.includes('"planFilePath"'));
  return told.map(planFileIn).findLast((path) => path !== null) ?? null;
}

function planFileIn(line: string): string | null {
  const entry = parseJson(line);
  if (!isObject(entry) || entry["type"] !== "attachment") return null;
  const { attachment } = entry;
  if (!isObject(attachment)) return null;
  const { type, planFilePath: path } = attachment;
  const isPlan = typeof type === "string" && type.startsWith("plan_mode") && typeof path === "string";
  return isPlan && path.endsWith(".md") ? path : null;
}

/** Where no transcript can be read: a plan in the client's own folder of plans. */
function plannedBelowHome(path: string, { environment }: HookInput): string | null {
  const { CLAUDE_CONFIG_DIR: own, HOME: home } = environment;
  const folder = own ?? (home === undefined ? null : join(home, ".claude"));
  return folder !== null && dirname(path) === join(folder, "plans") ? path : null;
}
