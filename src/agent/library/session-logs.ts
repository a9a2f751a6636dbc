/** The logs of every project's sessions, with the plans that each of them tells of. */
import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { reduce } from "../../core/reduce.ts";
import { freshSession, type Session } from "../../core/session.ts";
import { projectKey } from "../host/config-home.ts";
import { readLog } from "../log-reader.ts";
import { laterOf, type PlanEntry } from "./entry.ts";
import { trackPlans } from "./track-plans.ts";

export interface SessionLog {
  /** The session's id; an agent's has its parent's before it. */
  readonly id: string;
  readonly path: string;
  /** `<project key>/<id>.jsonl`, or `<project key>/<parent>.agents/<agent>.jsonl` */
  readonly name: string;
  readonly size: number;
}

/** In one go: thousands of them are looked at in some milliseconds, and none is opened. */
export function listLogs(configHome: string): readonly SessionLog[] {
  const sessions = join(configHome, "sessions");
  return namesIn(sessions).flatMap((key) =>
    namesIn(join(sessions, key)).flatMap((name) => {
      const path = join(sessions, key, name);
      if (name.endsWith(".jsonl")) return logAt(path, name.slice(0, -".jsonl".length));
      if (!name.endsWith(".agents")) return [];
      const parent = name.slice(0, -".agents".length);
      return namesIn(path)
        .filter((agent) => agent.endsWith(".jsonl"))
        .flatMap((agent) => logAt(join(path, agent), `${parent}-agent-${agent.slice(0, -".jsonl".length)}`));
    }),
  );
}

/** Where the log of that session would lie. */
export function logPath(configHome: string, project: string, session: string): string {
  const folder = join(configHome, "sessions", projectKey(project));
  const [, parent, agent] = /^(.+?)-agent-(.+)$/.exec(session) ?? [];
  return parent === undefined ? join(folder, `${session}.jsonl`) : join(folder, `${parent}.agents`, `${agent}.jsonl`);
}

/** The log's name among all, by its path. */
export function markName(path: string): string {
  const folder = basename(dirname(path));
  const isAgents = folder.endsWith(".agents");
  return join(isAgents ? join(basename(dirname(dirname(path))), folder) : folder, basename(path));
}

export interface ReadLog {
  readonly session: Session;
  /** The newest state of each plan. */
  readonly plans: readonly PlanEntry[];
  /** The newest text of each plan file. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Null when the log is gone, cannot be opened, or is a newer program's. */
export async function replayLog(path: string): Promise<ReadLog | null> {
  const tracker = trackPlans();
  const plans = new Map<string, PlanEntry>();
  let session = freshSession();
  try {
    for await (const { entry } of readLog(path)) {
      if (entry === null) continue;
      const before = session;
      session = reduce(session, entry.event).session;
      if (before.plans === session.plans && before.plan === session.plan) continue;
      for (const plan of tracker.note(session, entry.at)) plans.set(plan.id, laterOf(plans.get(plan.id), plan));
    }
  } catch {
    return null;
  }
  return { session, plans: [...plans.values()], texts: tracker.texts };
}

function logAt(path: string, id: string): readonly SessionLog[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? [{ id, path, name: markName(path), size: found.size }] : [];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
