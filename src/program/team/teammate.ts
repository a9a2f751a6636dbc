/** A teammate: a session with an inbox of its own, that asks its lead for leave and hears control messages at any time (section 12). */
import { hostname } from "node:os";
import type { Submission } from "../../agent/loop/agent.ts";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Letter } from "../../mail/mailbox.ts";
import { pause, unlessAborted, within } from "../../mail/pause.ts";
import { awaitLead, patience, withdraw } from "./await-lead.ts";
import { hearLead, type TeammateOptions } from "./hear-lead.ts";
import { keepMember, type MemberStatus } from "./roster.ts";
import { createWorkKeeper } from "./work.ts";

export interface Teammate {
  /** Goes into the session's parts: takes a plan to the lead and brings the answer back. */
  submitPlan(submission: Submission): Promise<void>;
  /** Reads the inbox from now on. */
  join(handle: SessionHandle): void;
  /** Waits no longer; a plan that is with the lead stays there, for when the session is resumed. */
  interrupt(): void;
  /** Stops reading, and leaves word of how it ended. */
  leave(status: Extract<MemberStatus, "done" | "failed" | "stopped" | "awaiting_approval">): Promise<void>;
}

export function createTeammate(options: TeammateOptions): Teammate {
  const { mailbox, tell } = options;
  const gone = new AbortController();
  const interrupted = new AbortController();
  const emptied = new AbortController();
  const caughtUp = new Promise<void>((resolve) => emptied.signal.addEventListener("abort", () => resolve()));
  const submissions = new Map<string, Submission>();
  const work = createWorkKeeper(options);
  const roster = keepOnRoster(options);
  let session: SessionHandle | null = null;
  let reading: Promise<unknown> = Promise.resolve();
  let isTaken = false;

  const take = hearLead(options, {
    session: () => session,
    submissions,
    untilGone: () => unlessAborted(new Promise<never>(() => undefined), gone.signal),
    async handOver({ by, into }) {
      isTaken = true;
      tell({ type: "team.taken", by, into });
      for (const { request } of submissions.values()) await withdraw(request, `taken by ${by}`, options);
      await work.handOver();
      options.onShutdown(`taken by ${by}`);
    },
  });

  return {
    async submitPlan(submission) {
      const { id } = submission.request;
      session ??= submission.handle;
      submissions.set(id, submission);
      roster.announce(session, "awaiting_approval");
      /** Whoever finds the plan finds its writer among the members. */
      const stopped = AbortSignal.any([submission.signal, interrupted.signal]);
      await within(
        unlessAborted(roster.settled(), stopped).catch(() => null),
        patience(options),
      );
      await awaitLead(submission, { ...options, caughtUp, interrupted: interrupted.signal });
      submissions.delete(id);
      roster.announce(session, activity(session));
    },
    join(handle) {
      session = handle;
      roster.announce(handle, handle.state.plan.awaiting === null ? activity(handle) : "awaiting_approval");
      const stop = mailbox.onConnection(({ state, detail }) => tell({ type: "team.connection", state, detail }));
      gone.signal.addEventListener("abort", stop, { once: true });
      work.follow(handle, gone.signal);
      reading = readInbox(options, take, { signal: gone.signal, whenEmpty: () => emptied.abort() });
    },
    interrupt: () => interrupted.abort(),
    async leave(status) {
      gone.abort();
      if (session !== null) roster.announce(session, isTaken ? "taken" : status);
      await within(Promise.all([reading, roster.settled(), work.settled()]), patience(options));
    },
  };
}

function keepOnRoster({ mailbox, team, name, task, now }: TeammateOptions) {
  let announced = "";
  let keeping: Promise<unknown> = Promise.resolve();
  return {
    /** Nothing where that is what was said last. */
    announce({ state: { id, plan } }: SessionHandle, status: MemberStatus): void {
      const requestId = plan.awaiting?.id ?? null;
      if (announced === `${status} ${requestId}`) return;
      announced = `${status} ${requestId}`;
      const place = { session: id, host: hostname(), pid: process.pid };
      const record = { name, task, status, requestId, ...place, changedAt: now() };
      keeping = keeping.then(() => keepMember(mailbox, team, record));
    },
    settled: () => keeping,
  };
}

/** What cannot be read is tried again: a teammate without an inbox would be deaf. */
async function readInbox(
  { mailbox, name, team, tell }: TeammateOptions,
  take: (letter: Letter) => Promise<void>,
  { signal, whenEmpty }: { readonly signal: AbortSignal; readonly whenEmpty: () => void },
): Promise<void> {
  for (let tries = 0; !signal.aborted; tries += 1) {
    const ended = await mailbox.receive({ team, agent: name }, take, { signal, whenEmpty });
    if (ended.kind === "ended") return;
    tell({ type: "team.connection", state: "refused", detail: `The inbox cannot be read: ${ended.reason}` });
    await pause(Math.min(10_000, 500 * 2 ** tries), signal);
  }
}

function activity({ state }: SessionHandle): "planning" | "working" {
  return isPlanning(state.permissions) ? "planning" : "working";
}
