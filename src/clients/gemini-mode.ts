/** Whether Gemini CLI plans: no payload of it says so, so it is put together from what the session left behind and how it was started. */
import { basename, join } from "node:path";
import { isObject, parseJson } from "../core/wire/shape.ts";
import type { HookInput, Planning } from "./client.ts";
import { policyMark } from "./gemini-marks.ts";

export interface GeminiSession {
  readonly planning: Planning;
  /** Started to answer once, with nobody at its terminal. */
  readonly headless: boolean;
}

/**
 * The last change that the transcript shows, else the mode of the start. A person may change it by a key, which nobody
 * sees: then our policy, which the client itself applies by its mode, refuses the first call with words that the
 * transcript shows from then on. Without that policy only a session that nobody sits at can be known to work.
 */
export function geminiSession(input: HookInput, transcript: string, directory: string): GeminiSession {
  const line = commandLine(input.ancestors());
  const headless = line !== null && isHeadless(line);
  const known = changeSeen(input, transcript) ?? startMode(input, line, directory);
  const isSure = known === "plan" || headless || hasPolicy(input, line, directory);
  return { planning: isSure ? known : "unknown", headless };
}

/** A change may lie far back, behind all that was read since: more and more is read, up to the head. */
function changeSeen({ readTail }: HookInput, transcript: string): Planning | null {
  let size = 0;
  for (const bytes of tails) {
    const text = readTail(transcript, bytes) ?? "";
    const { mode, isWhole } = lastChange(text);
    if (mode !== null || isWhole || text === "") return mode;
    size = text.length;
  }
  return size < tails.at(-1)! / 4 ? null : "unknown";
}

const tails = [1 << 20, 1 << 24, 1 << 26] as const;

/** The arguments of the client among those who started us; our own launcher names it too (`hook gemini BeforeTool`). */
function commandLine(ancestors: readonly (readonly string[])[]): readonly string[] | null {
  for (const words of ancestors) {
    const at = words.slice(0, 4).findIndex((word) => /^gemini(?:\.m?js)?$/.test(basename(word)));
    if (at !== -1 && words[at - 1] !== "hook") return words.slice(at + 1);
  }
  return null;
}

function isHeadless(line: readonly string[]): boolean {
  return line.some((word) => word === "-p" || word === "--prompt" || word.startsWith("--prompt="));
}

function startMode(input: HookInput, line: readonly string[] | null, directory: string): Planning {
  if (line === null) return "unknown";
  const at = line.findLastIndex((word) => word === "--approval-mode" || word.startsWith("--approval-mode="));
  if (at !== -1) return (line[at]!.split("=")[1] ?? line[at + 1]) === "plan" ? "plan" : "work";
  if (line.includes("-y") || line.includes("--yolo")) return "work";
  const startsPlanning = /"defaultApprovalMode"\s*:\s*"plan"/;
  return settingsTexts(input, directory).some((text) => startsPlanning.test(text)) ? "plan" : "work";
}

function settingsTexts({ environment, readText }: HookInput, directory: string): readonly string[] {
  const system = environment["GEMINI_CLI_SYSTEM_SETTINGS_PATH"] ?? "/etc/gemini-cli/settings.json";
  const paths = [system, join(geminiFolder(environment), "settings.json"), join(directory, ".gemini/settings.json")];
  return paths.map((path) => readText(path) ?? "");
}

function geminiFolder(environment: HookInput["environment"]): string {
  return join(environment["GEMINI_CLI_HOME"] ?? environment["HOME"] ?? "/", ".gemini");
}

/** Policies that are named by hand take the place of those in the folder. */
function hasPolicy(input: HookInput, line: readonly string[] | null, directory: string): boolean {
  if (line?.some((word) => word === "--policy" || word.startsWith("--policy=")) === true) return false;
  if (settingsTexts(input, directory).some((text) => text.includes('"policyPaths"'))) return false;
  const text = input.readText(join(geminiFolder(input.environment), "policies/groundplan.toml"));
  return text?.includes(policyMark) === true;
}

interface Change {
  readonly mode: Planning | null;
  /** From the session's head on. */
  readonly isWhole: boolean;
}

/** A session that is taken up again begins with another head, in the mode of its new start. */
function lastChange(transcript: string): Change {
  let change: Change = { mode: null, isWhole: false };
  for (const line of transcript.split("\n")) {
    const entry = mayTell.test(line) ? parseJson(line) : null;
    if (!isObject(entry)) continue;
    change = isHead(entry) ? { mode: null, isWhole: true } : { ...change, mode: changeIn(entry) ?? change.mode };
  }
  return change;
}

/** All else need not be read. */
const mayTell = /"startTime"|plan_mode|Plan Mode|plans directory|\[groundplan: /;

function isHead(entry: Readonly<Record<string, unknown>>): boolean {
  return typeof entry["sessionId"] === "string" && typeof entry["startTime"] === "string";
}

function changeIn(entry: Readonly<Record<string, unknown>>): Planning | null {
  if (entry["type"] === "user" && isManualExit(entry["content"])) return "work";
  const calls: readonly unknown[] = Array.isArray(entry["toolCalls"]) ? entry["toolCalls"] : [];
  return calls.reduce<Planning | null>((mode, call) => changeBy(call) ?? mode, null);
}

/** It says nothing beside; a file that the person named stands in parts of its own. */
function isManualExit(content: unknown): boolean {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ text: content }];
  const [part] = parts;
  if (parts.length !== 1 || !isObject(part)) return false;
  return /^User has manually exited Plan Mode\. Switching to [^\n]{1,100}$/.test(String(part["text"]));
}

/** What the client's own tools say when they change the mode, and what is only refused while it plans. */
function changeBy(call: unknown): Planning | null {
  if (!isObject(call)) return null;
  const { name, status, result } = call;
  const begins = (words: string): boolean => saidIn(result, "output").some((text) => text.startsWith(words));
  if (status === "success" && name === "enter_plan_mode" && begins("Switching to Plan mode")) return "plan";
  if (status === "success" && name === "exit_plan_mode" && begins("Plan approved. Switching to")) return "work";
  const errors = status === "error" ? saidIn(result, "error") : [];
  return errors.some((text) => refusedByPlan.some((words) => text.includes(words))) ? "plan" : null;
}

function saidIn(result: unknown, field: "output" | "error"): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(result) ? result : [];
  return parts.flatMap((part) => {
    const answer = isObject(part) ? part["functionResponse"] : null;
    const response = isObject(answer) ? answer["response"] : null;
    const said = isObject(response) ? response[field] : null;
    return typeof said === "string" ? [said] : [];
  });
}

const refusedByPlan = [
  policyMark,
  "You are in Plan Mode",
  "You are already in Plan Mode",
  "must be within the designated plans directory",
];
