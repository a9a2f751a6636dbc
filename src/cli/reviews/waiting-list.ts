/** The page of all plans that wait, whoever wrote them; each of them leads to its own page. */
import { watch } from "node:fs";
import { mkdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { reviewsFolder } from "../../agent/answers/kept-answers.ts";
import { createFiles } from "../../agent/host/files/files.ts";
import { plansFolder } from "../../agent/library/places.ts";
import { createBell, type ReviewDesk, type WaitingDesk } from "../../faces/browser/desks/desk.ts";
import type { PageHouse } from "../../faces/browser/server/house.ts";
import { onePlan, waitingPlans, type PageRoom } from "../../faces/browser/server/room.ts";
import { readKeys } from "../../faces/browser/server/server-keys.ts";
import { createLookout, type FoundWaiting, type LookoutOptions } from "./lookout.ts";
import { sessionDesk } from "./plan-desk.ts";
import type { TeammateDeskOptions } from "./teammate-desk.ts";

export interface WaitingListOptions extends LookoutOptions {
  readonly house: PageHouse;
}

export type WaitingList = ReturnType<typeof createWaitingList>;

export function createWaitingList(options: WaitingListOptions) {
  const { home, house, shelf } = options;
  const bell = createBell();
  const look = createLookout(options);
  const others = otherPages(options);
  const keysFile = join(home, "reviews", "list.json");
  let stopWatching: (() => void) | null = null;
  let opening: Promise<PageRoom> | null = null;
  let opened: PageRoom | null = null;
  const open = async (id: string): Promise<string | null> => {
    const wanted = (await look()).find(({ plan }) => plan.id === id);
    if (wanted === undefined) return null;
    const shelved = shelf.byId(wanted.entry.session ?? "")?.opened() ?? null;
    return shelved === null ? others.link(wanted) : shelved.room.link();
  };
  const state = async () => ({ version: bell.version(), plans: (await look()).map(({ plan }) => plan) });
  const room = (): Promise<PageRoom> => {
    opening ??= (async () => {
      stopWatching = await watchIndex(home, () => bell.ring());
      const { version, subscribe } = bell;
      opened = await house.open(waitingPlans({ version, subscribe, state, open }), keysFile);
      return opened;
    })();
    return opening;
  };
  return {
    ring: () => bell.ring(),
    link: async (): Promise<string> => (await room()).link(),
    /** A page that the run before left open goes on. */
    async goOn(): Promise<void> {
      if ((await readKeys(keysFile)) !== null) await room();
    },
    /** How many pages of the list listen. */
    listening: (): number => opened?.listening() ?? 0,
    /** Whether somebody looks at a plan that was opened from it. */
    hasWatchers: () => others.listening() > 0,
    close(): void {
      stopWatching?.();
      bell.end("ended");
      others.close();
      opened?.close();
    },
  };
}

/** Every session writes the index when its plan is submitted or answered. */
async function watchIndex(home: string, changed: () => void): Promise<() => void> {
  const folder = plansFolder(home);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const watcher = watch(
      folder,
      { persistent: false },
      (_, name) => (name ?? "index.jsonl") === "index.jsonl" && changed(),
    );
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    /** Where the system has no more to give, it is looked at now and then. */
    const timer = setInterval(changed, rarelyMs).unref();
    return () => clearInterval(timer);
  }
}

const rarelyMs = 10_000;

interface OtherPage {
  readonly room: PageRoom;
  readonly desk: WaitingDesk;
  lookedAt: number;
}

/** Pages of plans whose sessions are not this process's; one that nobody looks at for long is closed. */
function otherPages({ home, house, tell }: Pick<WaitingListOptions, "home" | "house" | "tell">) {
  const pages = new Map<string, OtherPage>();
  const end = (id: string): void => {
    const page = pages.get(id);
    pages.delete(id);
    page?.desk.close();
    page?.room.close();
  };
  const sweep = setInterval(() => {
    for (const [id, page] of pages) {
      if (page.room.listening() > 0) page.lookedAt = performance.now();
      else if (performance.now() - page.lookedAt > unseenMs) end(id);
    }
  }, sweepMs).unref();
  return {
    async link({ entry, actor }: FoundWaiting): Promise<string | null> {
      const known = pages.get(entry.id);
      if (known !== undefined) return known.room.link();
      const parts = { home, tell, files: createFiles(), user: userInfo().username };
      const desk = await sessionDesk(entry, parts);
      if (desk === null || "problem" in desk) return null;
      const keysFile = join(
        reviewsFolder(home, entry.session ?? ""),
        `${entry.id.replaceAll(/[^\w-]/g, "_")}.listed.json`,
      );
      const shown =
        actor?.kind === "teammate" ? await asTeammates(desk, { entry, actor, place: { home, tell } }) : desk;
      const room = await house.open(onePlan(shown), keysFile);
      pages.set(entry.id, { room, desk, lookedAt: performance.now() });
      return room.link();
    },
    listening: (): number => [...pages.values()].reduce((sum, { room }) => sum + room.listening(), 0),
    close(): void {
      clearInterval(sweep);
      for (const id of pages.keys()) end(id);
    },
  };
}

async function asTeammates(desk: ReviewDesk, options: Omit<TeammateDeskOptions, "desk">): Promise<ReviewDesk> {
  const { teammateDesk } = await import("./teammate-desk.ts");
  return teammateDesk({ ...options, desk });
}

const sweepMs = 60_000;
/** A hidden tab gives its line back, and is still open. */
const unseenMs = 30 * 60_000;
