/** The hooks of a host: run when they are asked for, and loaded only then. */
import type { Settings } from "../../core/settings/settings.ts";
import type { Hooks, HookAsked } from "../ports/host.ts";
import type { HookPlace } from "./run-hooks.ts";

export interface HooksOptions extends Omit<HookPlace, "hooks"> {
  /** Those that are in force now. */
  readonly inForce: () => Settings["hooks"];
  readonly report: (line: string) => void;
}

export function createHooks({ inForce, report, ...place }: HooksOptions): Hooks {
  const running = new Set<Promise<void>>();
  const leaving = new AbortController();
  const run: Hooks["run"] = async (asked) => {
    const { runHooks } = await import("./run-hooks.ts");
    return runHooks(asked, { ...place, hooks: inForce() });
  };
  const tell = (asked: HookAsked): void => {
    const work = run(asked)
      .then(({ told }) => told.forEach(report))
      .catch((error: unknown) => report(`A hook could not be run: ${String(error)}`))
      .finally(() => running.delete(work));
    running.add(work);
  };
  return {
    run,
    tell: (asked) => tell({ ...asked, signal: leaving.signal }),
    async end(session) {
      if (inForce().SessionEnd.length > 0)
        tell({ event: "SessionEnd", subject: "other", input: { reason: "other" }, session });
      const timer = setTimeout(() => leaving.abort(), patienceMs);
      await Promise.all(running);
      clearTimeout(timer);
    },
  };
}

/** What still runs when the session ends has so long; a SessionEnd hook its own time. */
const patienceMs = 5_000;
