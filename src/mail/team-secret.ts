/** A team's secret: a file for this person alone beside the team's inboxes, made on first use, or the one that the environment names. */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../agent/host/files/file-error.ts";
import { preparePrivate, writeNew } from "./files/inbox.ts";
import { MailboxError } from "./mailbox.ts";

export interface SecretPlace {
  /** The config home. */
  readonly home: string;
  /** GROUNDPLAN_TEAM_SECRET_FILE names a file that is used instead, for every team. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function secretFile(team: string, { home, environment }: SecretPlace): string {
  const named = environment["GROUNDPLAN_TEAM_SECRET_FILE"]?.trim() ?? "";
  return named === "" ? join(home, "teams", team, "secret") : named;
}

/** Rejects with MailboxError, in words that say what to do. */
export async function teamSecret(team: string, place: SecretPlace): Promise<string> {
  const file = secretFile(team, place);
  const found = await readSecret(file);
  if (found !== null) return found;
  if (file !== join(place.home, "teams", team, "secret")) {
    throw new MailboxError(
      `GROUNDPLAN_TEAM_SECRET_FILE names ${file}, which is not there. Copy the team's secret to it (chmod 600).`,
    );
  }
  await makeSecret(file, place.home);
  return (await readSecret(file)) ?? (await teamSecret(team, place));
}

async function readSecret(path: string): Promise<string | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return null;
    throw new MailboxError(`The team's secret ${path} cannot be read (${errnoOf(error) ?? String(error)}).`);
  });
  if (file === null) return null;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new MailboxError(`The team's secret ${path} is no regular file. Remove it.`);
    const isOurs = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
    if (!isOurs) throw new MailboxError(`Others can read the team's secret ${path}. Make it yours alone: chmod 600.`);
    const text = stat.size > 4096 ? "" : (await file.readFile("utf8")).trim();
    if (/^[\x21-\x7e]{32,}$/.test(text)) return text;
    throw new MailboxError(
      `${path} holds no secret: one line of 32 characters at least, without blanks. Copy the team's, or remove it.`,
    );
  } finally {
    await file.close();
  }
}

/** Of several that make one at once, the first counts. */
async function makeSecret(path: string, home: string): Promise<void> {
  await preparePrivate(home, dirname(path));
  await writeNew(path, `${randomBytes(32).toString("base64url")}\n`).catch((error: unknown) => {
    if (errnoOf(error) !== "EEXIST") throw error;
  });
}
