/** Turns reminders into the words that the model reads (section 8), each in its tag. */
import type { Reminder, Todo } from "../../core/reminders/reminder.ts";
import type { Prompts } from "../index.ts";
import { remind, withoutReminderTags } from "./tags.ts";

/** Settings that shape the words. Keep them for a session: another style would change messages already sent (B7.1). */
export interface PlanStyle {
  readonly workflow: "phases" | "interview";
  readonly planLength: "full" | "trim" | "cut" | "cap";
  readonly exploreAgents: number;
  readonly planAgents: number;
}

export function renderReminder(prompts: Prompts, reminder: Reminder, style: PlanStyle): string {
  return remind(prompts, bodyOf(prompts, reminder, style));
}

type PlanMode = Extract<Reminder, { type: "plan_mode" }>;
type PlanExit = Extract<Reminder, { type: "plan_mode_exit" }>;
type Reentry = Extract<Reminder, { type: "plan_mode_reentry" }>;

function bodyOf(prompts: Prompts, reminder: Reminder, style: PlanStyle): string {
  switch (reminder.type) {
    case "plan_mode":
      return planMode(prompts, reminder, style);
    case "plan_mode_reentry":
      return reentry(prompts, reminder);
    case "plan_mode_exit":
      return exit(prompts, reminder);
    case "plan_file_reference":
      return prompts("reminders/plan-reference", { planFile: reminder.planFilePath, plan: reminder.planContent });
    case "todo": {
      const { content, itemCount } = reminder;
      return prompts("reminders/todo", { count: String(itemCount), todos: content.map(todoLine).join("\n") });
    }
    case "external_edit": {
      const { path, difference } = reminder;
      const name = reminder.own === true ? "reminders/own-edit" : "reminders/external-edit";
      if (difference === null) return prompts(`${name}-long`, { path });
      return prompts(name, { path, difference: withoutReminderTags(difference) });
    }
    case "hook": {
      const { event, text, isOrder } = reminder;
      return prompts(isOrder ? "reminders/hook-order" : "reminders/hook-context", { event, text });
    }
    case "auto_mode_exit":
      return prompts("reminders/auto-mode-exit");
    case "outside_plan":
      return prompts("reminders/outside-plan", { paths: pathList(reminder.paths) });
    case "planning_budget":
      return prompts("reminders/planning-budget", { used: String(reminder.used), limit: String(reminder.limit) });
  }
}

function planMode(prompts: Prompts, reminder: PlanMode, style: PlanStyle): string {
  const { planFilePath: planFile, reminderType, isSubAgent } = reminder;
  const sparse = reminderType === "sparse";
  if (isSubAgent) return subagent(prompts, planFile, sparse ? "plan/subagent-sparse" : "plan/subagent");
  if (planFile === null) return prompts(sparse ? "plan/sparse-strict" : "plan/strict");
  if (!sparse) return full(prompts, reminder, { ...style, planFile });
  return prompts(style.workflow === "interview" ? "plan/sparse-interview" : "plan/sparse", { planFile });
}

function subagent(prompts: Prompts, planFile: string | null, name: "plan/subagent" | "plan/subagent-sparse"): string {
  return planFile === null ? prompts(`${name}-strict`) : prompts(name, { planFile });
}

function full(prompts: Prompts, { planExists }: PlanMode, style: PlanStyle & { readonly planFile: string }): string {
  const { planFile, workflow, planLength, exploreAgents, planAgents } = style;
  const shared = {
    constraint: prompts("plan/constraint"),
    planFile: prompts(planExists ? "plan/file-exists" : "plan/file-new", { planFile }),
    format: prompts(`plan/format-${planLength}`),
    ending: prompts("plan/ending"),
  };
  if (workflow === "interview") return prompts("plan/interview", shared);
  const explore =
    exploreAgents === 1 ? prompts("plan/explore-one") : prompts("plan/explore-many", { count: String(exploreAgents) });
  const design =
    planAgents === 1 ? prompts("plan/design-one") : prompts("plan/design-many", { count: String(planAgents) });
  return prompts("plan/full", { ...shared, explore, design });
}

function reentry(prompts: Prompts, { planFilePath: planFile, previousPlanPath: previous }: Reentry): string {
  if (previous === undefined) return prompts("reminders/reentry", { planFile });
  return prompts("reminders/reentry-new", { planFile, previous });
}

function exit(prompts: Prompts, { planFilePath: planFile, planExists, approved, own }: PlanExit): string {
  if (own === true) return prompts("reminders/exit-own");
  const name = approved ? "reminders/exit-approved" : "reminders/exit-unapproved";
  return planFile === null || !planExists ? prompts(`${name}-no-plan`) : prompts(name, { planFile });
}

function pathList(paths: readonly string[]): string {
  const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : "";
  return `${paths.slice(0, mostPaths).join(", ")}${more}`;
}

const mostPaths = 8;

function todoLine({ content, status }: Todo): string {
  return `- [${todoMarks[status]}] ${content}`;
}

const todoMarks: Readonly<Record<Todo["status"], string>> = { pending: " ", in_progress: "~", completed: "x" };
