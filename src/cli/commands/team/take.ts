/** `groundplan team take`: a teammate's plan goes on here; the teammate is told, and stops (R14.4). */
import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { nearest } from "../../../core/nearest.ts";
import { hashText } from "../../../core/plan/hash.ts";
import { titleOf } from "../../../core/plan/outline.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { withdraw } from "../../../program/team/await-lead.ts";
import { letterOf } from "../../../program/team/messages.ts";
import { keepMember, readMembers, type Member } from "../../../program/team/roster.ts";
import { putClaim, readClaim, readWork } from "../../../program/team/work.ts";
import type { KeptClaim, TakeClaim, Work } from "../../../program/team/work.ts";
import { teamLead } from "../../../mail/mailbox.ts";
import { pause } from "../../../mail/pause.ts";
import { takeUpPlan, type Taking } from "../../../program/team/take-plan.ts";
import { isUsageError } from "../../../program/usage-error.ts";
import { answer, answerJson } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { counted } from "../plans/screen.ts";
import type { Desk } from "./desk.ts";
import { isAlive, isAtWork, isGone } from "./members.ts";
import { ageText, sizeText } from "./text.ts";

export async function take(name: string, desk: Desk): Promise<number> {
  const { mailbox, team, streams } = desk;
  const members = await readMembers(mailbox, team);
  const member = members.find((one) => one.name === name);
  if (member === undefined) return complain(streams, unknownName(name, members, team), 1);
  const begun = await readWork(mailbox, { team, name });
  if (begun === null || begun.session !== member.session)
    return complain(streams, `${name} has no plan yet that could be taken; see groundplan team status.`, 1);
  const claimed = await claimPlan(member, desk);
  if (typeof claimed === "string") return complain(streams, claimed, 1);
  const { claim, revision } = claimed;
  const work = await lastWork(begun, { member, claimed, desk });
  const taking: Taking = { into: claim.into, agent: `${name}@${team}`, work };
  const taken = await takeUpPlan(taking, desk.place);
  if (isUsageError(taken)) return complain(streams, `${taken.problem} Nothing is lost: take it again.`, taken.exitCode);
  const at = { team, session: member.session, expected: revision };
  const done = await putClaim(mailbox, at, { ...claim, isDone: true });
  if (!("kept" in done)) return complain(streams, `The plan of ${name} ${otherWords(done)}`, 1);
  await keepMember(mailbox, team, { ...member, status: "taken", requestId: null, changedAt: Date.now() });
  return tellTaken(taking, taken.file, desk);
}

function unknownName(name: string, members: readonly Member[], team: string): string {
  const names = members.map((one) => one.name);
  const meant = nearest(name, names);
  const hint = meant === null ? "see groundplan team status" : `did you mean ${meant}?`;
  return `Nobody called ${JSON.stringify(name)} is in team ${team}; ${hint}`;
}

/** One alone may take it; a try that was stopped half way is gone on with. */
async function claimPlan({ name, session }: Member, { mailbox, team }: Desk): Promise<KeptClaim | string> {
  const found = await readClaim(mailbox, team, session);
  if (found !== null && !isLeftBehind(found.claim)) return `The plan of ${name} ${otherWords({ other: found.claim })}`;
  const isOurs = found?.claim.host === hostname();
  const claim: TakeClaim = {
    into: isOurs ? found.claim.into : randomUUID(),
    by: userInfo().username,
    host: hostname(),
    pid: process.pid,
    at: Date.now(),
    isDone: false,
  };
  const put = await putClaim(mailbox, { team, session, expected: found?.revision ?? 0 }, claim);
  return "kept" in put ? { claim, revision: put.kept } : `The plan of ${name} ${otherWords(put)}`;
}

function isLeftBehind({ isDone, host, pid, at }: TakeClaim): boolean {
  if (isDone) return false;
  return (host === hostname() && !isAlive(pid)) || Date.now() - at > longestTaking;
}

function otherWords(other: { readonly other: TakeClaim } | { readonly problem: string }): string {
  if ("problem" in other) return `was not taken: ${other.problem.replace(/\.$/, "")}.`;
  const { by, host, at, into, isDone } = other.other;
  const who = `${makeVisible(by)} on ${makeVisible(host)}`;
  if (isDone)
    return `was taken by ${who} ${ageText(Date.now() - at)} ago; it goes on there: groundplan --resume ${into}`;
  return `is being taken by ${who} just now. If that was stopped half way, try again in ${ageText(at + longestTaking - Date.now())}.`;
}

/** After so many milliseconds a taking that came to no end is void. */
const longestTaking = 600_000;

/** Tells the teammate, and waits for its last word as long as it can be there. */
async function lastWork(
  begun: Work,
  { member, claimed, desk }: { readonly member: Member; readonly claimed: KeptClaim; readonly desk: Desk },
): Promise<Work> {
  const { mailbox, team, streams } = desk;
  const { name, session, requestId } = member;
  const { by, into } = claimed.claim;
  const id = `taken:${name}@${team}:${session}:${claimed.revision}`;
  const said = { type: "plan_taken", requestId: id, session, into, by } as const;
  const sent = await mailbox.send({ team, agent: name }, letterOf(teamLead, said, Date.now()), { id });
  if (sent.kind === "refused") tellPerson(streams, `${name} could not be told: ${sent.reason}`);
  const newest = async (): Promise<Work> => {
    const found = await readWork(mailbox, { team, name });
    return found?.session === session ? found : begun;
  };
  const mayAnswer = (work: Work): boolean => isAtWork(member.status) && !work.isLast && !isGone(member);
  const end = Date.now() + longestFarewell;
  let work = await newest();
  while (mayAnswer(work) && Date.now() < end) {
    await pause(lookEvery);
    work = await newest();
  }
  if (mayAnswer(work))
    tellPerson(streams, `${name} did not answer: taken is what it had sent by then. It stops when it reads of it.`);
  if (requestId !== null) await withdraw({ id: requestId }, `taken by ${by}`, { mailbox, team, now: Date.now });
  return newest();
}

const longestFarewell = 20_000;
const lookEvery = 100;

function tellTaken({ into, agent, work }: Taking, file: string, { streams, json }: Desk): number {
  const { text, record, comments } = work;
  const title = titleOf(text);
  const revisions = record.revisions.length;
  if (json) {
    const told = { agent, sessionId: into, file, title, hash: hashText(text), revisions };
    return answerJson(streams, { ...told, comments: comments.length, from: work.session });
  }
  const open = comments.length === 0 ? "" : `, ${counted(comments.length, "open comment")}`;
  const rows = [
    `Took the plan of ${makeVisible(agent)}: ${makeVisible(title)}`,
    `Plan: ${makeVisible(file)} (${sizeText(text)}, ${counted(revisions, "revision")}${open})`,
    `Go on: groundplan --resume ${into}`,
  ];
  return answer(streams, rows.join("\n"));
}
