/** The session as a value: everything that plan mode knows. */
import type { Call } from "./decide/access.ts";
import type { Chain } from "./chain.ts";
import type { Question } from "./decide/decision.ts";
import { noHooks, type HookState } from "./hooks.ts";
import type { Evidence, PlanRecord } from "./plan/ledger.ts";
import type { OpenQuestions, QuestionAnswer } from "./questions.ts";
import type { Mode, Permissions, WorkingMode } from "./mode.ts";
import type { Roots } from "./decide/rules.ts";
import type { Actor } from "./decide/situation.ts";
import type { ReviewRequest } from "./plan/review.ts";
import type { Answerer, ApprovalVerdict, Comment, RevisionVerdict } from "./verdict.ts";
import type { Todo } from "./reminders/reminder.ts";
import type { HookName } from "./settings/hook-names.ts";
import type { Entry } from "./transcript.ts";
import { noUndo, type UndoState } from "./undo.ts";
import { noUsage, type UsageTotal } from "./usage.ts";

export interface Session {
  /** Empty until `session-started`. */
  readonly id: string;
  readonly actor: Actor;
  readonly roots: Roots;
  /** The other agent whose plans are reviewed here. */
  readonly source?: string;
  /** What the first message begins with: surroundings and project memory, the same in every request. */
  readonly opening: string;
  readonly reviewable: boolean;
  readonly settings: PlanSettings;
  readonly permissions: Permissions;
  readonly auto: AutoState;
  readonly plan: PlanState;
  readonly plans: readonly PlanRecord[];
  readonly todos: readonly Todo[];
  /** Files that the plan being carried out does not name and that were edited all the same: each is told once (B6.2). */
  readonly outsidePlan: readonly string[];
  /** Those of them that were edited, whoever was asked. */
  readonly outsideEdits: readonly string[];
  readonly usage: { readonly total: UsageTotal; readonly planning: UsageTotal };
  /** Files that changed in the work tree between the last entry and exit, the plan aside (B1.6). */
  readonly workTreeChanges: readonly string[];
  readonly transcript: Chain<Entry>;
  readonly turn: TurnState;
  readonly hooks: HookState;
  readonly notices: NoticeState;
  readonly counters: Counters;
  readonly links: Links;
  /** The last questions and reviews that were closed, and by whom; null where they were taken back. */
  readonly answered: readonly { readonly id: string; readonly by: Answerer | null }[];
  /** The points of the conversation as it is now, by their ids: what was rewound is not among them. */
  readonly line: readonly string[];
  /** Every point, and what was done since: this only grows, also by going back. */
  readonly undo: UndoState<SessionThen>;
}

/** The session as it was at a point. */
export type SessionThen = Omit<Session, "undo">;

/** Sessions that belong together by a plan with fresh context (B6.4). */
export interface Links {
  readonly from: string | null;
  readonly to: string | null;
  /** To be started still. */
  readonly due: LinkedStart | null;
}

export interface LinkedStart {
  readonly planFile: string;
  readonly plan: string;
  readonly mode: WorkingMode;
  readonly notes: string | null;
  readonly comments?: readonly Comment[];
}

/** The settings that the core itself depends on. */
export interface PlanSettings {
  readonly planNetwork: "ask" | "readers" | "off";
  readonly modelMayEnterPlan: "never" | "ask" | "allow";
  readonly useAutoModeDuringPlan: boolean;
  readonly cycleModes: readonly Mode[] | null;
  /** The template's text; its headings are required. */
  readonly planTemplate: string | null;
  readonly maxPlanningTokens: number | null;
  /** What becomes of an edit outside of the files that the approved plan names (B6.2). */
  readonly planScope: "off" | "warn" | "ask";
  /** The moments for which there are hooks. */
  readonly hooks?: readonly HookName[];
}

export interface AutoState {
  readonly optedIn: boolean;
  readonly gateOpen: boolean;
  readonly denialsInRow: number;
  readonly denials: number;
}

export interface PlanState {
  /** `pending`: a file name is being claimed; `failed`: none can be had, nothing may be written. */
  readonly claim: "none" | "pending" | "held" | "failed";
  readonly slug: string | null;
  readonly file: string | null;
  readonly text: string | null;
  /** What the person saw last of this plan. */
  readonly seen: string | null;
  readonly rejected: Rejection | null;
  readonly comments: readonly Comment[];
  /** The text whose lines these comments name. */
  readonly commented: string | null;
  /** Whether it was sent back for missing headings already. */
  readonly sentBack: boolean;
  /** The plan approved or saved before this one. */
  readonly previous: string | null;
  /** The plan that is being carried out. */
  readonly approved: { readonly file: string; readonly text: string; readonly hash: string } | null;
  /** Sent to the team's lead, not yet answered. */
  readonly awaiting: ReviewRequest | null;
  /** The lead's answer to it, while its edit is being written. */
  readonly answering: GivenVerdict | null;
}

export interface Rejection {
  readonly hash: string;
  readonly feedback: string;
  /** How often the same text came again. */
  readonly times: number;
}

export interface TurnState {
  /** The number of the model request under way. */
  readonly thinking: number | null;
  readonly requests: number;
  /** The model should speak as soon as nothing is in its way. */
  readonly due: boolean;
  readonly open: readonly OpenCall[];
  readonly queued: readonly string[];
  /** The person, not the model, has the floor when the open calls are done. */
  readonly ended: boolean;
  /** A summary is to take the place of the conversation: the model does not speak before it has. */
  readonly compaction: Compaction | null;
}

