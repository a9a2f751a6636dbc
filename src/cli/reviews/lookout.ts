/** Looks which plans wait: what the library calls submitted, what the session's log says of it, and who waits for the answer. */
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { answerStore } from "../../agent/answers/kept-answers.ts";
import { isHeld } from "../../agent/host/files/lock.ts";
import type { PlanEntry } from "../../agent/library/entry.ts";
import { shortSession } from "../../agent/library/find-plan.ts";
import { openLibrary } from "../../agent/library/library.ts";
import { replayLog } from "../../agent/library/replay-log.ts";
import { logPath } from "../../agent/library/session-logs.ts";
import { pendingReview } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import type { WaitingPlan } from "../../faces/browser/server/waiting-wire.ts";
import type { Shelf, ShelfOptions } from "./shelf.ts";

export interface LookoutOptions extends Pick<ShelfOptions, "home" | "titleOf" | "tell"> {
  readonly shelf: Shelf;
}

export interface FoundWaiting {
  readonly entry: PlanEntry;
  readonly plan: WaitingPlan;
  /** Whose plan it is, where it is our own session's; null for another agent's. */
  readonly actor: Session["actor"] | null;
}

export function createLookout(options: LookoutOptions): () => Promise<readonly FoundWaiting[]> {
  const { home, tell } = options;
  const read = rememberLogs();
  return async () => {
    const library = await openLibrary({ configHome: home, project: noProject(home), tell: () => undefined });
    const everywhere = library.list({ all: true });
    const submitted = library.list({ all: true, status: "submitted" }).filter(({ at }) => Date.now() - at < oldestMs);
    const found: FoundWaiting[] = [];
    for (const entry of submitted) {
      const waiting = shelved(entry, options) ?? (await logged(entry, { home, tell, read }));
      if (waiting === null) continue;
      const { id, title, session, project, revisions, at } = entry;
      const since = revisions.at(-1)?.at ?? at;
      const { actor, ...told } = waiting;
      const facts = { id, title, since, project: project === null ? null : basename(project) };
      found.push({ entry, actor, plan: { ...facts, ...told, session: shortSession(session ?? "", everywhere) } });
    }
    return found.toSorted(
      ({ plan: one }, { plan: other }) => Number(other.live) - Number(one.live) || one.since - other.since,
    );
  };
}

/** A folder in which no plan lies: this process is nobody's project. */
function noProject(home: string): string {
  return join(home, "reviews");
}

const oldestMs = 14 * 24 * 3_600_000;

interface Waiting extends Pick<WaitingPlan, "by" | "until" | "live">, Pick<FoundWaiting, "actor"> {}

/** Of another agent, whose session this process has open. */
function shelved({ session, source }: PlanEntry, { shelf, titleOf }: LookoutOptions): Waiting | null {
  const known = shelf.byId(session ?? "");
  if (known?.opened()?.isWaiting() !== true || !known.isAsked) return null;
  const limits = [...known.hooks].flatMap(({ until }) => (until === null ? [] : [until]));
  const by = { kind: "agent", name: titleOf((source ?? "") as Parameters<typeof titleOf>[0]) } as const;
  return { by, actor: null, until: limits.length === 0 ? null : Math.max(...limits), live: known.hooks.size > 0 };
}

/** Of a session of our own, in whatever process; null where its log says that nothing waits, or that it was answered. */
async function logged(
  entry: PlanEntry,
  { home, tell, read }: Pick<LookoutOptions, "home" | "tell"> & { readonly read: ReturnType<typeof rememberLogs> },
): Promise<Waiting | null> {
  const { session: id, project, source, file } = entry;
  if (id === null || project === null || source !== undefined) return null;
  const log = logPath(home, project, id);
  const session = await read(log);
  const request = session === null ? null : pendingReview(session);
  if (session === null || request === null || request.planFile !== file) return null;
  const kept = await answerStore(home, id, () => undefined).list();
  if (kept.some(({ requestId }) => requestId === request.id)) return null;
  const { actor } = session;
  const parent = logPath(home, project, id.replace(/-agent-.+$/, ""));
  const live = await isHeld(`${parent}.lock`);
  if (actor.kind !== "teammate") return { by: { kind: "own", name: "Groundplan" }, actor, until: null, live };
  const { withTeammatePlan } = await import("./teammate-desk.ts");
  const by = { kind: "teammate", name: actor.name } as const;
  const place = { home, tell };
  return withTeammatePlan(entry, { place, actor }, async ({ deadline }) => ({ by, actor, until: deadline, live }));
}

/** A log is read again only when it grew. */
function rememberLogs(): (path: string) => Promise<Session | null> {
  const known = new Map<string, { readonly size: number; readonly session: Session | null }>();
  return async (path) => {
    const size = (await stat(path).catch(() => null))?.size ?? -1;
    const before = known.get(path);
    if (before?.size === size) return before.session;
    const session = size === -1 ? null : ((await replayLog(path))?.session ?? null);
    known.set(path, { size, session });
    return session;
  };
}
