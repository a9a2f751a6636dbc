/** Which reminders the next model request carries (section 8), and what is known to be told after it. */
import { isBlank } from "../plan/blank.ts";
import { isPlanning } from "../mode.ts";
import type { Reminder } from "./reminder.ts";
import type { NoticeState, Session } from "../session.ts";
import { tokensOf } from "../usage.ts";

/** A plan reminder is repeated after this many human turns; every fifth one is full. */
const turnsBetween = 5;
const fullEvery = 5;

export function remindersFor(session: Session): readonly Reminder[] {
  return [
    ...session.hooks.heard.map((heard) => ({ type: "hook", ...heard }) as const),
    ...carriedOver(session),
    ...autoNotice(session),
    ...modeNotice(session),
    ...budgetNotice(session),
    ...outsideNotice(session),
  ];
}

/** The notices as they stand once these reminders have gone out. */
export function afterReminders(notices: NoticeState, reminders: readonly Reminder[]): NoticeState {
  return reminders.reduce(afterReminder, notices);
}

function afterReminder(state: NoticeState, reminder: Reminder): NoticeState {
  switch (reminder.type) {
    case "plan_mode":
      return { ...state, told: "plan", reminders: state.reminders + 1, turnsSinceReminder: 0, hasExited: false };
    case "plan_mode_exit":
      return { ...state, told: "work", left: null };
    case "plan_mode_reentry":
    case "external_edit":
    case "hook":
      return state;
    case "plan_file_reference":
      return { ...state, referenceDue: null };
    case "todo":
      return { ...state, todosDue: false };
    case "outside_plan":
      return { ...state, outside: { told: state.outside.told + reminder.paths.length, untold: [] } };
    case "auto_mode_exit":
      return { ...state, autoExitDue: false };
    case "planning_budget":
      return { ...state, budget: "told" };
  }
}

export function needsExitReminder({ permissions, notices }: Session): boolean {
  return notices.told === "plan" && !isPlanning(permissions);
}

function modeNotice(session: Session): readonly Reminder[] {
  if (isPlanning(session.permissions)) return planNotice(session);
  if (!needsExitReminder(session)) return [];
  const { file = null, exists = false, approved = false, own } = session.notices.left ?? {};
  const exit = { type: "plan_mode_exit", planFilePath: file, planExists: exists, approved } as const;
  return [own === true ? { ...exit, own } : exit];
}

function planNotice(session: Session): readonly Reminder[] {
  const { notices, plan, actor } = session;
  if (notices.reminders > 0 && notices.turnsSinceReminder < turnsBetween) return [];
  const full = notices.reminders % fullEvery === 0;
  const reminder: Reminder = {
    type: "plan_mode",
    reminderType: full ? "full" : "sparse",
    isSubAgent: actor.kind === "subagent",
    planFilePath: plan.file,
    planExists: !isBlank(plan.text),
  };
  return [...reentry(session), reminder];
}

function reentry({ notices, plan }: Session): readonly Reminder[] {
  if (!notices.hasExited || plan.file === null) return [];
  if (!isBlank(plan.text)) return [{ type: "plan_mode_reentry", planFilePath: plan.file }];
  if (plan.previous === null) return [];
  return [{ type: "plan_mode_reentry", planFilePath: plan.file, previousPlanPath: plan.previous }];
}

function carriedOver({ notices, todos }: Session): readonly Reminder[] {
  const due: Reminder[] = [];
  if (notices.referenceDue !== null) {
    const { file, text } = notices.referenceDue;
    due.push({ type: "plan_file_reference", planFilePath: file, planContent: text });
  }
  if (notices.todosDue && todos.length > 0) {
    due.push({ type: "todo", content: todos, itemCount: todos.length, context: "post-compact" });
  }
  return due;
}

function budgetNotice({ notices, permissions, settings, usage }: Session): readonly Reminder[] {
  if (notices.budget !== "due" || !isPlanning(permissions) || settings.maxPlanningTokens === null) return [];
  return [{ type: "planning_budget", used: tokensOf(usage.planning), limit: settings.maxPlanningTokens }];
}

/** At the first such file, and then each time that there are twice as many: words that come with every edit are not heard. */
function outsideNotice({ notices, permissions, plan }: Session): readonly Reminder[] {
  const { told, untold } = notices.outside;
  if (plan.approved === null || isPlanning(permissions) || untold.length === 0 || untold.length < told) return [];
  return [{ type: "outside_plan", paths: untold }];
}

function autoNotice({ notices, permissions }: Session): readonly Reminder[] {
  return notices.autoExitDue && !permissions.autoActive ? [{ type: "auto_mode_exit" }] : [];
}
