/** The settings in force: every source laid over the next, and what a project may not decide left out (cli.md, R17.3). */
import type { RuleLists } from "../event.ts";
import { hookAliases, hookNames, type HookName } from "./hook-names.ts";
import type { Mode } from "../mode.ts";
import { present } from "../present.ts";
import type { PlanSettings } from "../session.ts";
import type { Hook, McpServer, SettingsFile } from "./shape.ts";
import { judgeProject, type ProjectTrust, type RefusedSetting } from "./trust.ts";

/** Lowest first. */
const origins = ["default", "user", "project", "local", "environment", "command line"] as const;
export type Origin = (typeof origins)[number];

export interface SettingsSource {
  readonly origin: Exclude<Origin, "default">;
  /** The file it came from, where there is one. */
  readonly file: string | null;
  readonly settings: SettingsFile;
}

export interface Sourced<Value> {
  readonly value: Value;
  readonly origin: Origin;
}

/** A settings file with its gaps filled. */
export interface Settings {
  readonly model: string | null;
  readonly planModel: string | null;
  readonly exploreModel: string | null;
  readonly effort: Effort | null;
  readonly planEffort: Effort | null;
  readonly defaultMode: Mode;
  readonly cycleModes: readonly Mode[] | null;
  readonly keybindings: Readonly<Record<string, string | readonly string[] | null>>;
  readonly theme: "auto" | "dark" | "light";
  readonly editor: string | null;
  readonly notify: "auto" | "bell" | "desktop" | "off";
  readonly plansDirectory: string | null;
  readonly planNames: "words" | "task";
  readonly planNetwork: PlanSettings["planNetwork"];
  readonly planWorkflow: "phases" | "interview";
  readonly planLength: "full" | "trim" | "cut" | "cap";
  readonly planEagerness: "eager" | "reserved";
  readonly modelMayEnterPlan: PlanSettings["modelMayEnterPlan"];
  readonly planScope: "off" | "warn" | "ask";
  readonly planTemplate: string | null;
  readonly maxPlanningTokens: number | null;
  readonly tier: string | null;
  readonly useAutoModeDuringPlan: boolean;
  readonly autoMode: { readonly enabled: boolean };
  readonly permissions: Readonly<Record<RuleList, readonly Sourced<string>[]>>;
  readonly sandbox: "auto" | "required" | "off";
  readonly mcpServers: Readonly<Record<string, Sourced<McpServer>>>;
  readonly trustedMcpServers: readonly string[];
  readonly hooks: Readonly<Record<HookName, readonly Sourced<Hook>[]>>;
  readonly channels: readonly string[];
  readonly review: ReviewPlace;
  readonly receipt: { readonly key: string | null };
  readonly team: TeamSettings;
}

/** Where plans of other agents are answered; `browser-only`: before the agent's own dialog is there, and nowhere else. */
export type ReviewPlace = "browser" | "browser-only" | "terminal" | "off";
export type Effort = "low" | "medium" | "high";
export type RuleList = "allow" | "ask" | "deny" | "readers";

export interface TeamSettings {
  readonly name: string | null;
  readonly role: string | null;
  readonly transport: "files" | "nats";
  readonly natsUrl: string | null;
}

export interface Ignored extends RefusedSetting {
  readonly source: SettingsSource;
}

export interface MergedSettings {
  readonly settings: Settings;
  /** What a project wanted and did not get. */
  readonly ignored: readonly Ignored[];
  /** Whether trusting the folder would change anything. */
  readonly needsTrust: boolean;
}

/** Whether the person has trusted the folder, and which rules they gave for it. */
export type MergeOptions = ProjectTrust;

/** Sources come in any order; of two with the same origin the later one goes before. */
export function mergeSettings(sources: readonly SettingsSource[], options: MergeOptions): MergedSettings {
  const rising = sources.toSorted((one, other) => rank(one.origin) - rank(other.origin));
  const ignored: Ignored[] = [];
  let settings = defaultSettings;
  for (const source of rising) {
    if (!isProjects(source)) {
      settings = laidOver(settings, source.settings, source.origin);
      continue;
    }
    const { kept, refused } = judgeProject(source.settings, settings, options);
    for (const { key, value, why } of refused) ignored.push({ key, value, why, source });
    settings = laidOver(settings, kept, source.origin);
  }
  return { settings, ignored, needsTrust: ignored.some(({ why }) => why === "needs-trust") };
}

export const defaultSettings: Settings = {
  model: null,
  planModel: null,
  exploreModel: null,
  effort: null,
  planEffort: null,
  defaultMode: "default",
  cycleModes: null,
  keybindings: {},
  theme: "auto",
  editor: null,
  notify: "auto",
  plansDirectory: null,
  planNames: "words",
  planNetwork: "readers",
  planWorkflow: "phases",
  planLength: "full",
  planEagerness: "eager",
  modelMayEnterPlan: "ask",
  planScope: "warn",
  planTemplate: null,
  maxPlanningTokens: null,
  tier: null,
  useAutoModeDuringPlan: false,
  autoMode: { enabled: false },
  permissions: { allow: [], ask: [], deny: [], readers: [] },
  sandbox: "auto",
  mcpServers: {},
  trustedMcpServers: [],
  hooks: hooksOf(() => []),
  channels: [],
  review: "browser",
  receipt: { key: null },
  team: { name: null, role: null, transport: "files", natsUrl: null },
};

