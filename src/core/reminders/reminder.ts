/** Reminders: typed messages that the host adds to the conversation for the model (R8.1). */

export type Reminder =
  | {
      readonly type: "plan_mode";
      readonly reminderType: "full" | "sparse";
      readonly isSubAgent: boolean;
      /** Null when no file could be had: then nothing at all may be written (R8.7). */
      readonly planFilePath: string | null;
      readonly planExists: boolean;
    }
  | {
      readonly type: "plan_mode_reentry";
      readonly planFilePath: string;
      readonly previousPlanPath?: string;
    }
  | {
      readonly type: "plan_mode_exit";
      readonly planFilePath: string | null;
      readonly planExists: boolean;
      readonly approved: boolean;
      /** Left by a teammate that had chosen plan mode itself (R12.3). */
      readonly own?: true;
    }
  | { readonly type: "plan_file_reference"; readonly planFilePath: string; readonly planContent: string }
  | {
      readonly type: "todo";
      readonly content: readonly Todo[];
      readonly itemCount: number;
      readonly context: "post-compact";
    }
  /** Changed by somebody else since the model saw it (B3.5); null where the difference is too long to tell. */
  | {
      readonly type: "external_edit";
      readonly path: string;
      readonly difference: string | null;
      /** A command of the model's did it. */
      readonly own?: true;
    }
  /** What a hook of the person's says to the model (B14.1); an order is to be done, and not only known. */
  | { readonly type: "hook"; readonly event: string; readonly text: string; readonly isOrder: boolean }
  | { readonly type: "auto_mode_exit" }
  /** Files were edited that the plan being carried out does not name (B6.2). */
  | { readonly type: "outside_plan"; readonly paths: readonly string[] }
  /** The planning budget is used up: finish the plan (B7.3). */
  | { readonly type: "planning_budget"; readonly used: number; readonly limit: number };

export interface Todo {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  readonly activeForm?: string;
}
