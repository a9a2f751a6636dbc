/** The sessions that the page process has open, each at work on one thing at a time. */
import { oneAtATime } from "../../agent/host/one-at-a-time.ts";
import { ownSessionId, type PresentBody } from "../../clients/review/wire.ts";
import { isUsageError, type UsageError } from "../../program/usage-error.ts";
import { openForeign, type ForeignOptions, type ForeignSession } from "./foreign-session.ts";
import { noteWaiting } from "./waiting-plans.ts";

export interface ShelfOptions extends Pick<ForeignOptions, "home" | "house" | "prompts" | "tell"> {
  /** As people call an agent. */
  readonly titleOf: (client: PresentBody["client"]) => string;
}

type ShelfBody = Pick<PresentBody, "client" | "session" | "directory" | "environment" | "offer">;

export interface ShelvedSession {
  /** Opening it and presenting plans in it: one after the other. */
  readonly inTurn: ReturnType<typeof oneAtATime>;
  /** Opens it, the first time. */
  open(body: ShelfBody): Promise<ForeignSession | UsageError>;
  /** Null until it was opened. */
  readonly opened: () => ForeignSession | null;
  /** The person is asked on the page, not in the client's own dialog. */
  isAsked: boolean;
  /** Until when each hook waits that waits now; null for one without a limit. */
  readonly hooks: Set<{ readonly until: number | null }>;
}

export type Shelf = ReturnType<typeof createShelf>;

export function createShelf(options: ShelfOptions) {
  const { home, titleOf } = options;
  const sessions = new Map<string, ShelvedSession>();
  return {
    /** In the project with this root. */
    sessionOf({ client, session }: Pick<PresentBody, "client" | "session">, root: string): ShelvedSession {
      const id = ownSessionId(client, session, root);
      const known = sessions.get(id);
      if (known !== undefined) return known;
      let opened: ForeignSession | null = null;
      const shelved: ShelvedSession = {
        inTurn: oneAtATime(),
        isAsked: false,
        hooks: new Set(),
        opened: () => opened,
        async open(body) {
          if (opened !== null) return opened;
          const onWaiting = (waits: boolean): Promise<void> => noteWaiting(home, body, { root, waits });
          const found = await openForeign({ ...options, id, root, title: titleOf(client), body, onWaiting });
          if (!isUsageError(found)) opened = found;
          return found;
        },
      };
      sessions.set(id, shelved);
      return shelved;
    },
    all: (): readonly ShelvedSession[] => [...sessions.values()],
    /** By our own id of it. */
    byId: (id: string): ShelvedSession | null => sessions.get(id) ?? null,
  };
}
