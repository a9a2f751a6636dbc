/** What a face and the program around it need of each other: the session that is shown, what only the program can do, what the person wants. */
import type { Happening, SessionHandle } from "../../agent/ports/handle.ts";
import type { Person } from "../../agent/ports/ports.ts";
import type { ShownRewind } from "../../agent/undo/measure.ts";
import type { PointView } from "../../agent/undo/point-list.ts";
import type { RewindResult, RewindWish } from "../../agent/undo/rewind.ts";
import type { UsageTotal } from "../../core/usage.ts";
import type { TtyStreams } from "./keys/tty.ts";
import type { NotifyFacts } from "./notify.ts";
import type { Option } from "./overlays/choose.ts";
import type { Platform } from "./overlays/surface.ts";
import type { SessionWords } from "./screen/entries.ts";

export interface FaceOptions extends TtyStreams {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: Platform;
  readonly version: string;
  readonly directory: string;
  readonly words: SessionWords;
  readonly user: string;
  /** For the dialogs that show what a file holds now. */
  readonly readText: (path: string) => Promise<string | null>;
}

export interface TerminalFace {
  readonly person: Person;
  tell(text: string): void;
  tip(text: string): void;
  listen(happening: Happening): void;
  attach(link: SessionLink): void;
  submit(text: string): void;
  /** One of these; null when the person wants none. */
  ask(title: string, options: readonly Option[]): Promise<string | null>;
  wish(): Promise<FaceWish>;
  /** As if the person wanted to end, or the terminal were gone. */
  leave(how: "leave" | "gone"): void;
  /** Everything behind the first frame is there. */
  readonly ready: Promise<void>;
  /** Leaves the transcript behind and gives the terminal back. */
  close(): void;
}

export interface SessionLink {
  /** The session that the work goes on in: another one after a plan was approved with fresh context. */
  current(): SessionHandle;
  readonly settings: FaceSettings;
  /** As a person writes it. */
  readonly model: string;
  readonly costOf: (usage: UsageTotal) => number | null;
  /** Null where commands run in the full cage. */
  readonly sandbox: Promise<string | null>;
  readonly sessions: () => Promise<readonly PastSession[]>;
  readonly models: () => Promise<readonly string[]>;
  /** Relative to the working directory. */
  readonly files: () => Promise<readonly string[]>;
  /** What was typed in this project before, oldest first. */
  readonly history: () => Promise<readonly string[]>;
  readonly remember: (text: string) => void;
  /** The hooks in force, in words. */
  readonly hooks: () => string;
  /** Goes back to points of the session. */
  readonly undo?: PointsDesk;
  /** Opens the browser page on the plan and gives its address. */
  readonly openReview?: () => Promise<string>;
  /** Checks the work against the plan, gives what was found to the model, and says it. */
  readonly verify?: () => Promise<string>;
  /** Whether this session was there before. */
  readonly isResumed: boolean;
}

export interface PointsDesk {
  /** Oldest first, with what was changed after each. */
  points(): Promise<readonly PointView[]>;
  /** What going back to this point would do to the files. */
  preview(to: string): Promise<ShownRewind>;
  rewind(wish: RewindWish): Promise<RewindResult>;
}

export interface FaceSettings {
  readonly keybindings: Readonly<Record<string, string | readonly string[] | null>>;
  readonly theme: string;
  readonly editor: string | null;
  readonly notify: NotifyFacts["setting"];
}

export interface PastSession {
  readonly id: string;
  readonly words: string;
  readonly changedAt: number;
  readonly mode: string | null;
}

/** What the face wants of the program: to end, or to go on in another session or with another model. */
export type FaceWish =
  | { readonly kind: "leave" }
  | { readonly kind: "gone" }
  | { readonly kind: "switch"; readonly session: string; readonly model: string | null };
