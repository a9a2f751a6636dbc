/** What a row of the table of other agents is: how one client's hook payloads are read, and how it is answered. Pure; no decision is made here. */
import type { RawCall } from "../agent/ports/ports.ts";

export const clientNames = ["claude", "codex", "opencode", "gemini"] as const;

export type ClientName = (typeof clientNames)[number];

/** What a hook was called with, all of it foreign. */
export interface HookInput {
  readonly event: string;
  /** Parsed JSON of standard input. */
  readonly payload: unknown;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads a file that the payload names, bounded; null where it cannot be read. */
  readonly readText: (path: string) => string | null;
  /** The last `bytes` of a file that may be very large, from the beginning of a line on; null where it cannot be read. */
  readonly readTail: (path: string, bytes: number) => string | null;
  /** The names in a folder; none where it cannot be read. */
  readonly listNames: (directory: string) => readonly string[];
  /** The command line of the process that started the hook, and of those above it, nearest first; empty where it cannot be seen. */
  readonly ancestors: () => readonly (readonly string[])[];
}

/** Whether the agent plans now. `unknown` is treated as planning, and the refusal says so. */
export type Planning = "plan" | "work" | "unknown";

/** What happened in the client, in our terms. */
export type Occasion =
  /** A tool is about to run, or the client would ask its person about it, and a "pass" answers that. */
  | (Place & {
      readonly kind: "tool";
      readonly planning: Planning;
      readonly call: ForeignCall;
      /** The one file that the client itself lets the agent write while it plans; null where there is none. */
      readonly planFile: string | null;
    })
  /** The agent presents its plan. `headless`: no person can be asked by the client itself. */
  | (Place & {
      readonly kind: "plan";
      readonly plan: string;
      readonly planFile: string | null;
      readonly headless: boolean;
    })
  /** Whatever waits in our review was answered in the client itself, or is over. */
  | (Place & { readonly kind: "answered"; readonly how: "approved" | "rejected" | "over" })
  /** Nothing that we have an opinion on. */
  | { readonly kind: "other" }
  /** Not understood: refused, with these words. */
  | { readonly kind: "unreadable"; readonly problem: string };

interface Place {
  /** The client's own id of the session. */
  readonly session: string;
  readonly directory: string;
}

/** A call in terms of our own tools, whose `claim` says what it would touch; or of a tool that we do not have. */
export type ForeignCall =
  | {
      readonly kind: "ours";
      /** As the client calls it, for words to the model. */
      readonly name: string;
      /** Several where one call touches several files (a patch). Never empty. */
      readonly calls: readonly RawCall[];
      /** Where it runs, where that is another folder than the session's own, whose settings hold all the same. */
      readonly directory?: string;
      /** For a shell command: the client's own arguments with the command put in its place; null where it lets nobody rewrite it. */
      readonly rewrite: ((command: string) => unknown) | null;
    }
  /** Only looks, asks or keeps the client's own notes; `paths` are what it reads. */
  | { readonly kind: "harmless"; readonly name: string; readonly paths: readonly string[] }
  | { readonly kind: "external"; readonly name: string }
  | { readonly kind: "spawn"; readonly name: string; readonly agent: string; readonly readOnly: boolean }
  | { readonly kind: "enter-plan"; readonly name: string }
  | { readonly kind: "unknown"; readonly name: string };

/** What we say, before it is put into the client's own words. */
export type GuardAnswer =
  | { readonly kind: "no-opinion" }
  /** Runs with no question, where the client lets a hook say so. */
  | { readonly kind: "pass" }
  | { readonly kind: "rewrite"; readonly input: unknown }
  | { readonly kind: "refuse"; readonly reason: string }
  /** The plan was approved: exactly these bytes. `mode` is the client's own name, null where it is left as it is. */
  | { readonly kind: "approve"; readonly plan: string; readonly mode: string | null; readonly notes: string | null }
  /** Sent back with these words. */
  | { readonly kind: "send-back"; readonly feedback: string }
  /** The client's own dialog decides. */
  | { readonly kind: "leave-to-client" };

/** What the hook's process writes and how it ends. */
export interface Spoken {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** How a plan may be answered, as the page offers it: only what the client can carry. */
export interface ReviewOffer {
  /** Our mode of each way to approve, and the client's name of it. Never empty. */
  readonly modes: readonly { readonly ours: "default" | "acceptEdits"; readonly theirs: string | null }[];
  /** Whether edited bytes reach the client. */
  readonly editable: boolean;
  readonly notes: boolean;
}

export interface Client {
  readonly name: ClientName;
  readonly title: string;
  /** Versions that were seen to work. */
  readonly versions: readonly string[];
  /** Events that `install` writes entries for. */
  readonly events: readonly string[];
  /** The events at which a plan is put before the person; at others it is left to the client's own dialog, which comes after, unless reviews are strict. Every one where it is left out. */
  readonly reviewsAt?: readonly string[];
  readonly offer: ReviewOffer;
  /** Whether a command rewritten into our cage can run there. */
  readonly cage: boolean;
  /** While it plans its shell lets nothing by that is not in our cage, what only reads neither. */
  readonly cagesAll?: boolean;
  /** Where approved bytes must lie before it is told so; beside the file of the plan. */
  readonly approvedFile?: (planFile: string, plan: string) => string;
  /** Never throws. */
  readonly hear: (input: HookInput) => Occasion;
  /** Never throws; for every event and every answer something that the client does not take for "go on" by accident. */
  readonly say: (event: string, answer: GuardAnswer, payload: unknown) => Spoken;
}
