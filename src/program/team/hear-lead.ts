/** What a teammate does on a letter of its lead: an answer to its plan, the end, a question how it stands. */
import type { Submission } from "../../agent/loop/agent.ts";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import { isHeld } from "../../core/decide/situation.ts";
import { teamLead, type Letter } from "../../mail/mailbox.ts";
import { withdraw, type AwaitOptions } from "./await-lead.ts";
import { letterOf, readLetter, type LetterBody, type PlanApprovalResponse } from "./messages.ts";
import { hasCounted, takeAnswer, takeResponse, untilSo } from "./take-answer.ts";

export interface TeammateOptions extends Omit<AwaitOptions, "caughtUp" | "interrupted"> {
  /** The lead wants this session to end. */
  readonly onShutdown: (reason: string) => void;
}

export interface Standing {
  session(): SessionHandle | null;
  /** Plans that are with the lead. */
  readonly submissions: ReadonlyMap<string, Submission>;
  /** Rejects when no more letters are read: the one that waits for it stays in the inbox. */
  untilGone(): Promise<never>;
  /** What it has goes on elsewhere: it stops, and leaves its last word (R14.4). */
  handOver(to: { readonly by: string; readonly into: string }): Promise<void>;
}

export function hearLead(options: TeammateOptions, standing: Standing): (letter: Letter) => Promise<void> {
  const { mailbox, name, team, now, tell } = options;
  const ignore = (from: string, reason: string): void => tell({ type: "team.ignored", from, reason });
  const reply = (said: LetterBody & { readonly requestId: string }): void =>
    void mailbox.send({ team, agent: teamLead }, letterOf(name, said, now()), { id: `${said.requestId}:answer` });

  return async (letter) => {
    const read = readLetter(letter);
    if ("ignored" in read) return ignore(letter.from, read.ignored);
    const { message } = read;
    const { type, requestId } = message;
    if (letter.from !== teamLead) return ignore(letter.from, `its ${type} counts only from the lead`);
    const session = standing.session()?.state;
    const meant = "session" in message ? message.session : undefined;
    const isForOther = meant !== undefined && meant !== session?.id;
    const forOther = `its ${type} is for another session, ${meant}`;
    switch (type) {
      case "plan_approval_response":
        return answered(message, options, standing);
      case "shutdown_request": {
        if (isForOther) return ignore(letter.from, forOther);
        const { reason = "" } = message;
        reply({ type: "shutdown_response", requestId, approve: true });
        tell({ type: "team.shutdown", from: letter.from, reason });
        await giveUp(options, standing);
        return options.onShutdown(reason);
      }
      case "plan_taken":
        return isForOther ? ignore(letter.from, forOther) : standing.handOver(message);
      case "status_request": {
        const awaiting = session?.plan.awaiting?.id ?? null;
        const status = awaiting === null ? "working" : "awaiting_approval";
        const mode = session?.permissions.mode.current ?? "";
        return reply({ type: "status_report", requestId, status, mode, session: session?.id ?? "", awaiting });
      }
      default:
        return ignore(letter.from, `a teammate has no use for ${type}`);
    }
  };
}

async function answered(answer: PlanApprovalResponse, options: TeammateOptions, standing: Standing): Promise<void> {
  const { now, tell } = options;
  const { requestId } = answer;
  const ignore = (reason: string): void => tell({ type: "team.ignored", from: teamLead, reason });
  const submission = standing.submissions.get(requestId);
  const state = standing.session()?.state;
  const isAwaited = state?.plan.awaiting?.id === requestId;
  /** Nobody waits here any more, but the session that is resumed will. */
  if (isAwaited && submission === undefined) return standing.untilGone();
  if (submission === undefined || !isAwaited) {
    const isTaken = state !== undefined && (await hasCounted(answer, state, options));
    return isTaken ? undefined : ignore(`nobody waits for an answer to ${requestId}`);
  }
  const { deadline } = submission.request;
  if (deadline !== undefined && now() > deadline && Date.parse(answer.timestamp) > deadline)
    return ignore(`the answer to ${requestId} came too late`);
  if (!answer.approve || !isHeld(submission.handle.state.actor))
    return void (await takeResponse(submission, answer, options));
  void untilFree(submission).then(() => takeResponse(submission, answer, options));
}

/** The lead ends the session: nobody is to answer its plan any more. */
async function giveUp(options: TeammateOptions, { submissions }: Standing): Promise<void> {
  const by = { user: teamLead, surface: "shutdown" };
  for (const submission of submissions.values()) {
    await withdraw(submission.request, "the teammate was stopped", options);
    await takeAnswer(submission, { verdict: { kind: "dismiss" }, by, at: options.now() });
  }
}

/** Nothing is granted while the session above plans: a yes is kept until that is over (B1.7). */
function untilFree(submission: Submission): Promise<void> {
  const { handle } = submission;
  return untilSo(submission, () => handle.state.plan.awaiting === null || !isHeld(handle.state.actor));
}
