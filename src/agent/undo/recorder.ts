/** Watches over work on the files: a picture right before whatever may change some, and one right after (B15). */
import type { Call } from "../../core/decide/access.ts";
import { isReading } from "../../core/decide/access.ts";
import { errorText } from "../../core/error-text.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import type { LeftOut } from "../../core/undo.ts";
import type { SessionHandle } from "../ports/handle.ts";
import type { WorkWatch } from "../ports/host.ts";
import type { BytePath } from "../watch/work-tree-files.ts";
import { bytePath, shownPath } from "./entries.ts";
import type { PointStore } from "./store.ts";

export interface Recorder extends WorkWatch {
  /** From now on the work belongs to this session; agents that it starts work for it. */
  follow(handle: SessionHandle, store: () => Promise<PointStore>): void;
  /** Resolves when no picture is being taken. */
  idle(): Promise<void>;
}

export interface RecorderOptions {
  readonly root: string;
  /** One line for the person. */
  readonly report: (problem: string) => void;
  /** A work has ended, and no picture is being taken. */
  readonly afterWork?: (session: Session, store: PointStore) => Promise<void>;
}

/** Null: anything. */
type Wanted = readonly BytePath[] | null;

interface UnderWay {
  readonly wanted: Wanted;
}

interface Began {
  readonly handle: SessionHandle;
  readonly from: string;
  /** Null where nobody looked for it. */
  readonly left: LeftOut | null;
}

export function createRecorder({ root, report, afterWork }: RecorderOptions): Recorder {
  let followed: Followed | null = null;
  /** Calls that are under way, each with what it may touch. */
  const under = new Set<UnderWay>();
  const outside: string[] = [];
  let isBegun = false;
  /** What the work that is under way began with. */
  let begunFrom = "";
  const { inTurn, idle } = carefulTurns(report);

  const began = async ({ handle, from, left }: Began): Promise<void> => {
    const refused = await handle.send({ type: "work-begun", from, ...(left === null ? {} : { left }) });
    isBegun = refused === null;
    begunFrom = from;
  };
  /** Gives the work tree as it is then. */
  const ended = async (handle: SessionHandle, store: PointStore, touched: Wanted): Promise<string> => {
    isBegun = false;
    const { name, missed } = await store.take(touched);
    const all = [...outside.splice(0), ...missed.map(shownPath)];
    const changed = await changedBetween(store, begunFrom, name);
    await handle.send({
      type: "work-ended",
      to: name,
      ...(changed.length === 0 ? {} : { changed }),
      ...(all.length === 0 ? {} : { missed: all }),
    });
    return name;
  };
  /** What another call that is under way does not touch may hold somebody else's changes: they end up between two works. */
  const begin = (one: UnderWay): Promise<void> => {
    const others = allOf(under);
    const isAlone = under.size === 0;
    under.add(one);
    if (!isAlone && isWithin(one.wanted, others)) return idle();
    return inTurn(followed, async (handle, store) => {
      if (isBegun) await ended(handle, store, others);
      const isWhole = isFirst(handle.state);
      if (isWhole && store.kind === "copies") await store.take(null);
      const looked = isWhole && store.kind === "git" ? null : one.wanted;
      const { name: from, left } = await store.take(looked);
      const hasLeft = left.nested.length + left.large.length > 0 || handle.state.undo.left !== null;
      await began({ handle, from, left: looked === null && hasLeft ? left : null });
    });
  };
  const end = (one: UnderWay): void => {
    const touched = allOf(under);
    under.delete(one);
    const isLast = under.size === 0;
    if (!isLast && isWithin(one.wanted, allOf(under))) return;
    void inTurn(followed, async (handle, store) => {
      if (!isBegun) return;
      const from = await ended(handle, store, touched);
      if (!isLast) await began({ handle, from, left: null });
      else await afterWork?.(handle.state, store);
    });
  };
  const lookAround = async (store: PointStore): Promise<void> => void (under.size === 0 && (await store.take(null)));
  return {
    follow(handle, store) {
      const own = { handle, store };
      followed = own;
      /** What the first picture needs is made ready beside the first request; no picture is taken in the middle of a work. */
      whenAtWork(handle, () => void inTurn(own, (_handle, opened) => lookAround(opened)));
    },
    async around(call, planFile, run) {
      if (!mayChange(call, planFile)) return run();
      const path = call.access?.kind === "write" ? call.access.path : null;
      const one = { wanted: wantedOf(root, path) };
      if (path !== null && one.wanted?.length === 0) outside.push(path);
      await begin(one);
      try {
        return await run();
      } finally {
        end(one);
      }
    },
    idle,
  };
}

function wantedOf(root: string, path: string | null): Wanted {
  if (path === null) return null;
  const inside = bytePath(root, path);
  return inside === null ? [] : [inside];
}

/** Of what one stretch of work changed, so many are named. */
const mostNamed = 500;

async function changedBetween(store: PointStore, from: string, to: string): Promise<readonly string[]> {
  if (from === to) return [];
  const [differing = []] = await store.changes([[from, to]]);
  return differing.slice(0, mostNamed).map(({ path }) => shownPath(path));
}

interface Followed {
  readonly handle: SessionHandle;
  readonly store: () => Promise<PointStore>;
}

/** One after the other; what fails is told once, and after some failures in a row nothing is tried any more. */
function carefulTurns(report: (problem: string) => void) {
  let last: Promise<void> = Promise.resolve();
  let isTold = false;
  let failures = 0;
  const inTurn = (
    here: Followed | null,
    act: (handle: SessionHandle, store: PointStore) => Promise<void>,
  ): Promise<void> => {
    last = last.then(async () => {
      if (here === null || failures >= mostFailures) return;
      try {
        await act(here.handle, await here.store());
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!isTold) report(`No point to return to could be kept (${errorText(error)}). The work goes on without.`);
        isTold = true;
      }
    });
    return last;
  };
  const idle = async (): Promise<void> => {
    for (let seen: Promise<void> | null = null; seen !== last;) await (seen = last);
  };
  return { inTurn, idle };
}

/** Once, a moment after there is something to return to and work may begin: its first request goes first. */
function whenAtWork(handle: SessionHandle, act: () => void): void {
  let isDone = false;
  handle.subscribe((happening) => {
    if (isDone || happening.kind !== "event") return;
    const { undo, permissions } = happening.session;
    isDone = undo.points.length > 0 && !isPlanning(permissions);
    if (isDone) setTimeout(act, requestFirstMs).unref();
  });
}

const requestFirstMs = 100;
/** After so many in a row nobody waits for another one. */
const mostFailures = 2;

/** Agents are watched over call by call; the plan is no work. */
function mayChange({ access }: Call, planFile: string | null): boolean {
  if (access === null || access.kind === "spawn" || isReading(access)) return false;
  return access.kind !== "write" || access.path !== planFile;
}

/** Nothing was done yet since the newest point: it is taken whole. */
function isFirst({ undo }: Session): boolean {
  return (undo.points.findLast(({ why }) => why !== "rewind")?.works ?? 0) >= undo.works.length;
}

function allOf(under: ReadonlySet<UnderWay>): Wanted {
  const all = [...under].map(({ wanted }) => wanted);
  return all.some((wanted) => wanted === null) ? null : [...new Set(all.flatMap((wanted) => wanted ?? []))];
}

function isWithin(wanted: Wanted, all: Wanted): boolean {
  return all === null || (wanted !== null && wanted.every((path) => all.includes(path)));
}
