/** A session in its team: as a teammate it asks its lead, as a lead it is shown the plans of others. */
import type { Beginning } from "../../agent/loop/agent.ts";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import { isPlanning } from "../../core/mode.ts";
import { replay } from "../../core/reduce.ts";
import { freshSession } from "../../core/session.ts";
import type { Actor } from "../../core/decide/situation.ts";
import type { Mailbox } from "../../mail/mailbox.ts";
import type { Teammate } from "./teammate.ts";
import { openTeamMailbox, takeSeat, tellNews, type RunEnd, type TeamPart, type TeamRequest } from "./place.ts";
import { isUsageError, type UsageError } from "../usage-error.ts";

/** Loads nothing of teams for a session that is in none. */
export async function composeTeam(request: TeamRequest): Promise<TeamPart | UsageError> {
  const actor = actorOf(request.beginning);
  return actor.kind === "teammate" ? asTeammate(request, actor) : asLead(request);
}

/** What a lead needs is loaded at once where the settings say that it is one, else with the first teammate that it starts. */
async function asLead(request: TeamRequest): Promise<TeamPart | UsageError> {
  const { settings, mayLead = false } = request;
  const { role } = settings.team;
  const isLead = mayLead && (role === "lead" || role === "team-lead");
  const mailbox = isLead ? await openTeamMailbox(request) : null;
  if (mailbox !== null && isUsageError(mailbox)) return mailbox;
  let part: Promise<TeamPart> | null = null;
  let session: SessionHandle | null = null;
  const load = (): Promise<TeamPart> =>
    (part ??= import("./compose-lead.ts").then(({ leadingPart }) => {
      const loaded = leadingPart(request, mailbox);
      if (session !== null) loaded.begin(session);
      return loaded;
    }));
  return {
    host: { join: async (wanted) => (await load()).host!.join(wanted) },
    begin(handle) {
      session = handle;
      if (isLead) void load();
    },
    close: async () => (part === null ? mailbox?.close() : (await part).close()),
  };
}

async function asTeammate(
  request: TeamRequest,
  { name, team }: Extract<Actor, { kind: "teammate" }>,
): Promise<TeamPart | UsageError> {
  const { home, person, wish, onShutdown } = request;
  const mailbox = await openTeamMailbox(request);
  if (isUsageError(mailbox)) return mailbox;
  const taken = await takenFrom(request.beginning, { mailbox, name, team });
  if (taken !== null) {
    await mailbox.close();
    return taken;
  }
  const seat = await takeSeat(home, { name, team });
  if (isUsageError(seat)) {
    await mailbox.close();
    return seat;
  }
  const { createTeammate } = await import("./teammate.ts");
  let isStopped = false;
  let how: RunEnd | null = null;
  let handle: SessionHandle | null = null;
  const teammate: Teammate = createTeammate({
    mailbox,
    name,
    team,
    task: wish.prompt ?? "",
    person,
    /** `--approve` is an answer, given here and now. */
    personFirst: wish.approve !== null,
    now: Date.now,
    tell: tellNews(request),
    onShutdown: () => {
      isStopped = true;
      onShutdown?.();
    },
  });
  return {
    parts: { submitPlan: (submission) => teammate.submitPlan(submission) },
    begin(started) {
      handle = started;
      teammate.join(started);
    },
    interrupt: () => teammate.interrupt(),
    ended: (it) => void (how = it),
    async close() {
      await teammate.leave(isStopped ? "stopped" : endOf(handle, how));
      await mailbox.close();
      await seat.lock.release();
    },
  };
}

/** A plan that goes on elsewhere does not go on here as well (R14.4). */
async function takenFrom(
  beginning: Beginning,
  { mailbox, name, team }: { readonly mailbox: Mailbox; readonly name: string; readonly team: string },
): Promise<UsageError | null> {
  if ("start" in beginning) return null;
  if (beginning.next.some(({ type }) => type === "session-forked")) return null;
  const { id } = beginning.session ?? replay(freshSession(), beginning.past);
  const { readClaim } = await import("./work.ts");
  const found = await readClaim(mailbox, team, id).catch(() => null);
  if (found === null || !found.claim.isDone) return null;
  const { by, host, into } = found.claim;
  const words = `The plan of ${name} was taken by ${by} on ${host}; it goes on in session ${into}.`;
  return { problem: `${words} To go on here all the same: --fork.`, exitCode: 1 };
}

function actorOf(beginning: Beginning): Actor {
  if ("start" in beginning) return beginning.start.actor;
  const today = beginning.next.find((event) => event.type === "session-resumed")?.today;
  return today?.actor ?? (beginning.session ?? replay(freshSession(), beginning.past)).actor;
}

function endOf(handle: SessionHandle | null, how: RunEnd | null): RunEnd | "awaiting_approval" {
  if (handle === null) return "failed";
  const { plan, permissions } = handle.state;
  if (plan.awaiting !== null) return "awaiting_approval";
  return how ?? (isPlanning(permissions) ? "failed" : "done");
}
