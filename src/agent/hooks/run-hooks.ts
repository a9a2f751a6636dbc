/** Runs all hooks of one moment side by side, and makes one answer of theirs. */
import type { HookName } from "../../core/settings/hook-names.ts";
import type { Settings, Sourced } from "../../core/settings/settings.ts";
import type { Hook } from "../../core/settings/shape.ts";
import { workingEnvironment } from "../host/launch/environment.ts";
import type { Environment } from "../models/providers.ts";
import type { HookAsked } from "../ports/host.ts";
import { clean, mergeAnswers, readAnswer, silent, type HookReading } from "./answer.ts";
import { matches } from "./matcher.ts";
import { payloadOf } from "./payload.ts";
import { runHook } from "./run-hook.ts";

export interface HookPlace {
  readonly hooks: Settings["hooks"];
  readonly environment: Environment;
  readonly directory: string;
  readonly root: string;
  /** Where a session's log is. */
  readonly logOf: (session: string) => string;
}

/** Never rejects. */
export async function runHooks(asked: HookAsked, place: HookPlace): Promise<HookReading> {
  try {
    const stdin = `${JSON.stringify(payloadOf(asked, place))}\n`;
    const readings = distinct(place.hooks[asked.event]).map(async ({ value, origin }) => {
      const name = nameOf(asked.event, value, origin);
      const match = matches(value.matcher, asked.subject);
      if (match === false) return silent;
      if (match !== true) return readAnswer(asked.event, { kind: "failed", why: match.problem }, name);
      const end = await runHook({
        hook: value,
        stdin,
        directory: place.directory,
        environment: environmentOf(asked, place),
        timeoutMs: Math.ceil((value.timeout ?? defaultSeconds[asked.event] ?? 600) * 1000),
        ...(asked.signal === undefined ? {} : { signal: asked.signal }),
      });
      return readAnswer(asked.event, end, name);
    });
    return mergeAnswers(await Promise.all(readings));
  } catch (error) {
    return readAnswer(asked.event, { kind: "failed", why: `could not be asked: ${String(error)}` }, "a hook");
  }
}

/** How the person knows it. */
function nameOf(event: HookName, { command, args = [] }: Hook, origin: string): string {
  const line = clean([command, ...args].join(" ")).replaceAll("\n", " ");
  const short = line.length > 80 ? `${line.slice(0, 79)}…` : line;
  return `the ${event} hook \`${short}\` (${origin} settings)`;
}

/** Nobody waits long for a session that is over. */
const defaultSeconds: Partial<Record<HookName, number>> = { SessionEnd: 5 };

/** The person's own environment without models' keys, and where it is. */
function environmentOf({ session, agent }: HookAsked, { environment, root }: HookPlace): Record<string, string> {
  return {
    ...workingEnvironment({ base: environment }),
    CLAUDE_PROJECT_DIR: root,
    GROUNDPLAN_PROJECT_DIR: root,
    GROUNDPLAN_SESSION_ID: agent?.session ?? session.id,
  };
}

/** The same command from two places runs once. */
function distinct(hooks: readonly Sourced<Hook>[]): readonly Sourced<Hook>[] {
  const known = new Set<string>();
  return hooks.filter(({ value }) => {
    const key = JSON.stringify([value.command, value.args, value.matcher]);
    return !known.has(key) && known.add(key);
  });
}
