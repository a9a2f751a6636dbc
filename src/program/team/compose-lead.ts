/** A session that leads a team: its agents with names become teammates, and plans of others come to its own review. */
import type { Seat, TeamHost } from "../../agent/agents/agent-task.ts";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import { attachLead, type Lead } from "./lead.ts";
import { defaultTeam, nameProblem, teamLead, type Mailbox } from "../../mail/mailbox.ts";
import { createTeammate } from "./teammate.ts";
import { openTeamMailbox, takeSeat, tellNews, type TeamPart, type TeamRequest } from "./place.ts";
import { isUsageError } from "../usage-error.ts";

/** Half an hour, unless the teammate was started with another deadline. */
export const answerWithin = 1_800_000;

export function leadingPart(request: TeamRequest, opened: Mailbox | null): TeamPart {
  const { settings, person, home } = request;
  const own = settings.team.name ?? defaultTeam;
  const leads = new Map<string, Lead>();
  /** Names of those who work inside of this session. */
  const inside = new Set<string>();
  const tell = tellNews(request);
  let mailbox = opened;
  let session: SessionHandle | null = null;

  const lead = (team: string, through: Mailbox): void => {
    if (leads.has(team) || session === null) return;
    const isInside = (name: string): boolean => inside.has(`${name}@${team}`);
    leads.set(team, attachLead({ mailbox: through, team, person, session, isInside, now: Date.now, tell }));
  };

  const join: TeamHost["join"] = async ({ name, team, task, onShutdown }) => {
    const joined = team ?? own;
    const problem =
      name === teamLead ? `${teamLead} is the lead's own name.` : (nameProblem(name) ?? nameProblem(joined));
    if (problem !== null) return { problem };
    const through = mailbox ?? (await openTeamMailbox(request));
    if (isUsageError(through)) return { problem: through.problem };
    mailbox = through;
    const seat = await takeSeat(home, { name, team: joined });
    if (isUsageError(seat)) return { problem: seat.problem };
    inside.add(`${name}@${joined}`);
    lead(joined, through);
    const options = { mailbox: through, name, team: joined, task, person, now: Date.now, tell, onShutdown };
    const teammate = createTeammate(options);
    return {
      team: joined,
      answerWithin,
      submitPlan: (submission) => teammate.submitPlan(submission),
      begin: (handle) => teammate.join(handle),
      async leave(status) {
        inside.delete(`${name}@${joined}`);
        await teammate.leave(status);
        await seat.lock.release();
      },
    } satisfies Seat;
  };

  return {
    host: { join },
    begin(handle) {
      session = handle;
      if (opened !== null) lead(own, opened);
    },
    async close() {
      await Promise.all([...leads.values()].map((one) => one.close()));
      await mailbox?.close();
    },
  };
}
