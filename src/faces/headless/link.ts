/** What the headless face needs of an opened session, and of those around it. */
import type { Readable, Writable } from "node:stream";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import type { Rung } from "../../agent/host/cage/types.ts";
import type { ShowCall } from "../../agent/tools/show.ts";

export interface HeadlessLink {
  /** The session that the work goes on in: another one after a plan was approved with fresh context. */
  readonly handle: SessionHandle;
  readonly model: { readonly name: string };
  /** As a person writes it. */
  readonly modelName: string;
  /** The name of the one that answers side questions. */
  readonly sideModel: string | null;
  /** How its calls are shown. */
  readonly show: ShowCall;
  /** The cage of its commands, null as long as none needed it. */
  readonly shell: { knownRung(): Rung | null };
  /** Stops single agents. */
  readonly agents: { cancel(id: string): boolean };
  /** Waits no longer for a team's lead. */
  stopWaiting(): void;
  /** Tells how the run ended to whoever waits for it. */
  close(how?: "done" | "failed" | "stopped"): Promise<void>;
}

export interface HeadlessStreams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}
