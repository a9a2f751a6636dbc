/** The ports of the agent: what it needs of the world outside, each with drivers of its own. */
import type { Writable } from "node:stream";
import type { Access, Call, Subject } from "../../core/decide/access.ts";
import type { Question } from "../../core/decide/decision.ts";
import type { RuleOffers } from "../../core/decide/offers.ts";
import type { AnsweredQuestion } from "../../core/outcome.ts";
import type { OpenQuestions, QuestionAnswer } from "../../core/questions.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Answerer, Verdict } from "../../core/verdict.ts";
import type { UsageTotal } from "../../core/usage.ts";
import type { ShellVerdict } from "../../shell/index.ts";
import type { SendRefused } from "./handle.ts";
import type { ImagePart, TextPart, ToolCallPart } from "./model.ts";
import type { RefusedFiles } from "./refused.ts";

/** Files. Paths are absolute; every path that is judged has been through `canonical` first. */
export interface Files {
  /** Symlinks, `..`, `~` and case resolved, also for a path whose end does not exist yet. Never throws for a missing file. */
  canonical(path: string, directory: string): Promise<string>;
  stat(path: string): Promise<FileStat | null>;
  /** At most `limit` bytes from `offset`; opened without following a link at its end. */
  readBytes(path: string, range?: { readonly offset?: number; readonly limit?: number }): Promise<Uint8Array>;
  /** Atomic: temporary file in the same folder, fsync, rename. Refuses symlinks at any part of the judged path. Makes folders. */
  writeText(path: string, text: string, options?: WriteOptions): Promise<void>;
  /** Creates the file exclusively; false when it exists already. `release` takes it away again while it is empty. */
  claim(path: string): Promise<boolean>;
  release?(path: string): void;
  /** Names in a folder, sorted; none where there is no such folder. */
  list?(path: string): Promise<readonly string[]>;
  /** What deny rules on reading refuse, by absolute globs; second names of it are looked for below `roots`. */
  refused?(globs: readonly string[], roots: readonly string[]): RefusedFiles;
}

export interface FileStat {
  readonly kind: "file" | "directory" | "symlink" | "other";
  readonly size: number;
  readonly mtimeMs: number;
  readonly links: number;
}

export interface WriteOptions {
  /** 0o600 for our own files; kept from the old file otherwise. */
  readonly mode?: number;
  /** Refuse (`changed`) when the file no longer has this content hash; null: must not exist. */
  readonly expectedHash?: string | null;
  /** Refuse a file that has a second name elsewhere (plan files, R3.6). */
  readonly refuseHardLinks?: boolean;
}

export interface Search {
  glob(query: GlobQuery, signal: AbortSignal): Promise<GlobResult>;
  grep(query: GrepQuery, signal: AbortSignal): Promise<GrepResult>;
}

export interface GlobQuery {
  readonly pattern: string;
  readonly root: string;
  readonly limit: number;
  /** Globs (absolute) of files that a deny rule hides. */
  readonly hidden: readonly string[];
  /** What is hidden beside these: by where it lies, or as a second name. */
  readonly isHidden?: (path: string) => boolean;
}

