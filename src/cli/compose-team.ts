/** A session in its team: as a teammate it asks its lead, as a lead it is shown the plans of others. */
import { join } from "node:path";
import type { AgentParts, Beginning } from "../agent/agent.ts";
import type { Happening, SessionHandle, TeamNews } from "../agent/handle.ts";
import { lockSession, type Lock } from "../agent/host/lock.ts";
import type { Person } from "../agent/ports.ts";
import { isPlanning } from "../core/mode.ts";
import { replay } from "../core/reduce.ts";
import { freshSession } from "../core/session.ts";
import type { Settings } from "../core/settings.ts";
import type { Actor } from "../core/situation.ts";
import type { Lead } from "../faces/team/lead.ts";
import { defaultTeam, type Mailbox } from "../faces/team/mailbox.ts";
import type { Teammate } from "../faces/team/teammate.ts";
import type { SessionArguments } from "./args.ts";
import { newsText } from "./team-news.ts";
import { isUsageError, type UsageError } from "./usage-error.ts";

export interface TeamRequest {
  readonly settings: Settings;
  /** The config home. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly beginning: Beginning;
  readonly args: Pick<SessionArguments, "approve" | "prompt">;
  readonly person: Person;
  /** Whether somebody is there to answer for others. */
  readonly mayLead?: boolean;
  readonly tell: (line: string) => void;
  readonly listen: (happening: Happening) => void;
  /** The lead ended the session. */
  readonly onShutdown?: () => void;
}

/** What a team adds to a session. */
export interface TeamPart {
  readonly parts: Pick<AgentParts, "submitPlan">;
  begin(handle: SessionHandle): void;
  /** Waits no longer for the lead; the request stays as it is. */
  interrupt(): void;
  close(): Promise<void>;
}

const alone: TeamPart = { parts: {}, begin: () => undefined, interrupt: () => undefined, close: async () => undefined };

/** Loads nothing of teams for a session that is in none. */
export async function composeTeam(request: TeamRequest): Promise<TeamPart | UsageError> {
  const { settings, mayLead = false } = request;
  const actor = actorOf(request.beginning);
  if (actor.kind === "teammate" && actor.parent === undefined) return asTeammate(request, actor);
  const { role } = settings.team;
  if (actor.kind === "main" && mayLead && (role === "lead" || role === "team-lead")) return asLead(request);
  return alone;
}

export async function openTeamMailbox(
  request: Pick<TeamRequest, "settings" | "home" | "environment" | "tell">,
): Promise<Mailbox | UsageError> {
  const { settings, home, environment, tell } = request;
  const { transport, natsUrl } = settings.team;
  const { openMailbox } = await import("../faces/team/open-mailbox.ts");
  const url = natsUrl === null ? {} : { natsUrl };
  try {
    return await openMailbox({ transport, home, environment, report: tell, ...url });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), exitCode: 2 };
  }
}

async function asTeammate(
  request: TeamRequest,
  { name, team }: Extract<Actor, { kind: "teammate" }>,
): Promise<TeamPart | UsageError> {
  const { home, person, args, onShutdown } = request;
  const mailbox = await openTeamMailbox(request);
  if (isUsageError(mailbox)) return mailbox;
  const seat = await takeSeat(home, { name, team });
  if (isUsageError(seat)) return seat;
  const { createTeammate } = await import("../faces/team/teammate.ts");
  let isStopped = false;
  let handle: SessionHandle | null = null;
  const teammate: Teammate = createTeammate({
    mailbox,
    name,
    team,
    task: args.prompt ?? "",
    person,
    /** `--approve` is an answer, given here and now. */
    personFirst: args.approve !== null,
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
    async close() {
      await teammate.leave(isStopped ? "stopped" : endOf(handle));
      await mailbox.close();
      await seat.lock.release();
    },
  };
}

async function asLead(request: TeamRequest): Promise<TeamPart | UsageError> {
  const { settings, person } = request;
  const mailbox = await openTeamMailbox(request);
  if (isUsageError(mailbox)) return mailbox;
  const { attachLead } = await import("../faces/team/lead.ts");
  const team = settings.team.name ?? defaultTeam;
  let lead: Lead | null = null;
  return {
    parts: {},
    begin(session) {
      lead = attachLead({ mailbox, team, person, session, now: Date.now, tell: tellNews(request) });
    },
    interrupt: () => undefined,
    async close() {
      await lead?.close();
      await mailbox.close();
    },
  };
}

/** Two processes under one name would read one inbox. */
async function takeSeat(
  home: string,
  { name, team }: { readonly name: string; readonly team: string },
): Promise<{ readonly lock: Lock } | UsageError> {
  const locking = await lockSession(join(home, "teams", team, "members", `${name}.lock`));
  if (locking.kind === "held") return locking;
  const who = locking.pid === null ? "another process" : `process ${locking.pid}`;
  return { problem: `${name} is at work in team ${team} already, in ${who}. Choose another name.`, exitCode: 1 };
}

function tellNews({ tell, listen }: TeamRequest): (news: TeamNews) => void {
  return (news) => {
    listen({ kind: "team", news });
    tell(newsText(news));
  };
}

function actorOf(beginning: Beginning): Actor {
  if ("start" in beginning) return beginning.start.actor;
  return (beginning.session ?? replay(freshSession(), beginning.past)).actor;
}

function endOf(handle: SessionHandle | null): "done" | "failed" | "awaiting_approval" {
  if (handle === null) return "failed";
  const { plan, permissions } = handle.state;
  if (plan.awaiting !== null) return "awaiting_approval";
  return isPlanning(permissions) ? "failed" : "done";
}
