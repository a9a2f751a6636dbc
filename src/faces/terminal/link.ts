/** What the face needs of the program around it: the session it shows, and what only the program can do. */
import type { SessionHandle } from "../../agent/ports/handle.ts";
import type { UsageTotal } from "../../core/usage.ts";
import type { NotifyFacts } from "./notify.ts";

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
  /** Opens the browser page on the plan and gives its address. */
  readonly openReview?: () => Promise<string>;
  /** Whether this session was there before. */
  readonly isResumed: boolean;
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
