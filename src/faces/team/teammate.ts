/** A teammate: a session with an inbox of its own, that asks its lead for leave and hears control messages at any time (section 12). */
import { hostname } from "node:os";
import type { Submission } from "../../agent/loop/agent.ts";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import { isPlanning } from "../../core/mode.ts";
import { isHeld } from "../../core/decide/situation.ts";
import { awaitLead, patience, withdraw, type AwaitOptions } from "./await-lead.ts";
import { teamLead, type Letter } from "../../mail/mailbox.ts";
import { letterOf, readLetter, type LetterBody, type PlanApprovalResponse } from "./messages.ts";
import { pause, within } from "../../mail/pause.ts";
import { createWorkKeeper } from "./publish-work.ts";
import { keepMember, type MemberStatus } from "./roster.ts";
import { takeAnswer, verdictOf } from "./take-answer.ts";

export interface TeammateOptions extends Omit<AwaitOptions, "caughtUp" | "interrupted"> {
  /** The lead wants this session to end. */
  readonly onShutdown: (reason: string) => void;
}

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
  const { mailbox, name, team, now, tell } = options;
  const gone = new AbortController();
  const interrupted = new AbortController();
  const submissions = new Map<string, Submission>();
  let session: SessionHandle | null = null;
  let reading: Promise<unknown> = Promise.resolve();
  let announced = "";
  let keeping: Promise<unknown> = Promise.resolve();
  let isTaken = false;
  const work = createWorkKeeper({ ...options, interrupted: interrupted.signal });
  const emptied = new AbortController();
  const caughtUp = new Promise<void>((resolve) => emptied.signal.addEventListener("abort", () => resolve()));

  const announce = (status: MemberStatus): void => {
    const requestId = session?.state.plan.awaiting?.id ?? null;
    if (session === null || announced === `${status} ${requestId}`) return;
    announced = `${status} ${requestId}`;
    const { id } = session.state;
    const { task } = options;
    const record = { name, task, status, requestId, session: id, host: hostname(), pid: process.pid, changedAt: now() };
    keeping = keeping.then(() => keepMember(mailbox, team, record));
  };
  const ignore = (from: string, reason: string): void => tell({ type: "team.ignored", from, reason });
  const reply = (to: string, said: LetterBody, id: string): void =>
    void mailbox.send({ team, agent: to }, letterOf(name, said, now()), { id });

  const answered = async (answer: PlanApprovalResponse): Promise<void> => {
    const submission = submissions.get(answer.requestId);
    const awaited = session?.state.plan.awaiting;
    if (submission === undefined || awaited?.id !== answer.requestId)
      return ignore(teamLead, `nobody waits for an answer to ${answer.requestId}`);
    const { deadline } = submission.request;
    if (deadline !== undefined && now() > deadline && Date.parse(answer.timestamp) > deadline)
      return ignore(teamLead, `the answer to ${answer.requestId} came too late`);
    if (answer.approve && isHeld(submission.handle.state.actor)) {
      void untilFree(submission).then(() => apply(submission, answer));
      return;
    }
    await apply(submission, answer);
  };
  const apply = async (submission: Submission, answer: PlanApprovalResponse): Promise<void> => {
    const by = answer.by ?? { user: teamLead, surface: "team" };
    const problem = await takeAnswer(submission, { verdict: verdictOf(answer, submission.request), by, at: now() });
    if (problem !== null) ignore(teamLead, `the answer to ${answer.requestId} does not count: ${problem}`);
  };

  /** The lead ends the session: nobody is to answer its plan any more. */
  const giveUp = async (): Promise<void> => {
    const by = { user: teamLead, surface: "shutdown" };
    for (const submission of submissions.values()) {
      await withdraw(submission.request, "the teammate was stopped", options);
      await takeAnswer(submission, { verdict: { kind: "dismiss" }, by, at: now() });
    }
  };

  /** What it has goes on elsewhere: it stops, and leaves its last word (R14.4). */
  const handOver = async ({ by, into }: { readonly by: string; readonly into: string }): Promise<void> => {
    isTaken = true;
    tell({ type: "team.taken", by, into });
    for (const { request } of submissions.values()) await withdraw(request, `taken by ${by}`, options);
    await work.handOver();
    options.onShutdown(`taken by ${by}`);
  };

  const take = async (letter: Letter): Promise<void> => {
    const read = readLetter(letter);
    if ("ignored" in read) return ignore(letter.from, read.ignored);
    const { message } = read;
    if (letter.from !== teamLead) return ignore(letter.from, `its ${message.type} counts only from the lead`);
    switch (message.type) {
      case "plan_approval_response":
        return answered(message);
      case "shutdown_request": {
        const { requestId, reason = "", session: meant } = message;
        if (meant !== undefined && meant !== session?.state.id)
          return ignore(letter.from, `its ${message.type} is for another session, ${meant}`);
        reply(teamLead, { type: "shutdown_response", requestId, approve: true }, `${requestId}:answer`);
        tell({ type: "team.shutdown", from: letter.from, reason });
        await giveUp();
        return options.onShutdown(reason);
      }
      case "plan_taken":
        if (message.session === session?.state.id) return handOver(message);
        return ignore(letter.from, `its ${message.type} is for another session, ${message.session}`);
      case "status_request": {
        const { requestId } = message;
        const { mode, awaiting, id } = statusOf(session);
        const status = awaiting === null ? "working" : "awaiting_approval";
        const report = { type: "status_report", requestId, status, mode, session: id, awaiting } as const;
        return reply(teamLead, report, `${requestId}:answer`);
      }
      default:
        return ignore(letter.from, `a teammate has no use for ${message.type}`);
    }
  };

  return {
    async submitPlan(submission) {
      const { id } = submission.request;
      session ??= submission.handle;
      submissions.set(id, submission);
      announce("awaiting_approval");
      await awaitLead(submission, { ...options, caughtUp, interrupted: interrupted.signal });
      submissions.delete(id);
      announce(activity(session));
    },
    join(handle) {
      session = handle;
      announce(handle.state.plan.awaiting === null ? activity(handle) : "awaiting_approval");
      const stop = mailbox.onConnection(({ state, detail }) => tell({ type: "team.connection", state, detail }));
      gone.signal.addEventListener("abort", stop, { once: true });
      work.follow(handle, gone.signal);
      reading = readInbox(options, take, { signal: gone.signal, whenEmpty: () => emptied.abort() });
    },
    interrupt: () => interrupted.abort(),
    async leave(status) {
      gone.abort();
      announce(isTaken ? "taken" : status);
      await within(Promise.all([reading, keeping, work.settled()]), patience(options));
    },
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

/** Nothing is granted while the session above plans: a yes is kept until that is over (B1.7). */
function untilFree({ handle, signal }: Submission): Promise<void> {
  return new Promise((resolve) => {
    const isFree = (): boolean => signal.aborted || handle.state.plan.awaiting === null || !isHeld(handle.state.actor);
    if (isFree()) return resolve();
    const stop = handle.subscribe(() => {
      if (!isFree()) return;
      stop();
      resolve();
    });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function activity(handle: SessionHandle | null): "planning" | "working" {
  return handle !== null && isPlanning(handle.state.permissions) ? "planning" : "working";
}

function statusOf(handle: SessionHandle | null): { mode: string; awaiting: string | null; id: string } {
  const state = handle?.state;
  return {
    mode: state?.permissions.mode.current ?? "",
    awaiting: state?.plan.awaiting?.id ?? null,
    id: state?.id ?? "",
  };
}
