/** Watches over work on the files: a picture right before whatever may change some, and one right after (B15). */
import type { Call } from "../../core/decide/access.ts";
import { isReading } from "../../core/decide/access.ts";
import { errorText } from "../../core/error-text.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
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
}

type Wanted = readonly BytePath[] | null;

export function createRecorder({ root, report }: RecorderOptions): Recorder {
  let followed: Followed | null = null;
  /** Calls that are under way, and everything that they may touch; null: anything. */
  let under = 0;
  let touched: Wanted = [];
  let outside: readonly string[] = [];
  let isBegun = false;
  let from = "";
  const { inTurn, idle } = carefulTurns(report);

  const begin = (wanted: Wanted): Promise<void> => {
    under += 1;
    touched = union(touched, wanted);
    if (under > 1) return idle();
    isBegun = false;
    return inTurn(followed, async (handle, store) => {
      const isWhole = isFirst(handle.state);
      if (isWhole && store.kind === "copies") await store.take(null);
      const { name, left } = await store.take(isWhole && store.kind === "git" ? null : wanted);
      const hasLeft = left.nested.length + left.large.length > 0;
      from = name;
      isBegun = (await handle.send({ type: "work-begun", from: name, ...(hasLeft ? { left } : {}) })) === null;
    });
  };
  const end = (): void => {
    under -= 1;
    if (under > 0) return;
    const wanted = touched;
    const missed = outside;
    touched = [];
    outside = [];
    if (!isBegun) return;
    void inTurn(followed, async (handle, store) => {
      const picture = await store.take(wanted);
      const all = [...missed, ...picture.missed.map(shownPath)];
      const [differing = []] = picture.name === from ? [] : await store.changes([[from, picture.name]]);
      const changed = differing.slice(0, mostNamed).map(({ path }) => shownPath(path));
      await handle.send({
        type: "work-ended",
        to: picture.name,
        ...(changed.length === 0 ? {} : { changed }),
        ...(all.length === 0 ? {} : { missed: all }),
      });
    });
  };
  return {
    follow(handle, store) {
      const own = { handle, store };
      followed = own;
      /** What the first picture needs is made ready beside the first request. */
      whenAtWork(handle, () => void inTurn(own, async (_handle, opened) => void (await opened.take(null))));
    },
    async around(call, planFile, run) {
      if (!mayChange(call, planFile)) return run();
      const path = call.access?.kind === "write" ? call.access.path : null;
      const inside = path === null ? null : bytePath(root, path);
      if (path !== null && inside === null) outside = [...outside, path];
      await begin(path === null ? null : inside === null ? [] : [inside]);
      try {
        return await run();
      } finally {
        end();
      }
    },
    idle,
  };
}

/** Of what one stretch of work changed, so many are named. */
const mostNamed = 500;

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

function union(one: Wanted, other: Wanted): Wanted {
  return one === null || other === null ? null : [...new Set([...one, ...other])];
}
