/** Everything that can happen to a session; the log holds exactly these. */
import type { Call } from "./decide/access.ts";
import type { HooksAnswer } from "./hooks.ts";
import type { QuestionAnswer } from "./questions.ts";
import type { Evidence, PlanOrigin, PlanRecord } from "./plan/ledger.ts";
import type { Mode, WorkingMode } from "./mode.ts";
import type { Answerer, Comment, Verdict } from "./verdict.ts";
import type { Roots } from "./decide/rules.ts";
import type { Todo } from "./reminders/reminder.ts";
import type { PlanSettings } from "./session.ts";
import type { LeftOut, RewindExtent } from "./undo.ts";
import type { Actor } from "./decide/situation.ts";
import type { ReplyContent } from "./transcript.ts";
import type { TokenUsage, UsageTotal } from "./usage.ts";

export interface RuleLists {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** Allow rules that a person gave for the session alone (B18.2): told to agents, whose session is the same one. */
  readonly session?: readonly string[];
}

/** What this start and the settings of today say; a log is never asked for it (B1.15). */
export interface Today {
  readonly actor: Actor;
  readonly roots: Roots;
  readonly rules: RuleLists;
  readonly runners: readonly string[];
  readonly settings: PlanSettings;
  readonly autoOptedIn: boolean;
  readonly reviewable: boolean;
  readonly bypass: "off" | "available" | "on";
  /** Set where the log was changed by somebody else, or is not this session's: plan mode at most, and nothing goes on by itself. */
  readonly doubt?: {
    readonly why: string;
    /** The session's, by the name of its log. */
    readonly id: string;
    /** Only a plan file in here stays the session's. */
    readonly plansDirectory: string;
  };
}

export interface SessionStarted {
  readonly type: "session-started";
  readonly id: string;
  readonly at: number;
  readonly actor: Actor;
  readonly roots: Roots;
  readonly opening?: string;
  readonly mode: Mode;
  /** The other agent whose plans this session is the review of, as it is called. */
  readonly source?: string;
  /** Where plan mode returns to when the session starts in it. */
  readonly returnTo?: WorkingMode;
  readonly bypassAvailable: boolean;
  readonly reviewable: boolean;
  readonly rules: RuleLists;
  readonly runners: readonly string[];
  readonly settings: PlanSettings;
  readonly auto: { readonly optedIn: boolean; readonly gateOpen: boolean };
  /** A subagent's own plan file, named by its parent's slug. */
  readonly plan?: { readonly slug: string; readonly file: string };
  /** Carries out a plan that was approved in another session (B6.4). */
  readonly linked?: {
    readonly from: string;
    readonly file: string;
    readonly text: string;
    /** What was read there and has not changed since. */
    readonly seen: readonly { readonly path: string; readonly hash: string; readonly mtimeMs: number }[];
    /** Its history so far. */
    readonly record?: PlanRecord;
  };
  /** The plan that the parent of this agent carries out. */
  readonly approved?: { readonly file: string; readonly text: string };
  /** Goes on with a plan that was begun by a session elsewhere, in a file of its own (R14.4). */
  readonly taken?: {
    readonly slug: string;
    readonly file: string;
    readonly text: string;
    /** Its history there. */
    readonly record: PlanRecord;
    readonly comments: readonly Comment[];
  };
}

