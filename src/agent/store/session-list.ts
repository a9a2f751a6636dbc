/** The sessions of a project, newest first, told by their logs. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Mode } from "../../core/mode.ts";
import { reduce } from "../../core/reduce.ts";
import { freshSession, type Session } from "../../core/session.ts";
import { readLog } from "./log-reader.ts";

export interface FoundSession {
  readonly id: string;
  readonly path: string;
  readonly changedAt: number;
  readonly size: number;
}

export interface SessionSummary extends Omit<FoundSession, "size"> {
  /** The beginning of the first thing the person said; empty when nothing was. */
  readonly words: string;
  /** Null when the log cannot be replayed: unreadable, newer, or too big to be worth it for a list. */
  readonly mode: Mode | null;
  /** The project's root; null as for the mode. */
  readonly project: string | null;
  /** Sessions that it is linked to by a plan with fresh context (B6.4); null as for the mode. */
  readonly links: { readonly from: string | null; readonly to: string | null } | null;
  readonly startedAt: number;
}

/** At most so many, the newest: only the logs that are listed are opened. A folder that is missing has no sessions. */
export async function listSessions(
  folder: string,
  { limit = 50 }: { readonly limit?: number } = {},
): Promise<readonly SessionSummary[]> {
  const newest = (await findSessions(folder)).slice(0, limit);
  const summaries: SessionSummary[] = [];
  for (const session of newest) summaries.push(await summarize(session));
  return summaries;
}

/** The folders of every project's logs. */
export async function projectFolders(home: string): Promise<readonly string[]> {
  const names = await readdir(join(home, "sessions")).catch(() => []);
  return names.map((name) => join(home, "sessions", name));
}

/** Those whose id begins so, newest first; no log is opened. */
export async function findSessions(folder: string, prefix = ""): Promise<readonly FoundSession[]> {
  const names = await readdir(folder).catch(() => []);
  const found: FoundSession[] = [];
  for (const name of names) {
    if (!name.endsWith(".jsonl") || !name.startsWith(prefix.toLowerCase())) continue;
    const path = join(folder, name);
    const facts = await stat(path).catch(() => null);
    if (facts?.isFile() !== true) continue;
    found.push({ id: name.slice(0, -".jsonl".length), path, changedAt: facts.mtimeMs, size: facts.size });
  }
  return found.toSorted((one, other) => other.changedAt - one.changedAt);
}

export async function summarize({ id, path, changedAt, size }: FoundSession): Promise<SessionSummary> {
  const replays = size <= largestReplay;
  let session: Session = freshSession();
  let words = "";
  let startedAt = 0;
  let isWhole = replays;
  try {
    for await (const { entry } of readLog(path)) {
      if (entry === null) continue;
      if (startedAt === 0) startedAt = entry.at;
      if (words === "" && entry.event.type === "user-said") words = firstWords(entry.event.text);
      if (!replays && words !== "") break;
      if (replays) session = reduce(session, entry.event).session;
    }
  } catch {
    isWhole = false;
  }
  const isKnown = isWhole && session.id !== "";
  const mode = isKnown ? session.permissions.mode.current : null;
  const project = isKnown ? session.roots.project : null;
  const links = isKnown ? { from: session.links.from, to: session.links.to } : null;
  return { id, path, words, mode, project, links, startedAt: startedAt === 0 ? changedAt : startedAt, changedAt };
}

/** What a session is called in a list. */
export function firstWords(text: string): string {
  const plain = text.slice(0, 400).replaceAll(/\s+/g, " ").trim();
  return plain.length > 80 ? `${plain.slice(0, 79).replace(/[\uD800-\uDBFF]$/, "")}…` : plain;
}

const largestReplay = 32 * 1024 * 1024;
