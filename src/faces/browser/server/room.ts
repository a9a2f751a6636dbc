/** A page at a port, of one plan or of all that wait: its path, its way in, its listeners; several may stand behind one port. */
import type { Assets } from "./assets.ts";
import type { ReviewDesk } from "../desks/desk.ts";
import { createEventStreams, type EventStreams, type NewsSource } from "./event-streams.ts";
import { listApi } from "./list-api.ts";
import { reviewApi } from "./review-api.ts";
import { createRoutes, type RoomContent, type Routes } from "./routes.ts";
import { keepKeys, newKeys, type ServerKeys } from "./server-keys.ts";
import { createDoorkeeper } from "./token.ts";
import type { WaitingPlans } from "./waiting-wire.ts";

export interface RoomOptions {
  readonly shown: RoomSubject;
  readonly port: number;
  /** Of an earlier run. */
  readonly kept: ServerKeys | null;
  /** Where they are kept; without it nothing outlives the process. */
  readonly keysFile: string | undefined;
  readonly assets: Assets;
  /** One line for the person. */
  readonly tell: (line: string) => void;
}

/** What is told of, and what is had of it. */
export interface RoomSubject {
  readonly news: NewsSource;
  readonly content: (streams: EventStreams) => RoomContent;
}

export function onePlan(desk: ReviewDesk): RoomSubject {
  return { news: desk, content: (streams) => ({ document: "", api: reviewApi(desk, streams) }) };
}

export function waitingPlans(plans: WaitingPlans): RoomSubject {
  return { news: plans, content: (streams) => ({ document: "?list", api: listApi(plans, streams) }) };
}

export interface PageRoom {
  /** The first part of the path of everything in it. */
  readonly folder: string;
  /** Whether the port and the path are those of an earlier run: pages that are open go on. */
  readonly continued: boolean;
  readonly answer: Routes;
  /** A link with a new single-use token. */
  link(): string;
  /** How many pages listen. */
  listening(): number;
  close(): void;
}

export async function openRoom({ shown, port, kept, keysFile, assets, tell }: RoomOptions): Promise<PageRoom> {
  const continued = kept !== null && kept.port === port;
  const fresh = newKeys();
  const keys: ServerKeys = { ...fresh, folder: continued ? kept.folder : fresh.folder, port };
  const keep = async (): Promise<void> => {
    if (keysFile === undefined) return;
    await keepKeys(keysFile, keys).catch((error: unknown) =>
      tell(`the review page will not outlive this program: ${String(error)}`),
    );
  };
  if (!continued) await keep();
  const doorkeeper = createDoorkeeper({ ...keys, earlier: continued ? kept.secret : null, keep });
  const streams = createEventStreams(shown.news);
  const { folder } = keys;
  return {
    folder,
    continued,
    answer: createRoutes({ port, folder, doorkeeper, assets, ...shown.content(streams) }),
    link: () => `http://127.0.0.1:${port}/${folder}/?token=${doorkeeper.mint()}`,
    listening: () => streams.size(),
    close: () => streams.close(),
  };
}
