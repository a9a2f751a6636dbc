/** Keeps the index as the sessions of this process are: in the background, and never in the way of a turn (B5.3). */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { errorText } from "../../core/error-text.ts";
import { oneAtATime } from "../host/one-at-a-time.ts";
import type { Happening } from "../ports/handle.ts";
import type { PlanEntry } from "./entry.ts";
import type { LineStore } from "./line-store.ts";
import { openIndex, openMarks, plansFolder } from "./places.ts";
import { isWasteful } from "./refresh.ts";
import { markName } from "./session-logs.ts";
import { trackPlans, type PlanTracker } from "./track-plans.ts";

export interface IndexKeeperOptions {
  readonly configHome: string;
  /** Told once, when the index cannot be kept: it is brought up to date from the logs later. */
  readonly report: (problem: string) => void;
}

interface Tracked {
  readonly tracker: PlanTracker;
  /** Whether it was heard from its first event on. */
  readonly isWhole: boolean;
  readonly plans: Map<string, number>;
}

export function createIndexKeeper({ configHome, report }: IndexKeeperOptions) {
  const index = openIndex(configHome);
  const sessions = new Map<string, Tracked>();
  const waiting = new Map<string, PlanEntry>();
  const inTurn = oneAtATime();
  let hasFailed = false;

  const write = async (): Promise<void> => {
    const entries = [...waiting.values()];
    waiting.clear();
    try {
      await index.append(entries);
    } catch (error) {
      const why = errorText(error);
      if (!hasFailed) report(`The plan index could not be written (${why}); the logs have everything.`);
      hasFailed = true;
    }
  };

  /** Hears everything that happens, of every session. Never throws. */
  const listen = (happening: Happening): void => {
    if (happening.kind === "agent" && happening.news.kind === "within") return listen(happening.news.happening);
    if (happening.kind !== "event" || happening.session.id === "") return;
    const { before, session, event, at = Date.now() } = happening;
    const isWhole = event.type === "session-started";
    const tracked = sessions.get(session.id) ?? {
      tracker: trackPlans(isWhole ? undefined : before),
      isWhole,
      plans: new Map(),
    };
    sessions.set(session.id, tracked);
    if (before.plans === session.plans && before.plan === session.plan) return;
    for (const entry of tracked.tracker.note(session, at)) {
      tracked.plans.set(entry.id, at);
      waiting.set(entry.id, entry);
    }
    if (waiting.size > 0) void inTurn(write);
  };

  return {
    listen,
    /** Waits for what is under way, for a moment; `logs` are those of the sessions, whole by now. Never rejects. */
    async close(logs: readonly { readonly id: string; readonly path: string }[]): Promise<void> {
      const done = inTurn(async () => {
        if (hasFailed) return;
        const marks = logs.map(async ({ id, path }) => {
          const tracked = sessions.get(id);
          if (tracked?.isWhole !== true) return [];
          return [{ log: markName(path), size: (await stat(path)).size, plans: Object.fromEntries(tracked.plans) }];
        });
        await openMarks(configHome).append((await Promise.all(marks)).flat());
        await tidy(index, plansFolder(configHome));
      });
      await Promise.race([done.catch(() => undefined), pause(patienceMs, undefined, { ref: false })]);
    },
  };
}

/** Also where nobody ever looks into the library its index does not grow without end. */
async function tidy(index: LineStore<PlanEntry>, folder: string): Promise<void> {
  if ((await stat(join(folder, "index.jsonl"))).size < largeIndex) return;
  if (isWasteful(await index.read())) await index.rewrite((now) => now.values());
}

const largeIndex = 4 * 1024 * 1024;

/** The end of a session does not wait longer for its index. */
const patienceMs = 10_000;