export interface GlobResult {
  /** Newest first. */
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

export interface GrepQuery extends GlobQuery {
  readonly glob?: string;
  readonly type?: string;
  readonly mode: "files_with_matches" | "content" | "count";
  readonly ignoreCase?: boolean;
  readonly lineNumbers?: boolean;
  readonly before?: number;
  readonly after?: number;
  readonly multiline?: boolean;
  /** Paths inside this folder are written relative to it; absolute otherwise. */
  readonly base?: string;
}

/** `problem`: the pattern or type was refused by the search program, in its words. */
export type GrepResult =
  | { readonly lines: readonly string[]; readonly truncated: boolean; readonly problem: null }
  | { readonly problem: string };

/** The guarded shell: `judge` looks, `run` runs what was judged. The façade never decides. */
export interface Shell {
  judge(command: string, directory: string): Promise<JudgedCommand>;
  run(command: JudgedCommand, options: RunCommandOptions): Promise<CommandResult>;
}

/** What the guard says of it, and where; a scripted one may leave out what is seldom asked for. */
export interface JudgedCommand extends Omit<ShellVerdict, Seldom | "query">, Partial<Pick<ShellVerdict, Seldom>> {
  readonly command: string;
  readonly directory: string;
  readonly sandboxed: boolean;
}

type Seldom = "commands" | "opaque" | "starts" | "gitDirectories" | "proved" | "redirected" | "loose" | "places";

export interface RunCommandOptions {
  /** Real paths that cannot be read in the cage. */
  readonly hide: readonly string[];
  /** Nobody was asked: in the cage where there is one, in the cleaned environment everywhere (B1.10). */
  readonly confined: boolean;
  readonly planning: boolean;
  /** No person allowed it, also where it may write: it has none of their tokens (B1.12). */
  readonly unasked: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Where the output goes as it comes; none of it is in the result then. */
  readonly outlet?: { readonly stdout: Writable; readonly stderr: Writable } | undefined;
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** The name of the cage that refused a change. */
  readonly refused: string | null;
  /** What it wrote to a copy of the work tree that is gone; absent where it had none. */
  readonly discarded?: Discarded;
}

export interface Discarded {
  /** Relative to the tree, written or removed. */
  readonly files: readonly string[];
  readonly more: number;
}

/** Through which pages are fetched. */
export interface Web {
  /** Addresses inside of this machine and its networks that it would be fetched from; none for the public net. Never rejects. */
  inward(url: string): Promise<readonly string[]>;
  /** GET, bounded in size and time; text out of HTML. Redirects to another host are reported, not followed. */
  fetchText(url: string, options: FetchOptions): Promise<WebResult>;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** What was judged and let through: to no other address inside is ever connected, whatever the name leads to by then. */
  readonly inward: readonly string[];
}

export type WebResult =
  | { readonly kind: "page"; readonly url: string; readonly text: string; readonly truncated: boolean }
  | { readonly kind: "redirect"; readonly url: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Time and chance; they enter the core only inside events. */
export interface Clock {
  readonly now: () => number;
  readonly random: () => number;
}

/**
 * A person, behind whichever surface, asked until the signal aborts. An answer is given back, or sent: then it is known at once whether it
 * counts, and if not, why and whose did. A surface that sends waits for the signal.
 */
export interface Person {
  review(request: ReviewRequest, signal: AbortSignal, send?: Send<ReviewAnswer>): Promise<ReviewAnswer>;
  permit(ask: PermissionAsk, signal: AbortSignal, send?: Send<PermissionAnswer>): Promise<PermissionAnswer>;
  answer(asked: OpenQuestions, signal: AbortSignal, send?: Send<QuestionReply>): Promise<QuestionReply>;
  /** A review is open, but asked only where no answer to it was kept: one who may answer before that can send from now on. */
  expect?(requestId: string, send: Send<ReviewAnswer>): void;
}

/** To null when it counts and is on disk. */
export type Send<Answer> = (answer: NonNullable<Answer>) => Promise<SendRefused | null>;

/** `null`: nobody can answer here; the plan is the run's result (R7.11). */
export type ReviewAnswer = { readonly verdict: Verdict; readonly by: Answerer } | null;

export interface PermissionAsk {
  readonly id: string;
  readonly call: Call;
  readonly question: Question;
  /** What a yes may be remembered for; nothing where absent. */
  readonly offers?: RuleOffers;
  /** Whose call it is, when not the main agent's. */
  readonly agent?: string;
  /** Resolves when nothing speaks against the call: before, nobody needs to be bothered. It is taken back where something does. */
  readonly ready?: Promise<void>;
}

/** `null`: nobody could be asked. */
export type PermissionAnswer = {
  readonly allowed: boolean;
  readonly by: Answerer;
  /** With a no: what to do instead. */
  readonly reason?: string;
  /** Rules to keep in the person's settings, and such as end with the session. */
  readonly remember?: readonly string[];
  readonly forSession?: readonly string[];
  /** With a no: the turn ends. */
  readonly stop?: true;
} | null;

/** `null`: the questions could not be shown. */
export type QuestionReply = {
  readonly answer: QuestionAnswer;
  readonly by: Answerer;
  /** They were closed, and the turn ends. */
  readonly stop?: true;
} | null;

export interface ReadRecords {
  get(path: string): ReadRecord | undefined;
  set(path: string, record: ReadRecord): void;
}

export interface ReadRecord {
  readonly hash: string;
  readonly mtimeMs: number;
  /** What was seen, where it is small enough to keep. */
  readonly text?: string;
  /** A later content of which the model knows only that it is another one. */
  readonly told?: string;
}

/** A file that a call has read or written, as the log keeps it. */
export interface SeenFile {
  readonly path: string;
  readonly hash: string;
  readonly mtimeMs: number;
}

export type RawCall = Pick<ToolCallPart, "id" | "tool" | "input" | "invalidInput">;

export interface Claim {
  readonly access: Access;
  readonly subjects: readonly Subject[];
}

export interface ToolOutput {
  readonly content: readonly (TextPart | ImagePart)[];
  readonly isError?: boolean;
  /** Paths that were changed, canonical. */
  readonly changed?: readonly string[];
  /** What an agent used that it started. */
  readonly usage?: UsageTotal;
  /** What the person answered, for a session that is linked to this one. */
  readonly answers?: readonly AnsweredQuestion[];
  /** What they added to their answers. */
  readonly notes?: string;
  /** Of a search: how many lines of the text are finds, and whether there may be more. */
  readonly found?: { readonly count: number; readonly isCut: boolean };
  /** Tools that were asked for: from now on they are described. */
  readonly loaded?: readonly string[];
  /** What the session has seen by it; noted by the bench. */
  readonly seen?: readonly SeenFile[];
}
