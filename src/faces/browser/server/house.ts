/** Many plans' pages behind one port, each with a path, a way in and listeners of its own. */
import { loadAssets, type Assets } from "./assets.ts";
import { openPort } from "./port.ts";
import { openRoom, type PageRoom, type RoomSubject } from "./room.ts";
import { refuseUnknown } from "./routes.ts";
import { notBuilt } from "./server.ts";
import { readKeys } from "./server-keys.ts";

export interface HouseOptions {
  /** The port of the run before. */
  readonly wanted: number | null;
  readonly assets?: Assets | undefined;
  /** One line for the person. */
  readonly tell: (line: string) => void;
}

export interface PageHouse {
  readonly port: number;
  /** `keysFile`: where port and secret of this page are kept. */
  open(shown: RoomSubject, keysFile: string): Promise<PageRoom>;
  close(): Promise<void>;
}

export async function openHouse(options: HouseOptions): Promise<PageHouse | { readonly problem: string }> {
  const { wanted, tell } = options;
  const assets = options.assets ?? (await loadAssets());
  if (assets === null) return notBuilt;
  const opened = await openPort({ wanted, tell });
  if ("problem" in opened) return opened;
  const { port } = opened;
  const rooms = new Map<string, PageRoom>();
  opened.serve(async (request, response) => {
    const [, folder = ""] = (request.url ?? "").split("?", 1)[0]!.split("/");
    const room = rooms.get(folder);
    if (room === undefined) return refuseUnknown(request, response, port);
    return room.answer(request, response);
  });
  return {
    port,
    async open(shown, keysFile) {
      const room = await openRoom({ shown, port, kept: await readKeys(keysFile), keysFile, assets, tell });
      rooms.set(room.folder, room);
      return {
        ...room,
        close() {
          rooms.delete(room.folder);
          room.close();
        },
      };
    },
    async close() {
      for (const room of rooms.values()) room.close();
      await opened.close();
    },
  };
}
