/** What a project's own files may decide: they narrow at any time, widen only in a folder that the person trusts, and never bring bypass (R17.3). */
import { posix } from "node:path";
import type { Mode } from "./mode.ts";
import type { SettingsFile } from "./settings-shape.ts";

export type RefusalReason = "needs-trust" | "never-from-project";

export interface Refusal {
  readonly key: string;
  /** The value as a person would want to see it before saying yes. */
  readonly value: string;
  readonly why: RefusalReason;
}

export interface Judged {
  readonly kept: SettingsFile;
  readonly refused: readonly Refusal[];
}

/** The values below, against which "wider" is measured. */
export interface Floor {
  readonly defaultMode: Mode;
  readonly sandbox: "auto" | "required" | "off";
  readonly planNetwork: "readers" | "ask" | "off";
  readonly planScope: "off" | "warn" | "ask";
  readonly useAutoModeDuringPlan: boolean;
  readonly autoMode: { readonly enabled: boolean };
  readonly permissions: Readonly<Record<"allow" | "readers", readonly { readonly value: string }[]>>;
  readonly trustedMcpServers: readonly string[];
}

export function judgeProject(wanted: SettingsFile, below: Floor, { trusted }: { readonly trusted: boolean }): Judged {
  const never = withoutBypass(wanted);
  if (trusted) return never;
  const refused = [...never.refused];
  const kept: SettingsFile = { ...never.kept };
  const refuse = (key: string, value: unknown): void => {
    refused.push({ key, value: shown(value), why: "needs-trust" });
  };

  for (const key of ladderKeys) {
    if (!isWider(ladders[key], kept[key], below[key])) continue;
    refuse(key, kept[key]);
    delete kept[key];
  }
  for (const key of trustedKeys) {
    const value = kept[key];
    delete kept[key];
    if (value === undefined || isEmpty(value)) continue;
    for (const part of partsOf(value)) {
      if (key !== "trustedMcpServers" || !below.trustedMcpServers.includes(String(part))) refuse(key, part);
    }
  }
  if (kept.autoMode?.enabled === true && !below.autoMode.enabled) {
    refuse("autoMode.enabled", true);
    delete kept.autoMode;
  }
  if (kept.planTemplate !== undefined && leadsOut(kept.planTemplate)) {
    refuse("planTemplate", kept.planTemplate);
    delete kept.planTemplate;
  }
  if (kept.permissions !== undefined) {
    const { allow = [], readers = [], ...narrowing } = kept.permissions;
    for (const rule of unknownTo(below.permissions.allow, allow)) refuse("permissions.allow", rule);
    for (const rule of unknownTo(below.permissions.readers, readers)) refuse("permissions.readers", rule);
    kept.permissions = narrowing;
  }
  return { kept, refused };
}

/** From the narrowest value to the widest. */
const ladders = {
  defaultMode: ["plan", "default", "acceptEdits", "auto", "bypassPermissions"],
  sandbox: ["required", "auto", "off"],
  planNetwork: ["off", "ask", "readers"],
  planScope: ["ask", "warn", "off"],
  useAutoModeDuringPlan: [false, true],
} as const;
const ladderKeys = Object.keys(ladders) as (keyof typeof ladders)[];

/** They start programs, open connections, or change what a person's key press means. */
const trustedKeys = ["mcpServers", "trustedMcpServers", "hooks", "editor", "keybindings", "channels", "team"] as const;

function withoutBypass(wanted: SettingsFile): Judged {
  if (wanted.defaultMode !== "bypassPermissions") return { kept: wanted, refused: [] };
  const { defaultMode: _, ...kept } = wanted;
  return { kept, refused: [{ key: "defaultMode", value: "bypassPermissions", why: "never-from-project" }] };
}

function isWider(ladder: readonly unknown[], wanted: unknown, below: unknown): boolean {
  return wanted !== undefined && ladder.indexOf(wanted) > ladder.indexOf(below);
}

/** What the person allows already needs no trust. */
function unknownTo(known: readonly { readonly value: string }[], rules: readonly string[]): readonly string[] {
  return rules.filter((rule) => !known.some(({ value }) => value === rule));
}

/** By its words alone; the host looks at links. */
function leadsOut(path: string): boolean {
  const plain = path.replaceAll("\\", "/");
  if (plain.startsWith("~") || plain.startsWith("/") || /^[A-Za-z]:/.test(plain)) return true;
  return posix.normalize(plain).split("/")[0] === "..";
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.values(value).every(isEmpty);
}

function partsOf(value: object | string): readonly unknown[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value;
  return Object.entries(value).map(([name, part]) => ({ [name]: part }));
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
