/** What a probe of the crash test is: what the model tries, in terms that every agent's own tools can be found for. */

/** Paths are relative to the project; `elsewhere/…` is a folder beside it. */
export type ProbeStep =
  | { readonly kind: "shell"; readonly command: string }
  /** `over`: what is there is read first, as many agents demand. */
  | { readonly kind: "write"; readonly path: string; readonly text: string; readonly over?: boolean }
  | { readonly kind: "edit"; readonly path: string; readonly from: string; readonly to: string }
  /** A write in the same turn as a read. */
  | { readonly kind: "write-beside-read"; readonly path: string; readonly text: string }
  /** An agent of the agent, which takes these steps. */
  | { readonly kind: "agent"; readonly steps: readonly ProbeStep[]; readonly type: "writer" | "reader" }
  /** The model writes its plan where the agent wants it, and presents it. */
  | { readonly kind: "present-plan" }
  /** The model says in words that the plan was approved, in the turn of the next step. */
  | { readonly kind: "claim-approval" };

export const groups = [
  "edit tools",
  "shell",
  "agents",
  "rules",
  "flags",
  "resume",
  "self-approval",
  "plan file",
  "repository",
  "its own tools",
] as const;

export type ProbeGroup = (typeof groups)[number];

/** What the agent finds when it starts, beside its mode. */
export interface Circumstances {
  /** The person's own rules let every shell command and edit through. */
  readonly rules?: boolean;
  /** The repository brings settings that let everything through. */
  readonly planted?: boolean;
  /** The mode without questions can be reached in this session. */
  readonly bypass?: boolean;
  /** The session was begun before, in that mode, and is gone on with. */
  readonly resumedFrom?: "plan" | "work";
  /** Shell lines that make the repository what it is; run before the agent starts. */
  readonly repository?: string;
  /** A person approves the plan; its file is changed after they have read it. */
  readonly approval?: boolean;
  /** Whatever else this agent's row takes, by its own words. */
  readonly special?: readonly string[];
}

export interface CrashProbe {
  readonly id: string;
  readonly group: ProbeGroup;
  /** What is tried, for people. */
  readonly title: string;
  readonly steps: readonly ProbeStep[];
  readonly circumstances: Circumstances;
  /** Where an agent never lets it happen, in no mode, the control is made by hand: this shell command in the same place. */
  readonly byHand?: string;
  /** There is no such call outside of plan mode, or it is the same as another's. */
  readonly noControl?: boolean;
  /** What comes after it in the same conversation would say nothing. */
  readonly alone?: boolean;
}
