/** The lead's side of teammate plans from the command line: look, approve, reject, and who is there. */
import { userInfo } from "node:os";
import { workingModes, type WorkingMode } from "../../../core/mode.ts";
import { present } from "../../../core/present.ts";
import { hasHidden, makeVisible } from "../../../core/wire/visible.ts";
import { MailboxError } from "../../../mail/mailbox.ts";
import {
  answerPlan,
  lookAtInbox,
  tidyInbox,
  type LeadDecision,
  type PendingPlan,
} from "../../../program/team/requests.ts";
import { answer, answerJson, type Command } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { openDesk, type Desk } from "./desk.ts";
import { status, stop } from "./members.ts";
import { ageText, leftText, sizeText } from "./text.ts";
import { parseTeamOptions, wishOf, type TeamWish } from "./wish.ts";
import { isUsageError, type UsageError } from "../../../program/usage-error.ts";

export const leadTeam: Command = async ([verb = "", ...args], streams) => {
  const parsed = parseTeamOptions(args);
  if ("problem" in parsed) return complain(streams, parsed.problem, 2);
  const wish = wishOf(verb, parsed);
  if ("problem" in wish) return complain(streams, wish.problem, 2);
  const desk = await openDesk(parsed.values, streams);
  if (isUsageError(desk)) return complain(streams, desk.problem, desk.exitCode);
  try {
    return await perform(wish, desk);
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error;
    return complain(streams, `The team's messages cannot be read: ${error.message}`, 1);
  } finally {
    await desk.mailbox.close();
  }
};

async function perform(wish: TeamWish, desk: Desk): Promise<number> {
  switch (wish.verb) {
    case "inbox":
      return inbox(desk);
    case "status":
      return status(desk);
    case "stop":
      return stop(wish, desk);
    case "take":
      return (await import("./take.ts")).take(wish.id, desk);
    case "show":
    case "approve":
    case "reject": {
      const found = await findPlan(wish.id, desk);
      if (isUsageError(found)) return complain(desk.streams, found.problem, found.exitCode);
      return wish.verb === "show" ? show(found, desk) : decideOn(found, wish, desk);
    }
  }
}

async function inbox({ mailbox, team, streams, json }: Desk): Promise<number> {
  const now = Date.now();
  const looked = await lookAtInbox(mailbox, team, now);
  await tidyInbox(mailbox, team, looked);
  if (json) return answerJson(streams, looked.pending.map(asJson));
  if (looked.pending.length === 0) return answer(streams, `No plan waits in team ${team}.`);
  const rows = looked.pending.map(({ id, agent, title, submittedAt, deadline, plan, revision }) => {
    const times = `${ageText(now - submittedAt)} old, ${leftText(deadline, now)}`;
    return makeVisible(`${id}\n  ${title}\n  ${agent}, revision ${revision}, ${sizeText(plan)}, ${times}`);
  });
  return answer(streams, rows.join("\n"));
}

async function show(found: PendingPlan, { streams, json }: Desk): Promise<number> {
  const { id, agent, plan, hash, path, deadline } = found;
  const { task = "" } = found.message;
  if (json) return answerJson(streams, { ...asJson(found), text: plan });
  const rows = [
    makeVisible(plan).trimEnd(),
    "",
    `From: ${makeVisible(agent)}${task === "" ? "" : `, for: ${makeVisible(task)}`}`,
    `Plan: ${makeVisible(path)}`,
    `Hash: ${hash}`,
    `Size: ${sizeText(plan)}, ${leftText(deadline, Date.now())}`,
    `Answer: groundplan team approve ${makeVisible(id)}`,
  ];
  answer(streams, rows.join("\n"));
  if (hasHidden(plan)) tellPerson(streams, "the plan holds hidden characters; they are shown as escapes.");
  return 0;
}

async function decideOn(
  plan: PendingPlan,
  wish: Extract<TeamWish, { verb: "approve" | "reject" }>,
  { mailbox, streams }: Desk,
): Promise<number> {
  if (wish.verb === "approve") {
    const { mode, hash } = wish;
    if (hash !== undefined && hash !== plan.hash)
      return complain(streams, `The plan that waits has another hash, ${plan.hash}; nothing was approved.`, 1);
    const { modes = workingModes } = plan.message;
    if (mode !== undefined && !modes.includes(mode))
      return complain(
        streams,
        `${plan.agent} can be granted ${modes.join(", ")}, not ${mode}; nothing was approved.`,
        1,
      );
  }
  const by = { user: userInfo().username, surface: "command line" };
  const answering = await answerPlan(mailbox, plan, { decision: decisionOf(wish, plan), by, now: Date.now() });
  switch (answering.kind) {
    case "answered":
      answer(streams, makeVisible(`${wish.verb === "approve" ? "Approved" : "Rejected"} ${plan.id} of ${plan.agent}.`));
      if (answering.untold !== undefined)
        tellPerson(streams, `${plan.agent} could not be told yet, and finds the answer by itself: ${answering.untold}`);
      if (wish.verb === "approve") streams.stderr.write(makeVisible(hintFor(wish.mode ?? plan.message.returnTo, plan)));
      return 0;
    case "closed":
      return complain(streams, `${plan.id} needs no answer any more (${answering.why}); yours does not count.`, 1);
    case "failed":
      return complain(streams, `${plan.id} was not answered: ${answering.reason.replace(/\.$/, "")}.`, 1);
  }
}

/** In default mode each edit is asked about, where the teammate runs. */
function hintFor(mode: WorkingMode | undefined, { agent, message }: PendingPlan): string {
  const modes: readonly WorkingMode[] = message.modes ?? workingModes;
  if (mode !== "default" || !modes.includes("acceptEdits")) return "";
  return `groundplan: ${agent} works in default mode: it asks before each edit, and headless nobody answers. Next time: --mode acceptEdits.\n`;
}

function decisionOf(wish: Extract<TeamWish, { verb: "approve" | "reject" }>, { hash }: PendingPlan): LeadDecision {
  if (wish.verb === "reject") return { approve: false, feedback: wish.feedback };
  const { mode, notes } = wish;
  return { approve: true, hash, ...present({ mode, notes }) };
}

/** By its id, a part of it, or the teammate's name. */
async function findPlan(wanted: string, { mailbox, team }: Desk): Promise<PendingPlan | UsageError> {
  const { pending, dead } = await lookAtInbox(mailbox, team, Date.now());
  const exact = pending.filter(({ id, from, agent }) => id === wanted || from === wanted || agent === wanted);
  const near = exact.length > 0 ? exact : pending.filter(({ id }) => wanted.length >= 4 && id.includes(wanted));
  if (near.length === 1) return near[0]!;
  if (near.length > 1) return { problem: `${near.length} plans fit ${wanted}; give more of the id.`, exitCode: 2 };
  const why = dead.get(wanted) ?? "";
  if (why !== "") return { problem: `${wanted} needs no answer any more: ${why}.`, exitCode: 1 };
  const problem = `No plan ${JSON.stringify(wanted)} waits in team ${team}; see groundplan team inbox.`;
  return { problem, exitCode: 1 };
}

function asJson(pending: PendingPlan): object {
  const { id, agent, from, title, hash, path, revision, submittedAt, deadline, plan, message } = pending;
  const bytes = Buffer.byteLength(plan, "utf8");
  const { modes = workingModes, returnTo = null, task = "" } = message;
  return { id, from, agent, title, hash, path, revision, submittedAt, deadline, bytes, modes, returnTo, task };
}
