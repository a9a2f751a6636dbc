/** The hooks that are in force, and where each is from: for `/hooks`, `doctor` and changes while a session runs. */
import { closedNames, hookNames, type HookName } from "../../core/settings/hook-names.ts";
import type { Settings, Sourced } from "../../core/settings/settings.ts";
import type { Hook } from "../../core/settings/shape.ts";

export interface HookInForce extends Sourced<Hook> {
  readonly event: HookName;
}

export function hooksInForce(hooks: Settings["hooks"]): readonly HookInForce[] {
  return hookNames.flatMap((event) => hooks[event].map((sourced) => ({ event, ...sourced })));
}

export function hooksText(hooks: Settings["hooks"]): string {
  const all = hooksInForce(hooks);
  if (all.length === 0) return "No hooks are in force.";
  const isClosed = all.some(({ event }) => closedNames.has(event));
  const closed = `A hook of ${[...closedNames].join(" or ")} that fails refuses.`;
  return [...all.map(hookLine), ...(isClosed ? [closed] : [])].join("\n");
}

export function hookLine({ event, value, origin }: HookInForce): string {
  const { matcher, command, args = [], timeout } = value;
  const match = matcher === undefined || matcher === "" ? "" : ` [${matcher}]`;
  const time = timeout === undefined ? "" : `, ${timeout} s`;
  return `${event}${match}: ${[command, ...args].join(" ")} (${origin} settings${time})`;
}
