/** The host: the world around a session, which the agents that it starts share; and what a tool sees of it. */
import type { Access, Call } from "../../core/decide/access.ts";
import type { Event } from "../../core/event.ts";
import type { HooksAnswer } from "../../core/hooks.ts";
import type { PlanOrigin } from "../../core/plan/ledger.ts";
import type { QuestionAnswer } from "../../core/questions.ts";
import type { Todo } from "../../core/reminders/reminder.ts";
import type { Session } from "../../core/session.ts";
import type { HookName } from "../../core/settings/hook-names.ts";
import type { TokenUsage } from "../../core/usage.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { PlanStyle } from "../../prompts/render/reminder.ts";
import type { LiveSession } from "./handle.ts";
import type { Clock, Files, PermissionAsk, Person, ReadRecords, Search, Shell, Web } from "./ports.ts";
import type { RefusedFiles } from "./refused.ts";

export interface Host {
  readonly files: Files;
  readonly search: Search;
  readonly shell: Shell;
  readonly web: Web;
  readonly clock: Clock;
  readonly person: Person;
  readonly prompts: Prompts;
  readonly directory: string;
  /** Canonical, as is the folder of the plans. */
  readonly roots: readonly [project: string, ...added: string[]];
  readonly plansDirectory: string;
  readonly planNames: "words" | "task";
  readonly style: PlanStyle;
  readonly origin: () => Promise<PlanOrigin>;
  readonly report: (problem: string) => void;
  /** Whether this file in the folder of the plans is one that a session settled, or another one's than this session's (B5.1). */
  readonly isKeptPlan?: (file: string, session: string) => Promise<boolean>;
  /** Answers in auto mode; without it nothing is sure. */
  readonly classify?: (ask: PermissionAsk, session: Session, signal: AbortSignal) => Promise<Classified>;
  /** What a file's text is in the person's editor; null where it is not open there, or the editor does not tell. */
  readonly openText?: (path: string, signal: AbortSignal) => Promise<string | null>;
  readonly saveRule?: (rule: string) => Promise<void>;
  /** Settings that changed outside have reached the session when it resolves; asked before whatever leads to a decision (B14.4). */
  readonly refresh?: () => Promise<void>;
  /** Frees an event of models' keys before anything hears of it (B1.12). */
  readonly withoutKeys?: (event: Event) => Event;
  /** Watches over whatever changes files, for going back (B15). */
  readonly works?: WorkWatch;
  /** Where todos are kept beside the log (R13.1). */
  readonly todos?: TodoStore;
  /** The person's own commands (B14.1). */
  readonly hooks?: Hooks;
  /** Of an agent's host: which one it is, and the session that it works in. */
  readonly agent?: HookAgent;
}

export interface Hooks {
  /** All that match, side by side; never rejects. */
  run(asked: HookAsked): Promise<HooksAnswer & { readonly input?: Readonly<Record<string, unknown>> }>;
  /** For what nobody waits for: what they say is reported. */
  tell(asked: HookAsked): void;
  /** The session is over: resolves when everything that still runs has ended. */
  end(session: Session): Promise<void>;
}

export interface HookAgent {
  readonly id: string;
  readonly type: string;
  readonly session: string;
}

export interface HookAsked {
  readonly event: HookName;
  /** What a matcher is compared with; null where there is nothing to compare. */
  readonly subject: string | null;
  /** The event's own fields, as they are published. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly session: Session;
  readonly agent?: HookAgent;
  readonly signal?: AbortSignal;
}

export interface WorkWatch {
  /** Runs it when the picture before it is taken, and takes the one after it beside whatever comes next. */
  around<Result>(call: Call, planFile: string | null, run: () => Promise<Result>): Promise<Result>;
}

export interface Classified {
  readonly answer: "allow" | "deny" | "unsure";
  readonly reason: string;
  /** What a side model used for it. */
  readonly usage?: TokenUsage;
}

export interface TodoStore {
  /** Rejects when it cannot be written. */
  save(session: Session): Promise<void>;
  /** Null when there is no file; a bad one is reported and gives an empty list. */
  load(session: Session): Promise<readonly Todo[] | null>;
}

/** What a tool sees while it says what it would touch: it looks, and changes nothing. */
export interface LookContext extends Pick<Host, "files" | "shell" | "web" | "directory" | "roots"> {
  readonly planFile: string | null;
  /** Whether it is a plan that this session may not write any more, or never might. */
  readonly isKept: (path: string) => Promise<boolean>;
  /** What deny rules on reading refuse. */
  readonly refused: RefusedFiles;
}

/** What a tool sees while it runs, after `decide` allowed exactly `access`. */
export interface RunContext extends LookContext, Pick<Host, "search" | "person" | "prompts" | "openText"> {
  readonly access: Access;
  readonly signal: AbortSignal;
  readonly planning: boolean;
  /** A classifier let it through, no person and no rule of theirs. */
  readonly unasked: boolean;
  /** Globs (absolute) of files that deny rules on reading hide from searches. */
  readonly hidden: readonly string[];
  /** What the session has read: for edits of files that changed since. */
  readonly reads: ReadRecords;
  /** What the person answered to the questions that the call claimed to ask. */
  readonly answer?: QuestionAnswer;
  /** The session that runs it. */
  readonly live: LiveSession;
  readonly writeTodos: (todos: readonly Todo[]) => Promise<void>;
}
