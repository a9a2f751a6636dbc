/** Where the lead's commands work: the team of the settings, its mailbox, and the streams. */
import { configHome, projectRoot } from "../../../agent/host/config-home.ts";
import { createFiles } from "../../../agent/host/files/files.ts";
import { defaultTeam, nameProblem, type Mailbox } from "../../../mail/mailbox.ts";
import type { Streams } from "../../command.ts";
import { tellPerson } from "../../complaint.ts";
import { resolveSettings } from "../../../program/settings/resolve.ts";
import { openTeamMailbox } from "../../../program/team/place.ts";
import type { TakePlace } from "../../../program/team/take-plan.ts";
import type { TeamOptions } from "./wish.ts";
import { isUsageError, type UsageError } from "../../../program/usage-error.ts";
import { plainWish } from "../../../program/wish.ts";

export interface Desk {
  readonly mailbox: Mailbox;
  readonly team: string;
  /** The project in which the command runs. */
  readonly place: TakePlace;
  readonly streams: Streams;
  readonly json: boolean;
}

export async function openDesk(values: TeamOptions["values"], streams: Streams): Promise<Desk | UsageError> {
  const tell = (line: string): void => tellPerson(streams, line);
  const wish = { ...plainWish, settings: values.settings ?? null, trust: values.trust === true };
  const directory = await createFiles().canonical(values.cwd ?? ".", process.cwd());
  const home = configHome();
  const root = await projectRoot(directory);
  const resolved = await resolveSettings({ wish, environment: process.env, directory, root, home, tell });
  if (isUsageError(resolved)) return resolved;
  const { settings } = resolved;
  const team = values.team ?? settings.team.name ?? defaultTeam;
  const problem = nameProblem(team);
  if (problem !== null) return { problem, exitCode: 2 };
  const mailbox = await openTeamMailbox({ settings, home, environment: process.env, tell, reachMs });
  if (isUsageError(mailbox)) return mailbox;
  mailbox.onConnection(({ state, detail }) => state !== "connected" && tell(detail));
  const place = { ...resolved, directory, root, home, tell };
  return { mailbox, team, place, streams, json: values.json === true };
}

/** A person waits in front of the command. */
const reachMs = 5_000;
