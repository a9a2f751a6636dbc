/** What whoever performs effects has of the session. */
import type { Call } from "../../core/decide/access.ts";
import type { Session } from "../../core/session.ts";
import type { World } from "./world.ts";
import type { Happening, LiveSession, SessionHandle } from "../ports/handle.ts";

export interface Wiring {
  readonly world: World;
  readonly send: SessionHandle["send"];
  readonly publish: (happening: Happening) => void;
  readonly subscribe: LiveSession["subscribe"];
  readonly current: () => Session;
}

export function liveOf({ current, subscribe, publish }: Omit<Wiring, "world" | "send">, { id }: Call): LiveSession {
  return { callId: id, current, subscribe, publish };
}
