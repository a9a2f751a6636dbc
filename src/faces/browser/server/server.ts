/** The loopback server of the review page of one plan. */
import { loadAssets, type Assets } from "./assets.ts";
import type { ReviewDesk } from "../desks/desk.ts";
import { openPort } from "./port.ts";
import { onePlan, openRoom } from "./room.ts";
import { readKeys } from "./server-keys.ts";

export interface ServerOptions {
  readonly desk: ReviewDesk;
  /** Where port and secret are kept; without it nothing outlives the process. */
  readonly keysFile?: string;
  readonly assets?: Assets | undefined;
  /** One line for the person. */
  readonly tell: (line: string) => void;
}

export interface ReviewServer {
  readonly port: number;
  /** Whether the port and the path are those of an earlier run: pages that are open go on. */
  readonly continued: boolean;
  /** A link with a new single-use token. */
  link(): string;
  close(): Promise<void>;
}

export async function startServer(options: ServerOptions): Promise<ReviewServer | { readonly problem: string }> {
  const { desk, keysFile, tell } = options;
  const assets = options.assets ?? (await loadAssets());
  if (assets === null) return notBuilt;
  const kept = keysFile === undefined ? null : await readKeys(keysFile);
  const opened = await openPort({ wanted: kept?.port ?? null, tell });
  if ("problem" in opened) return opened;
  const { port } = opened;
  if (kept !== null && kept.port !== port) {
    tell(`port ${kept.port} is taken by another program · the review page is at port ${port} now; open the new link`);
  }
  const room = await openRoom({ shown: onePlan(desk), kept, keysFile, port, assets, tell });
  opened.serve(room.answer);
  return {
    port,
    continued: room.continued,
    link: () => room.link(),
    async close() {
      room.close();
      await opened.close();
    },
  };
}

export const notBuilt = { problem: "The review page was not built into this installation (dist/page)." } as const;
