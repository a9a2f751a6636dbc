/** The mailbox that the settings ask for, sealed with the team's secret; what talks to NATS is loaded only then. */
import { dirname } from "node:path";
import { MailboxError, type Address, type Mailbox } from "./mailbox.ts";
import { createFileMailbox } from "./files/mailbox.ts";
import { inboxPaths, preparePrivate } from "./files/inbox.ts";
import { openTaken } from "./files/taken.ts";
import { sealMailbox, type TakenMemory } from "./mailbox-sealed.ts";
import { secretFile, teamSecret } from "./team-secret.ts";

export interface OpenMailboxOptions {
  /** `team.transport` */
  readonly transport: "files" | "nats";
  /** The config home. */
  readonly home: string;
  /** `team.natsUrl` */
  readonly natsUrl?: string | undefined;
  /** Besides credentials (see NatsAccess): NATS_URL where the settings name no server, NATS_REPLICAS for the number of copies, GROUNDPLAN_TEAM_SECRET_FILE (see SecretPlace). */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly report: (problem: string) => void;
  /** For so long a server is looked for: 30 s. One that was found has its time, since another may have to take its place. */
  readonly reachMs?: number;
}

/** Rejects with MailboxError when the settings do not suffice. */
export async function openMailbox(options: OpenMailboxOptions): Promise<Mailbox> {
  const { home, environment, report, transport } = options;
  return sealMailbox(await openTransport(options), {
    secret: (team) => teamSecret(team, { home, environment }),
    secretFile: (team) => secretFile(team, { home, environment }),
    report,
    ...(transport === "nats" ? { taken: (inbox: Address) => takenHere(home, inbox) } : {}),
  });
}

/** NATS forgets ids after a week: so long ago could be said again what was taken, so this machine remembers it as well. */
async function takenHere(home: string, inbox: Address): Promise<TakenMemory> {
  const { arriving, taken } = inboxPaths(home, inbox);
  await preparePrivate(home, dirname(arriving));
  return openTaken(taken);
}

async function openTransport(options: OpenMailboxOptions): Promise<Mailbox> {
  const { transport, home, natsUrl, environment, report, reachMs } = options;
  if (transport === "files") return createFileMailbox({ home, report });
  const url = natsUrl ?? environment["NATS_URL"];
  if (url === undefined || url.trim() === "") {
    throw new MailboxError(
      'The team\'s transport is "nats", but team.natsUrl is not set (for example nats://host:4222).',
    );
  }
  const replicas = copiesOf(environment["NATS_REPLICAS"]);
  const { createNatsMailbox } = await import("./nats/mailbox.ts");
  return createNatsMailbox({ url, environment, report, reachMs, replicas });
}

function copiesOf(given: string | undefined): number | undefined {
  if (given === undefined || given.trim() === "") return undefined;
  if (/^[1-5]$/.test(given.trim())) return Number(given);
  throw new MailboxError(`NATS_REPLICAS is ${JSON.stringify(given)}: use a number from 1 to 5.`);
}