/**
 * R9.4: `GROUNDPLAN_INTERVIEW` goes before the setting; a falsy value turns the interview off. B11.5: so does `GROUNDPLAN_REVIEW`, if it
 * is one of the setting's values.
 */
export function environmentSettings(
  environment: Readonly<Record<string, string | undefined>>,
): SettingsSource & { readonly origin: "environment" } {
  const interview = environment["GROUNDPLAN_INTERVIEW"];
  const isOff = falsy.has(interview?.trim().toLowerCase() ?? "");
  const place = reviewPlaces.find((one) => one === environment["GROUNDPLAN_REVIEW"]?.trim().toLowerCase());
  return {
    origin: "environment",
    file: null,
    settings: {
      ...(interview === undefined ? {} : { planWorkflow: isOff ? "phases" : "interview" }),
      ...(place === undefined ? {} : { review: place }),
    },
  };
}

/** The part of the settings that the session itself knows; `template` is the text of the file `planTemplate`. */
export function planSettings(settings: Settings, template: string | null): PlanSettings {
  const { planNetwork, modelMayEnterPlan, useAutoModeDuringPlan, cycleModes, maxPlanningTokens, planScope } = settings;
  return {
    planNetwork,
    modelMayEnterPlan,
    useAutoModeDuringPlan,
    cycleModes,
    planTemplate: template,
    maxPlanningTokens,
    planScope,
    hooks: hookNames.filter((name) => settings.hooks[name].length > 0),
  };
}

export function ruleLists({ permissions }: Settings): RuleLists {
  return { allow: values(permissions.allow), ask: values(permissions.ask), deny: values(permissions.deny) };
}

function laidOver(below: Settings, file: SettingsFile, origin: Origin): Settings {
  const {
    $schema: _,
    permissions,
    mcpServers,
    trustedMcpServers,
    hooks,
    keybindings,
    autoMode,
    team,
    receipt,
    ...plain
  } = file;
  return {
    ...below,
    ...present(plain),
    keybindings: { ...below.keybindings, ...keybindings },
    autoMode: { ...below.autoMode, ...present(autoMode ?? {}) },
    team: { ...below.team, ...present(team ?? {}) },
    receipt: { ...below.receipt, ...present(receipt ?? {}) },
    permissions: {
      allow: united(below.permissions.allow, permissions?.allow, origin),
      ask: united(below.permissions.ask, permissions?.ask, origin),
      deny: united(below.permissions.deny, permissions?.deny, origin),
      readers: united(below.permissions.readers, permissions?.readers, origin),
    },
    mcpServers: { ...below.mcpServers, ...sourced(mcpServers ?? {}, origin) },
    trustedMcpServers: [...new Set([...below.trustedMcpServers, ...(trustedMcpServers ?? [])])],
    hooks: joinedHooks(below.hooks, hooks ?? {}, origin),
  };
}

/** A rule that is there already keeps the origin that said it first. */
function united(
  below: readonly Sourced<string>[],
  rules: readonly string[] | undefined,
  origin: Origin,
): readonly Sourced<string>[] {
  const known = new Set(values(below));
  const fresh = [...new Set(rules)].filter((rule) => !known.has(rule));
  return [...below, ...fresh.map((value) => ({ value, origin }))];
}

function joinedHooks(below: Settings["hooks"], hooks: NonNullable<SettingsFile["hooks"]>, origin: Origin) {
  const lists = Object.entries(hooks);
  const of = (name: HookName) =>
    lists.flatMap(([key, list]) => (key === name || namesNow[key] === name ? list.flatMap(hooksIn) : []));
  return hooksOf((name) => [...below[name], ...of(name).map((value) => ({ value, origin }))]);
}

/** A group has a matcher for all of its commands; a single one may name a tool. */
function hooksIn(given: NonNullable<NonNullable<SettingsFile["hooks"]>["Stop"]>[number]): readonly Hook[] {
  const { hooks = [], matcher = given.tool, ...single } = given;
  const listed = [...hooks, single].flatMap(({ command, ...rest }) =>
    command === undefined ? [] : [{ command, ...rest }],
  );
  return listed.map(({ command, args, timeout }) => Object.assign({ command }, present({ args, timeout, matcher })));
}

const namesNow: Readonly<Record<string, HookName>> = hookAliases;

function hooksOf(of: (name: HookName) => readonly Sourced<Hook>[]): Settings["hooks"] {
  return Object.fromEntries(hookNames.map((name) => [name, of(name)])) as Record<HookName, readonly Sourced<Hook>[]>;
}

function sourced<Value>(record: Readonly<Record<string, Value>>, origin: Origin): Record<string, Sourced<Value>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, { value, origin }]));
}

function values<Value>(list: readonly Sourced<Value>[]): readonly Value[] {
  return list.map(({ value }) => value);
}

function isProjects({ origin }: SettingsSource): boolean {
  return origin === "project" || origin === "local";
}

function rank(origin: Origin): number {
  return origins.indexOf(origin);
}

const reviewPlaces: readonly ReviewPlace[] = ["browser", "browser-only", "terminal", "off"];
const falsy = new Set(["", "0", "false", "no", "off"]);
