/** One plan's page at a port: its path, its way in, its listeners; several may stand behind one port. */
import type { Assets } from "./assets.ts";
import type { ReviewDesk } from "../desks/desk.ts";
import { createEventStreams } from "./event-streams.ts";
import { createRoutes, type Routes } from "./routes.ts";
import { keepKeys, newKeys, type ServerKeys } from "./server-keys.ts";
import { createDoorkeeper } from "./token.ts";

export interface RoomOptions {
  readonly desk: ReviewDesk;
  readonly port: number;
  /** Of an earlier run. */
  readonly kept: ServerKeys | null;
  /** Where they are kept; without it nothing outlives the process. */
  readonly keysFile: string | undefined;
  readonly assets: Assets;
  /** One line for the person. */
  readonly tell: (line: string) => void;
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

export async function openRoom({ desk, port, kept, keysFile, assets, tell }: RoomOptions): Promise<PageRoom> {
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
  const streams = createEventStreams(desk);
  const { folder } = keys;
  return {
    folder,
    continued,
    answer: createRoutes({ port, folder, doorkeeper, assets, desk, streams }),
    link: () => `http://127.0.0.1:${port}/${folder}/?token=${doorkeeper.mint()}`,
    listening: () => streams.size(),
    close: () => streams.close(),
  };
}
