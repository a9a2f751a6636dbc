/** A team's place on this machine: its mailbox, and who sits where. */
import { join } from "node:path";
import type { SessionParts, Beginning } from "../../agent/loop/agent.ts";
import type { TeamHost } from "../../agent/agents/agent-task.ts";
import type { Happening, SessionHandle, TeamNews } from "../../agent/ports/handle.ts";
import { lockSession, type Lock } from "../../agent/host/files/lock.ts";
import type { Person } from "../../agent/ports/ports.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Mailbox } from "../../mail/mailbox.ts";
import type { OpenMailboxOptions } from "../../mail/open-mailbox.ts";
import type { SessionWish } from "../wish.ts";
import type { UsageError } from "../usage-error.ts";

export interface MailboxRequest extends Pick<OpenMailboxOptions, "home" | "environment" | "reachMs"> {
  readonly settings: Settings;
  readonly tell: (line: string) => void;
}

export interface TeamRequest extends MailboxRequest {
  readonly beginning: Beginning;
  readonly wish: Pick<SessionWish, "approve" | "prompt">;
  readonly person: Person;
  /** Whether somebody is there to answer for others. */
  readonly mayLead?: boolean;
  readonly listen: (happening: Happening) => void;
  /** The lead ended the session. */
  readonly onShutdown?: () => void;
}

/** What a team adds to a session. */
export interface TeamPart {
  readonly parts?: Pick<SessionParts, "submitPlan">;
  /** How agents with a name join; teammates start none. */
  readonly host?: TeamHost;
  begin(handle: SessionHandle): void;
  /** Waits no longer for the lead; the request stays as it is. */
  interrupt?(): void;
  /** What the team is told of how it ended, where the face knows. */
  ended?(how: RunEnd): void;
  close(): Promise<void>;
}

export type RunEnd = "done" | "failed" | "stopped";

export async function openTeamMailbox(request: MailboxRequest): Promise<Mailbox | UsageError> {
  const { transport, natsUrl } = request.settings.team;
  const { openMailbox } = await import("../../mail/open-mailbox.ts");
  try {
    return await openMailbox({ ...request, transport, natsUrl: natsUrl ?? undefined, report: request.tell });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error), exitCode: 2 };
  }
}

/** Two processes under one name would read one inbox. */
export async function takeSeat(
  home: string,
  { name, team }: { readonly name: string; readonly team: string },
): Promise<{ readonly lock: Lock } | UsageError> {
  const locking = await lockSession(join(home, "teams", team, "members", `${name}.lock`));
  if (locking.kind === "held") return locking;
  const who = locking.pid === null ? "another process" : `process ${locking.pid}`;
  return { problem: `${name} is at work in team ${team} already, in ${who}. Choose another name.`, exitCode: 1 };
}

export function tellNews({ listen }: Pick<TeamRequest, "listen">): (news: TeamNews) => void {
  return (news) => listen({ kind: "team", news });
}
