/** What Codex's transcript tells that its hooks do not: the mode of the turn, the folder of the session, the plan that was proposed. */
import { basename, dirname, isAbsolute, join } from "node:path";
import { isObject, parseJson } from "../core/wire/shape.ts";
import type { HookInput, Planning } from "./client.ts";

export interface CodexTurn {
  readonly planning: Planning;
  /** Of the session, whatever folder a call runs in; null where it is not told. */
  readonly directory: string | null;
}

type ReadTail = HookInput["readTail"];
type Entry = Readonly<Record<string, unknown>>;

/** The last turn that began; null where no such thing can be found. Transcripts are large, and a turn may be long: more and more is read. */
export function readTurn(path: string, readTail: ReadTail): CodexTurn | null {
  for (const bytes of tails) {
    const text = readTail(path, bytes);
    if (text === null) return null;
    const context = lastEntry(text, "turn_context", (entry) => entry["type"] === "turn_context");
    const started = lastEntry(text, "task_started", (_, payload) => payload["type"] === "task_started");
    if ((context !== null && started !== null) || isWhole(text) || bytes === tails.at(-1)) {
      return context === null && started === null ? null : turnFrom(context, started);
    }
  }
  return null;
}

const tails = [1 << 18, 1 << 21, 1 << 24] as const;

/** Nothing stands before the first line of a transcript. */
function isWhole(text: string): boolean {
  return text.slice(0, text.indexOf("\n") + 1).includes(`"type":"session_meta"`);
}

function turnFrom(context: Entry | null, started: Entry | null): CodexTurn {
  const mode = isObject(context?.["collaboration_mode"]) ? context["collaboration_mode"]["mode"] : undefined;
  const told = [mode, started?.["collaboration_mode_kind"]].filter((name) => name !== undefined && name !== null);
  const directory = context?.["cwd"];
  return {
    planning: told.includes("plan")
      ? "plan"
      : told.length > 0 && told.every((name) => name === "default")
        ? "work"
        : "unknown",
    directory: typeof directory === "string" && isAbsolute(directory) ? directory : null,
  };
}

/** The plan that this turn ended with: proposed after whatever the person, or a review, said last. */
export function planOf(path: string, turn: string, readTail: ReadTail): string | null {
  for (const bytes of tails) {
    const text = readTail(path, bytes);
    if (text === null) return null;
    for (const item of itemsBackwards(text, turn)) {
      const { type, text: plan } = item;
      if (type === "Plan") return typeof plan === "string" && plan.trim() !== "" ? plan : null;
      if (type === "UserMessage" || type === "HookPrompt") return null;
    }
    if (isWhole(text)) return null;
  }
  return null;
}

function* itemsBackwards(text: string, turn: string): Generator<Entry> {
  for (const { payload } of entriesBackwards(text, "item_completed")) {
    const { type, turn_id: at, item } = payload;
    if (type === "item_completed" && at === turn && isObject(item)) yield item;
  }
}

function lastEntry(text: string, type: string, isIt: (entry: Entry, payload: Entry) => boolean): Entry | null {
  for (const { entry, payload } of entriesBackwards(text, type)) if (isIt(entry, payload)) return payload;
  return null;
}

/** Lines with this type somewhere, the last one first; inside of a text the quotes would be escaped. */
function* entriesBackwards(text: string, type: string): Generator<{ entry: Entry; payload: Entry }> {
  const mark = `"type":"${type}"`;
  let end = text.length;
  while (end > 0) {
    const at = text.lastIndexOf(mark, end);
    if (at < 0) return;
    const from = text.lastIndexOf("\n", at) + 1;
    const to = text.indexOf("\n", at);
    const entry = parseJson(text.slice(from, to < 0 ? undefined : to));
    if (isObject(entry) && isObject(entry["payload"])) yield { entry, payload: entry["payload"] };
    end = from - 1;
  }
}

export interface RootQuestion {
  /** The id of the thread that the person talks to. */
  readonly session: string;
  readonly agentTranscript: string;
  readonly listNames: HookInput["listNames"];
}

/** The transcript of the session's root, found by its id: `<sessions>/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`. */
export function rootTranscript({ session, agentTranscript, listNames }: RootQuestion): string | null {
  if (!uuid.test(session)) return null;
  const own = dirname(agentTranscript);
  const sessions = dirname(dirname(dirname(own)));
  const begun = Number.parseInt(session.replaceAll("-", "").slice(0, 12), 16);
  const days = [0, -1, 1].map((shift) => new Date(begun + shift * dayMs)).filter((day) => !Number.isNaN(day.getTime()));
  const folders = new Set([own, ...days.map((day) => join(sessions, ...day.toISOString().slice(0, 10).split("-")))]);
  for (const folder of folders) {
    const name = listNames(folder).find((each) => each.startsWith("rollout-") && each.endsWith(`-${session}.jsonl`));
    if (name !== undefined && name === basename(name)) return join(folder, name);
  }
  return null;
}

const dayMs = 86_400_000;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