export type Event =
  | SessionStarted
  | { readonly type: "user-said"; readonly text: string }
  | { readonly type: "mode-chosen"; readonly mode: Mode }
  | { readonly type: "mode-cycled" }
  /** `/plan off`: back to the mode kept at entry, without an approval. */
  | { readonly type: "plan-left" }
  | {
      readonly type: "model-replied";
      readonly request: number;
      readonly content: readonly ReplyContent[];
      readonly calls: readonly Call[];
      readonly usage?: TokenUsage;
    }
  | {
      readonly type: "model-failed";
      readonly request: number;
      readonly error: string;
      /** The conversation did not fit: it is compacted once, and the request made again. */
      readonly contextFull?: boolean;
    }
  | {
      readonly type: "permission-answered";
      readonly questionId: string;
      readonly allowed: boolean;
      readonly by: Answerer | null;
      /** With a no: what to do instead, in the person's words. */
      readonly reason?: string;
      /** "Always allow": rules to add (R17.2); in logs from before, one. */
      readonly remember?: string | readonly string[];
      /** "For this session": rules that hold until it ends (B18.2). */
      readonly forSession?: readonly string[];
      /** No, and the turn ends with it (B18.1). */
      readonly stop?: true;
    }
  /** A person allowed it for the session in a question of one of its agents. */
  | { readonly type: "session-allowed"; readonly rules: readonly string[]; readonly by: Answerer }
  /** To questions of the model's. `by` is null where they could not be shown to anybody. `stop`: closed, and the turn with them. */
  | {
      readonly type: "question-answered";
      readonly questionId: string;
      readonly answer: QuestionAnswer;
      readonly by: Answerer | null;
      readonly stop?: true;
    }
  /** To `run-hooks` by its id, or to a question that is open by the question's. */
  | {
      readonly type: "hooks-answered";
      readonly id: string;
      readonly answer: HooksAnswer;
      /** The call with the input that a hook put in place of its own, looked at anew. */
      readonly call?: Call;
    }
  | {
      readonly type: "classifier-answered";
      readonly questionId: string;
      readonly answer: "allow" | "deny" | "unsure";
      readonly reason: string;
      /** What a side model used for it. */
      readonly usage?: TokenUsage;
    }
  | {
      readonly type: "tool-finished";
      readonly callId: string;
      readonly output: unknown;
      readonly isError: boolean;
      /** What an agent used that the call started. */
      readonly usage?: UsageTotal;
    }
  | { readonly type: "plan-claimed"; readonly slug: string; readonly file: string; readonly origin: PlanOrigin }
  | { readonly type: "plan-claim-failed"; readonly error: string }
  /** A snapshot of the plan file after a write (R14.4). */
  | { readonly type: "plan-saved"; readonly text: string; readonly by: "model" | "person"; readonly at: number }
  /** Comments on the current plan while it is not under review: they stay open in its next revision (B3.2). */
  | {
      readonly type: "plan-commented";
      readonly file: string;
      readonly comments: readonly Comment[];
      readonly resolved: readonly string[];
    }
  | {
      readonly type: "plan-read";
      readonly callId: string;
      readonly text: string | null;
      readonly at: number;
      readonly evidence?: Evidence;
      /** What changed in the work tree since plan mode began, the plan aside. */
      readonly changed?: readonly string[];
    }
  | { readonly type: "plan-written"; readonly callId: string; readonly error?: string }
  | {
      readonly type: "review-decided";
      readonly requestId: string;
      readonly verdict: Verdict;
      readonly by: Answerer;
      readonly at: number;
    }
  | {
      readonly type: "lead-answered";
      readonly requestId: string;
      readonly verdict: Verdict;
      readonly by: Answerer;
      readonly at: number;
    }
  | { readonly type: "auto-gate-changed"; readonly open: boolean }
  | { readonly type: "settings-changed"; readonly settings: PlanSettings; readonly autoOptedIn: boolean }
  | { readonly type: "rules-changed"; readonly rules: RuleLists }
  | { readonly type: "parent-mode-changed"; readonly mode: Mode }
  /** The checks of an approved plan were run, on exactly this text (B6.3). */
  | {
      readonly type: "plan-verified";
      readonly plan: string;
      readonly hash: string;
      readonly passed: boolean;
      /** What speaks against it, where something does. */
      readonly found?: readonly string[];
      readonly at: number;
    }
  | { readonly type: "todos-written"; readonly todos: readonly Todo[] }
  | { readonly type: "work-tree-compared"; readonly changed: readonly string[] }
  /** Files that the model has seen were changed by somebody else, or by its own command (B3.5); `difference` is null where it is too long to tell. */
  | {
      readonly type: "files-edited";
      readonly edits: readonly {
        readonly path: string;
        readonly hash: string;
        readonly mtimeMs: number;
        readonly difference: string | null;
        readonly own?: true;
      }[];
    }
  | { readonly type: "turn-cancelled" }
  | { readonly type: "context-cleared" }
  | { readonly type: "compaction-requested"; readonly why: "asked" | "near"; readonly focus?: string }
  | {
      readonly type: "context-compacted";
      readonly summary: string;
      /** What the plan file holds. */
      readonly plan: string | null;
      readonly usage?: TokenUsage;
    }
  | { readonly type: "compaction-failed"; readonly error: string }
  /** Something that may change files begins: `from` is the work tree as it was right before, by its name in the session's points (B15). */
  | { readonly type: "work-begun"; readonly from: string; readonly left?: LeftOut }
  /** It ended, and left the work tree as `to`; `changed`: what differs since, from the project's root; `missed`: paths that it wrote and that no point holds. */
  | {
      readonly type: "work-ended";
      readonly to: string;
      readonly changed?: readonly string[];
      readonly missed?: readonly string[];
    }
  /** A person went back to a point: an approval, a prompt, files are as they were there (B15.3). */
  | {
      readonly type: "session-rewound";
      /** Its own point: where redo leads. */
      readonly id: string;
      readonly to: string;
      readonly what: RewindExtent;
      readonly how: "undo" | "redo";
      /** The work tree before and after; null where files were not part of it. */
      readonly from: string | null;
      readonly after: string | null;
      /** Files that are as at the point again, and those that were left as they are, since somebody else changed them. */
      readonly restored: readonly string[];
      readonly kept: readonly string[];
      readonly at: number;
    }
  | { readonly type: "session-forked"; readonly id: string; readonly slug: string | null; readonly file: string | null }
  /** The plan is carried out in this other session. */
  | { readonly type: "session-linked"; readonly id: string }
  | {
      readonly type: "session-resumed";
      readonly plan: string | null;
      /** Files that the plan names and that changed since it was submitted (B5.5). */
      readonly stale?: readonly string[];
      readonly today?: Today;
    };

export type EventType = Event["type"];