export interface Compaction {
  readonly state: "due" | "running";
  /** A person asked for it, the limit is near, or a request did not fit any more. */
  readonly why: "asked" | "near" | "full";
  readonly focus: string | null;
}

export interface OpenCall {
  readonly call: Call;
  readonly state: CallState;
}

export type CallState =
  | { readonly kind: "waiting" }
  /** Hooks are asked about it. */
  | { readonly kind: "hooking" }
  | { readonly kind: "asking"; readonly questionId: string; readonly question: Question }
  | { readonly kind: "classifying"; readonly questionId: string; readonly question: Question }
  | { readonly kind: "questioning"; readonly asked: OpenQuestions }
  | { readonly kind: "running"; readonly answer?: QuestionAnswer }
  /** It ran; hooks hear of it before the model does. */
  | { readonly kind: "finishing"; readonly output: unknown }
  | { readonly kind: "reading-plan"; readonly next: "review" | "submit" }
  /** Hooks are asked about the plan that was read. */
  | { readonly kind: "submitting"; readonly next: "review" | "submit"; readonly read: ReadPlan }
  | { readonly kind: "reviewing"; readonly request: ReviewRequest }
  /** It counts if the file still holds what was shown. */
  | { readonly kind: "confirming"; readonly request: ReviewRequest; readonly given: GivenVerdict }
  | { readonly kind: "writing-plan"; readonly request: ReviewRequest; readonly given: GivenVerdict };

/** The plan file as it was when it was handed in. */
export interface ReadPlan {
  readonly callId: string;
  readonly text: string;
  readonly at: number;
  readonly evidence?: Evidence;
  readonly changed?: readonly string[];
}

/** An approval, or an edit that is sent back. */
export interface GivenVerdict {
  readonly verdict: ApprovalVerdict | RevisionVerdict;
  readonly by: Answerer;
  readonly at: number;
}

/** What the model has been told, and what it must still hear. */
export interface NoticeState {
  /** The mode in the last notice that the model got. */
  readonly told: "plan" | "work" | null;
  /** Plan reminders since the last entry, resume or compaction. */
  readonly reminders: number;
  readonly turnsSinceReminder: number;
  /** Plan mode was left at least once since the last re-entry notice. */
  readonly hasExited: boolean;
  readonly left: {
    readonly file: string | null;
    readonly exists: boolean;
    readonly approved: boolean;
    readonly own?: true;
  } | null;
  readonly autoExitDue: boolean;
  /** After compaction: the plan's text to give again. */
  readonly referenceDue: { readonly file: string; readonly text: string } | null;
  readonly todosDue: boolean;
  readonly budget: "within" | "due" | "told";
  /** Edits outside of the plan that nobody was asked about: how many the model has heard of, and which not yet. */
  readonly outside: { readonly told: number; readonly untold: readonly string[] };
}

export interface Counters {
  readonly questions: number;
  readonly reviews: number;
  readonly plans: number;
  /** R7.3: ExitPlanMode outside of plan mode. */
  readonly exitsOutsidePlan: number;
}

export const emptyPlan: PlanState = {
  claim: "none",
  slug: null,
  file: null,
  text: null,
  seen: null,
  rejected: null,
  comments: [],
  commented: null,
  sentBack: false,
  previous: null,
  approved: null,
  awaiting: null,
  answering: null,
};

/** The model thinks, calls are open, or a summary is being made. */
export function isBusy({ thinking, open, compaction }: TurnState): boolean {
  return thinking !== null || open.length > 0 || compaction?.state === "running";
}

/** Of what was answered, as many are known by whom. */
export const mostAnswered = 50;

/** The state before the first event. */
export function freshSession(): Session {
  return {
    id: "",
    actor: { kind: "main" },
    roots: { project: "/", home: "/" },
    opening: "",
    reviewable: true,
    settings: {
      planNetwork: "readers",
      modelMayEnterPlan: "ask",
      useAutoModeDuringPlan: false,
      cycleModes: null,
      planTemplate: null,
      maxPlanningTokens: null,
      planScope: "warn",
    },
    permissions: {
      mode: { current: "default" },
      revision: 0,
      autoActive: false,
      bypassAvailable: false,
      rules: { allow: [], ask: [], deny: [], stripped: false, runners: [] },
    },
    auto: { optedIn: false, gateOpen: false, denialsInRow: 0, denials: 0 },
    plan: emptyPlan,
    plans: [],
    todos: [],
    outsidePlan: [],
    outsideEdits: [],
    usage: { total: noUsage, planning: noUsage },
    workTreeChanges: [],
    transcript: { length: 0, shared: [] },
    turn: { thinking: null, requests: 0, due: false, open: [], queued: [], ended: false, compaction: null },
    hooks: noHooks,
    notices: {
      told: null,
      reminders: 0,
      turnsSinceReminder: 0,
      hasExited: false,
      left: null,
      autoExitDue: false,
      referenceDue: null,
      todosDue: false,
      budget: "within",
      outside: { told: 0, untold: [] },
    },
    counters: { questions: 0, reviews: 0, plans: 0, exitsOutsidePlan: 0 },
    links: { from: null, to: null, due: null },
    answered: [],
    line: [],
    undo: noUndo,
  };
}
