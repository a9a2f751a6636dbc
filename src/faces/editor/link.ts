/** What the editor face is given by the program around it, and needs of an opened session. */
import type { CommandedSession } from "../../agent/loop/line-command.ts";
import type { PublicEvent } from "../../agent/ports/event-shapes.ts";
import type { Happening } from "../../agent/ports/handle.ts";
import type { Host } from "../../agent/ports/host.ts";
import type { Person } from "../../agent/ports/ports.ts";
import type { ShowCall } from "../../agent/tools/show.ts";
import type { RewindResult, RewindWish } from "../../agent/undo/rewind.ts";
import type { Denial } from "../../core/decide/decision.ts";
import type { Actor } from "../../core/decide/situation.ts";
import type { Effort } from "../../core/settings/settings.ts";
import type { UsageTotal } from "../../core/usage.ts";

export interface EditorProgram {
  readonly version: string;
  readonly words: EditorWords;
  readonly user: string;
  /** What a person can do about keys, in a sentence; null where one is there. */
  readonly missingKey: () => string | null;
  /** Tokens that a model can take; undefined where that is not known. */
  readonly contextWindow: (model: string) => number | undefined;
  open(wish: EditorWish): Promise<EditorLink | NotOpened>;
  /** Newest first; of every project where no folder is named. */
  sessions(directory: string | null): Promise<readonly ListedSession[]>;
  /** One line beside the protocol, for whoever reads the editor's log of us. */
  readonly complain: (line: string) => void;
}

/** Words that are not the face's own. */
export interface EditorWords {
  readonly denial: (denial: Denial, facts: { readonly actor: Actor["kind"] }) => string;
  /** A prompt with a text that the editor attached to it. */
  readonly attached: (prompt: string, attached: { readonly name: string; readonly text: string }) => string;
  readonly eventsOf: (happening: Happening) => readonly PublicEvent[];
}

export interface NotOpened {
  readonly problem: string;
  /** There is no such session here. */
  readonly isUnknown?: boolean;
}

/** What an editor wants of a session. */
export interface EditorWish {
  readonly directory: string;
  readonly addedDirectories: readonly string[];
  /** The id of an earlier session. */
  readonly resume: string | null;
  /** Null: as the start and the settings say. */
  readonly model: string | null;
  readonly effort: Effort | null;
  readonly person: Person;
  readonly listen: (happening: Happening) => void;
  readonly tell: (line: string) => void;
  readonly openText?: NonNullable<Host["openText"]>;
}

export interface EditorLink extends CommandedSession {
  readonly directory: string;
  readonly effort: Effort | null;
  readonly models: readonly string[];
  readonly show: ShowCall;
  readonly undo: { rewind(wish: RewindWish): Promise<RewindResult> };
  readonly costOf: (usage: UsageTotal) => number | null;
  /** A link to the review page; null where there can be none, and why is told. */
  reviewLink(): Promise<string | null>;
  /** Checks the work against the plan, gives what was found to the model, and says it. */
  verify(): Promise<string>;
  /** Waits no longer for a team's lead, or for checks. */
  stopWaiting(): void;
  close(): Promise<void>;
}

export interface ListedSession {
  readonly id: string;
  readonly directory: string;
  readonly words: string;
  readonly changedAt: number;
}
