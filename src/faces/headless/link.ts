/** What the headless face is given by those around it, and needs of an opened session. */
import type { Readable, Writable } from "node:stream";
import type { PublicEvent } from "../../agent/ports/event-shapes.ts";
import type { Happening, SessionHandle } from "../../agent/ports/handle.ts";
import type { Mode } from "../../core/mode.ts";
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
  readonly show: ShowCall;
  /** The cage of its commands, null as long as none needed it. */
  readonly shell: { knownRung(): Rung | null };
  /** Resolves when what was changed until now is known. */
  readonly undo: { idle(): Promise<void> };
  readonly agents: { cancel(id: string): boolean };
  /** The hooks in force, in words. */
  hooks(): string;
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

export interface HeadlessOptions {
  readonly streams: HeadlessStreams;
  readonly output: "text" | "json" | "stream-json";
  /** Another program speaks and answers by lines on stdin. */
  readonly isDriven: boolean;
  /** The name of the channel that it drives by. */
  readonly channel: string | null;
  /** Somebody may be looking: rounds of work are told. */
  readonly tellsProgress: boolean;
  /** Requests to the model, of this run. */
  readonly maxTurns: number | null;
  readonly said: SaidAtStart;
  /** The name of the teammate that it is. */
  readonly teammate: string | null;
  /** The program as the person started it. */
  readonly program: string;
  /** One line for the person. */
  readonly complain: (line: string) => void;
  readonly eventsOf: (happening: Happening) => readonly PublicEvent[];
}

export interface SaidAtStart {
  readonly prompt: string | null;
  /** The hash of the plan that is approved, and the mode that the work then goes on in. */
  readonly approve: string | null;
  readonly mode: Mode | null;
}
