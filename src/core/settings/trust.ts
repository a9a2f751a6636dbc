/** What a project's own files may decide: they narrow at any time, decide anything else only in a folder that the person trusts, and never bring bypass or a key that signs (R17.3, B1.15, B16.1). */
import { workingModes, type Mode } from "../mode.ts";
import type { SettingsFile } from "./shape.ts";

export type RefusalReason = "needs-trust" | "never-from-project";

export interface RefusedSetting {
  readonly key: string;
  /** The value as a person would want to see it before saying yes. */
  readonly value: string;
  readonly why: RefusalReason;
}

export interface Judged {
  readonly kept: SettingsFile;
  readonly refused: readonly RefusedSetting[];
}

/** The values below, against which "wider" is measured. */
export interface Floor {
  readonly defaultMode: Mode;
  readonly sandbox: "auto" | "required" | "off";
  readonly planNetwork: "readers" | "ask" | "off";
  readonly planScope: "off" | "warn" | "ask";
  readonly useAutoModeDuringPlan: boolean;
  readonly review: "browser" | "browser-only" | "terminal" | "off";
  readonly autoMode: { readonly enabled: boolean };
  readonly permissions: Readonly<Record<"allow" | "readers", readonly { readonly value: string }[]>>;
  readonly trustedMcpServers: readonly string[];
}

export interface ProjectTrust {
  readonly trusted: boolean;
  /** Allow rules that the person gave for this project in a dialog. */
  readonly granted?: readonly string[];
}

/** By a list of what may narrow: a key that is not on it, a new one too, needs trust (B1.15). */
export function judgeProject(wanted: SettingsFile, below: Floor, { trusted, granted = [] }: ProjectTrust): Judged {
  const never = withoutNever(wanted);
  if (trusted) return never;
  const refused = [...never.refused];
  const refuse = (key: string, value: unknown): void => {
    refused.push({ key, value: shown(value), why: "needs-trust" });
  };
  const { $schema: _, permissions, autoMode, ...others } = never.kept;
  const kept: SettingsFile = {};
  for (const key of ladderKeys) {
    if (isWider(ladders[key], others[key], below[key])) refuse(key, others[key]);
    else if (others[key] !== undefined) Object.assign(kept, { [key]: others[key] });
  }
  for (const [key, value] of Object.entries(others)) {
    if (key in ladders || value === undefined || isEmpty(value) || isKnown(below, key, value)) continue;
    for (const part of partsOf(value)) if (!isKnownPart(below, key, part)) refuse(key, part);
  }
  if (autoMode?.enabled === true && !below.autoMode.enabled) refuse("autoMode.enabled", true);
  else if (autoMode !== undefined) kept.autoMode = autoMode;
  if (permissions !== undefined) {
    const { allow = [], readers = [], ask, deny } = permissions;
    const own = new Set([...below.permissions.allow.map(({ value }) => value), ...granted]);
    for (const rule of allow) if (!own.has(rule)) refuse("permissions.allow", rule);
    for (const rule of unknownTo(below.permissions.readers, readers)) refuse("permissions.readers", rule);
    const given = allow.filter((rule) => granted.includes(rule));
    kept.permissions = {
      ...(given.length === 0 ? {} : { allow: given }),
      ...(ask === undefined ? {} : { ask }),
      ...(deny === undefined ? {} : { deny }),
    };
  }
  return { kept, refused };
}

/** From the narrowest value to the widest. */
const ladders = {
  defaultMode: ["plan", ...workingModes],
  sandbox: ["required", "auto", "off"],
  planNetwork: ["off", "ask", "readers"],
  planScope: ["ask", "warn", "off"],
  useAutoModeDuringPlan: [false, true],
  review: ["off", "browser-only", "browser", "terminal"],
} as const;
const ladderKeys = Object.keys(ladders) as (keyof typeof ladders)[];

/** Trust or not: a project starts no session that skips permissions, and does not choose the key that speaks for the person. */
function withoutNever(wanted: SettingsFile): Judged {
  const { defaultMode, receipt, ...kept } = wanted;
  const refused: RefusedSetting[] = [];
  if (receipt?.key !== undefined) refused.push({ key: "receipt.key", value: receipt.key, why: "never-from-project" });
  if (defaultMode !== "bypassPermissions")
    return { kept: defaultMode === undefined ? kept : { ...kept, defaultMode }, refused };
  return { kept, refused: [{ key: "defaultMode", value: defaultMode, why: "never-from-project" }, ...refused] };
}

function isWider(ladder: readonly unknown[], wanted: unknown, below: unknown): boolean {
  return wanted !== undefined && ladder.indexOf(wanted) > ladder.indexOf(below);
}

/** What the person allows already needs no trust. */
function unknownTo(known: readonly { readonly value: string }[], rules: readonly string[]): readonly string[] {
  return rules.filter((rule) => !known.some(({ value }) => value === rule));
}

/** The person has it so already. */
function isKnown(below: Floor, key: string, value: unknown): boolean {
  return JSON.stringify(Object.entries(below).find(([name]) => name === key)?.[1]) === JSON.stringify(value);
}

function isKnownPart(below: Floor, key: string, part: unknown): boolean {
  return key === "trustedMcpServers" && below.trustedMcpServers.includes(String(part));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(isEmpty);
}

function partsOf(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  if (Array.isArray(value)) return value;
  return Object.entries(value).map(([name, part]) => ({ [name]: part }));
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
