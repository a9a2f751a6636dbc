/** Who is in a team and at what, and asking one of them to end. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { makeVisible } from "../../../core/wire/visible.ts";
import { teamLead } from "../../../mail/mailbox.ts";
import { letterOf } from "../../../program/team/messages.ts";
import { lookAtInbox, type PendingPlan } from "../../../program/team/requests.ts";
import { readMembers, type Member } from "../../../program/team/roster.ts";
import { answer, answerJson } from "../../command.ts";
import { complain } from "../../complaint.ts";
import type { Desk } from "./desk.ts";
import { ageText } from "./text.ts";
import type { TeamWish } from "./wish.ts";

export async function status({ mailbox, team, streams, json }: Desk): Promise<number> {
  const members = await membersNow({ mailbox, team });
  if (json) return answerJson(streams, members);
  if (members.length === 0) return answer(streams, `Nobody is in team ${team} yet.`);
  const rows = members.map(({ name, status: what, task, session, changedAt }) => {
    const since = ageText(Date.now() - changedAt);
    return makeVisible(`${name}  ${what} for ${since}  ${task}  ${session}`);
  });
  return answer(streams, rows.join("\n"));
}

/** What a member wrote of itself, and what its inbox shows already: its plan can be with the lead before its record says so. */
async function membersNow({ mailbox, team }: Pick<Desk, "mailbox" | "team">): Promise<readonly MemberNow[]> {
  const members = (await readMembers(mailbox, team)).map(asNow);
  const { pending } = await lookAtInbox(mailbox, team, Date.now());
  return members.map((member) => waitingOr(member, pending));
}

function waitingOr(member: MemberNow, pending: readonly PendingPlan[]): MemberNow {
  const waiting = isBusy(member.status) ? pending.find(({ from }) => from === member.name) : undefined;
  return waiting === undefined ? member : { ...member, status: "awaiting_approval", requestId: waiting.id };
}

type MemberNow = Omit<Member, "status"> & { readonly status: string };

/** A process of this machine that is gone cannot be at work any more. */
function asNow(member: Member): MemberNow {
  return isAtWork(member.status) && isGone(member) ? { ...member, status: "gone" } : member;
}

export function isGone({ host, pid }: Pick<Member, "host" | "pid">): boolean {
  return host === hostname() && !isAlive(pid);
}

export function isAtWork(status: string): boolean {
  return isBusy(status) || status === "awaiting_approval";
}

function isBusy(status: string): boolean {
  return status === "planning" || status === "working";
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

export async function stop(
  { id, reason }: Extract<TeamWish, { verb: "stop" }>,
  { mailbox, team, streams }: Desk,
): Promise<number> {
  const member = (await readMembers(mailbox, team)).map(asNow).find(({ name }) => name === id);
  if (member === undefined) return complain(streams, `Nobody called ${id} is in team ${team}; see team status.`, 1);
  const { session, status: what } = member;
  if (!isAtWork(what)) return complain(streams, `${id} is not at work (${what}); nobody was asked to end.`, 1);
  const requestId = `shutdown:${id}@${team}:${randomUUID()}`;
  const said = { type: "shutdown_request", requestId, reason, session } as const;
  const sent = await mailbox.send({ team, agent: id }, letterOf(teamLead, said, Date.now()), { id: requestId });
  if (sent.kind === "refused") return complain(streams, `${id} was not asked to end: ${sent.reason}`, 1);
  return answer(streams, `Asked ${id}@${team} to end.`);
}
