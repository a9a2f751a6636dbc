/** Settings and rules that change while the session runs: judged again at once, and the person is told what changed (B14.4, R11.3). */
import type { Effect, Step } from "../effect.ts";
import type { Event, RuleLists } from "../event.ts";
import type { OpenCall, PlanSettings, Session } from "../session.ts";
import { follow, step, withTurn } from "../step.ts";
import { resume } from "./calls.ts";
import { autoChanged } from "./mode.ts";
import { isAskedStill, reofferModes } from "./today.ts";

export function settingsChanged(session: Session, event: Extract<Event, { type: "settings-changed" }>): Step {
  const auto = { ...session.auto, optedIn: event.autoOptedIn };
  const settings = { ...session.settings, ...event.settings };
  const changes = [
    ...(auto.optedIn === session.auto.optedIn ? [] : [`autoMode.enabled: ${String(auto.optedIn)}`]),
    ...settingKeys.filter((key) => !isSame(settings[key], session.settings[key])).map((key) => told(key, settings)),
  ];
  const said = tell({ ...session, settings, auto }, changes);
  const changed = follow(said, (now) => follow(autoChanged(now), reofferModes));
  return resume(session, follow(changed, rejudgeChanged));
}

export function rulesChanged(session: Session, { rules }: Extract<Event, { type: "rules-changed" }>): Step {
  const { allow, ask, deny } = rules;
  const before = session.permissions.rules;
  const ofSession = rules.session ?? before.session;
  const own = ofSession === undefined ? {} : { session: ofSession };
  const permissions = { ...session.permissions, rules: { ...before, allow, ask, deny, ...own } };
  const changed = tell(
    { ...session, permissions },
    ruleNames.flatMap((name) => ruleChanges(name, before, rules)),
  );
  return resume(session, follow(changed, rejudgeChanged));
}

/** What would not be asked as it is now is taken back and judged again; other questions stay where they are. */
export function rejudgeChanged(session: Session): Step {
  const effects: Effect[] = [];
  const open = session.turn.open.map(({ call, state }): OpenCall => {
    if (state.kind !== "asking" && state.kind !== "classifying") return { call, state };
    if (isAskedStill(session, { call, state })) return { call, state };
    effects.push({ type: "withdraw-question", questionId: state.questionId });
    return { call, state: { kind: "waiting" } };
  });
  return step(withTurn(session, { open }), ...effects);
}

function tell(session: Session, changes: readonly string[]): Step {
  if (changes.length === 0) return step(session);
  const more = changes.length - mostTold;
  const shown = more > 0 ? [...changes.slice(0, mostTold), `and ${more} more`] : changes;
  return step(session, { type: "notify", notice: { key: "settings-changed", changes: shown } });
}

const mostTold = 8;
const ruleNames = ["deny", "ask", "allow"] as const satisfies readonly (keyof RuleLists)[];
const settingKeys = [
  "planNetwork",
  "modelMayEnterPlan",
  "useAutoModeDuringPlan",
  "cycleModes",
  "planTemplate",
  "maxPlanningTokens",
  "planScope",
  "hooks",
] as const satisfies readonly (keyof PlanSettings)[];

function ruleChanges(name: (typeof ruleNames)[number], before: RuleLists, after: RuleLists): readonly string[] {
  const added = after[name].filter((rule) => !before[name].includes(rule));
  const gone = before[name].filter((rule) => !after[name].includes(rule));
  return [...added.map((rule) => `${name} ${rule} added`), ...gone.map((rule) => `${name} ${rule} removed`)];
}

function told(key: keyof PlanSettings, settings: PlanSettings): string {
  const value = settings[key];
  if (key === "planTemplate") return value === null ? "planTemplate: none" : "planTemplate has another text";
  return `${key}: ${value === null ? "not set" : Array.isArray(value) ? value.join(", ") : String(value)}`;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
