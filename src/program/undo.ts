/** Undo of a session that is open: its work is watched over, and the person can go back to a point of it (B15). */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionHandle } from "../agent/ports/handle.ts";
import { exists } from "../agent/host/files/entries.ts";
import { journalPlace, pointsFolder } from "../agent/undo/places.ts";
import type { ShownRewind } from "../agent/undo/measure.ts";
import type { PointView } from "../agent/undo/point-list.ts";
import { createRecorder, type Recorder } from "../agent/undo/recorder.ts";
import type { RewindResult, RewindWish } from "../agent/undo/rewind.ts";
import type { Sweeper } from "../agent/undo/sweep.ts";
import type { PointStore } from "../agent/undo/store.ts";
import type { Workplace } from "./place.ts";

export interface LiveUndo {
  /** Resolves when what was changed until now is known. */
  idle(): Promise<void>;
  /** Oldest first, with what was changed after each. */
  points(): Promise<readonly PointView[]>;
  /** What going back to this point would do to the files. Rejects where the points are gone. */
  preview(to: string): Promise<ShownRewind>;
  rewind(wish: RewindWish): Promise<RewindResult>;
}

export interface UndoParts {
  readonly recorder: Recorder;
  readonly follow: (handle: SessionHandle) => void;
  readonly live: (current: () => SessionHandle) => LiveUndo;
  /** Every picture is taken; what holds none goes. */
  close(): Promise<void>;
}

export function composeUndo(place: Workplace, tell: (line: string) => void): UndoParts {
  const { root, folder, home } = place;
  const sweep = sweeperOf(home);
  const recorder = createRecorder({
    root,
    report: tell,
    afterWork: ({ id, undo }, store) =>
      sweep(store.written(), { folder: placeOf(folder, id), store, works: undo.works }),
  });
  const stores = new Map<string, Promise<PointStore>>();
  const followed: SessionHandle[] = [];
  const storeOf = ({ state }: SessionHandle): Promise<PointStore> => {
    const { id, undo } = state;
    const opened = stores.get(id) ?? openLate(place, placeOf(folder, id), undo.works.at(-1));
    stores.set(id, opened);
    opened.catch(() => stores.delete(id));
    return opened;
  };
  return {
    recorder,
    follow(handle) {
      followed.push(handle);
      recorder.follow(handle, () => storeOf(handle));
    },
    live: (current) => ({
      idle: () => recorder.idle(),
      async points() {
        await recorder.idle();
        const { viewPoints } = await import("../agent/undo/point-list.ts");
        return viewPoints(current().state, await storeOf(current()));
      },
      async preview(to) {
        await recorder.idle();
        const { previewRewind } = await import("../agent/undo/rewind.ts");
        const { shownRewind } = await import("../agent/undo/measure.ts");
        const store = await storeOf(current());
        return shownRewind(await previewRewind({ store, session: () => current().state }, to), store);
      },
      async rewind(wish) {
        await recorder.idle();
        const handle = current();
        const { rewind } = await import("../agent/undo/rewind.ts");
        const store = await storeOf(handle);
        return rewind(
          { session: () => handle.state, alone: (act) => handle.alone(act), store, folder, now: Date.now },
          wish,
        );
      },
    }),
    async close() {
      await recorder.idle();
      for (const opened of stores.values()) await sweep((await opened.catch(() => null))?.written() ?? 0, null);
      for (const { state } of followed)
        if (stores.has(state.id) && state.undo.works.length === 0)
          await rm(placeOf(folder, state.id), { recursive: true, force: true }).catch(() => undefined);
    },
  };
}

/** Before anything of a start is done: a rewind that a killed process left in the middle is finished. */
export async function finishCutRewind({ home, folder }: Workplace, tell: (line: string) => void): Promise<void> {
  if (!(await exists(journalPlace(folder)))) return;
  const { finishRewind } = await import("../agent/undo/finish-rewind.ts");
  await finishRewind({ home, folder, tell });
}

function placeOf(folder: string, id: string): string {
  return pointsFolder(join(folder, `${id}.jsonl`));
}

/** Loaded when there is something to sweep. */
function sweeperOf(home: string): Sweeper {
  let sweeper: Promise<Sweeper> | null = null;
  return async (...asked) => {
    sweeper ??= import("../agent/undo/sweep.ts").then(({ createSweeper }) => createSweeper(home));
    await (
      await sweeper
    )(...asked);
  };
}

async function openLate(
  { root }: Workplace,
  folder: string,
  last: { readonly from: string; readonly to: string | null } | undefined,
): Promise<PointStore> {
  const { openStore } = await import("../agent/undo/open-store.ts");
  return openStore(root, folder, last?.to ?? last?.from ?? null);
}
