/** The mailbox that the settings ask for; what talks to NATS is loaded only then. */
import { MailboxError, type Mailbox } from "./mailbox.ts";
import { createFileMailbox } from "./mailbox-files.ts";

export interface OpenMailboxOptions {
  /** `team.transport` */
  readonly transport: "files" | "nats";
  /** The config home. */
  readonly home: string;
  /** `team.natsUrl` */
  readonly natsUrl?: string | undefined;
  /** Besides credentials (see NatsAccess): NATS_URL where the settings name no server, NATS_REPLICAS for the number of copies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly report: (problem: string) => void;
  /** For so long an acknowledgement is waited for: 30 s. */
  readonly patienceMs?: number;
}

/** Rejects with MailboxError when the settings do not suffice. */
export async function openMailbox(options: OpenMailboxOptions): Promise<Mailbox> {
  const { transport, home, natsUrl, environment, report, patienceMs } = options;
  const patience = patienceMs === undefined ? {} : { patienceMs };
  if (transport === "files") return createFileMailbox({ home, report, ...patience });
  const url = natsUrl ?? environment["NATS_URL"];
  if (url === undefined || url.trim() === "") {
    throw new MailboxError(
      'The team\'s transport is "nats", but team.natsUrl is not set (for example nats://host:4222).',
    );
  }
  const replicas = copiesOf(environment["NATS_REPLICAS"]);
  const { createNatsMailbox } = await import("./mailbox-nats.ts");
  return createNatsMailbox({ url, environment, report, ...patience, ...(replicas !== undefined && { replicas }) });
}

function copiesOf(given: string | undefined): number | undefined {
  if (given === undefined || given.trim() === "") return undefined;
  if (/^[1-5]$/.test(given.trim())) return Number(given);
  throw new MailboxError(`NATS_REPLICAS is ${JSON.stringify(given)}: use a number from 1 to 5.`);
}
