/** Keeps what a teammate has worked out where it can be taken up; never in the way of the work (R14.4). */
import type { SessionHandle } from "../../agent/ports/handle.ts";
import type { Session } from "../../core/session.ts";
import type { AwaitOptions } from "./await-lead.ts";
import { keepWork, workOf } from "./work.ts";

export interface WorkKeeper {
  /** Keeps what is there, and each change from now on until the signal. */
  follow(handle: SessionHandle, signal: AbortSignal): void;
  /** Keeps it once more, as the last of this session. */
  handOver(): Promise<unknown>;
  /** Resolves when nothing is under way. */
  settled(): Promise<unknown>;
}

export function createWorkKeeper({ mailbox, team, name, task }: Omit<AwaitOptions, "caughtUp">): WorkKeeper {
  let session: SessionHandle | null = null;
  let under: Promise<unknown> = Promise.resolve();
  let kept: Session | null = null;

  const keep = (isLast: boolean): Promise<unknown> =>
    (under = under.then(async () => {
      const state = session?.state ?? null;
      const work = state === null ? null : workOf(state, task);
      if (work === null || (!isLast && kept !== null && isSame(kept, state!))) return;
      kept = state;
      await keepWork(mailbox, { team, name }, { ...work, isLast });
    }));

  return {
    follow(handle, signal) {
      session = handle;
      void keep(false);
      const stop = handle.subscribe((happening) => {
        if (happening.kind === "event" && !isSame(happening.before, happening.session)) void keep(false);
      });
      signal.addEventListener("abort", stop, { once: true });
    },
    handOver: () => keep(true),
    settled: () => under,
  };
}

function isSame(one: Session, other: Session): boolean {
  const { text, comments, rejected } = one.plan;
  const { plan } = other;
  return text === plan.text && comments === plan.comments && rejected === plan.rejected && one.plans === other.plans;
}
