/** Trying until the servers acknowledge: a leader that died is followed by another one within seconds. */
import { errorText } from "../../core/error-text.ts";
import { MailboxError } from "../mailbox.ts";
import { pause, unlessAborted } from "../pause.ts";
import type { Link } from "./connect.ts";
import { openStorage, type Storage, type StorageOptions } from "./storage.ts";

export interface Server {
  readonly link: Link;
  /** What the deployment keeps, made when missing. */
  storage(signal: AbortSignal): Promise<Storage>;
  /** Tries until it succeeds. Rejects with MailboxError: when trying again brings nothing, after the time, or with the signal. */
  insist<Result>(attempt: (storage: Storage) => Promise<Result>, options: InsistOptions): Promise<Result>;
}

export interface InsistOptions {
  readonly signal: AbortSignal;
  readonly patienceMs: number;
}

export interface NatsServerOptions extends StorageOptions {
  /** For so long a server is looked for in the first place: as long as an acknowledgement. */
  readonly reachMs: number | undefined;
}

export function createServer(link: Link, options: NatsServerOptions): Server {
  let opened: { readonly connection: unknown; readonly storage: Promise<Storage> } | null = null;
  const storage = async (signal: AbortSignal): Promise<Storage> => {
    const connection = await reach(link, signal, options.reachMs);
    if (opened?.connection !== connection) {
      const opening = openStorage(connection, options);
      opened = { connection, storage: opening };
      opening.catch(() => {
        if (opened?.storage === opening) opened = null;
      });
    }
    return unlessAborted(opened.storage, signal);
  };
  return {
    link,
    storage,
    async insist(attempt, { signal, patienceMs }) {
      const late = AbortSignal.timeout(patienceMs);
      const ending = AbortSignal.any([signal, late]);
      let last: unknown = null;
      for (let wait = 50; ; wait = Math.min(wait * 2, 1000)) {
        try {
          const result = await orReconnected(link, unlessAborted(attempt(await storage(ending)), ending));
          if (result === reconnected) continue;
          link.answered("yes");
          return result;
        } catch (error) {
          if (signal.aborted) throw givenUp(signal);
          if (late.aborted) throw new MailboxError(tooLate(patienceMs, last ?? error, link));
          if (isFinal(error)) throw new MailboxError(reasonOf(error), { cause: error });
          last = error;
          link.answered("no");
        }
        await pause(wait * (0.5 + Math.random()), ending);
      }
    },
  };
}

/** Rejects with MailboxError when no server can be reached in time. */
async function reach(link: Link, signal: AbortSignal, reachMs: number | undefined): ReturnType<Link["ready"]> {
  if (reachMs === undefined) return link.ready(signal);
  const late = AbortSignal.timeout(reachMs);
  try {
    return await link.ready(AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    const { detail } = link.connection();
    throw new MailboxError(`No connection within ${Math.round(reachMs / 1000)} s (${detail}).`, { cause: error });
  }
}

const reconnected = Symbol("reconnected");

/** What was asked over a lost connection is not answered any more. */
function orReconnected<Result>(link: Link, work: Promise<Result>): Promise<Result | typeof reconnected> {
  let stop: (() => void) | undefined;
  const again = new Promise<typeof reconnected>((resolve) => {
    stop = link.onReconnect(() => resolve(reconnected));
  });
  return Promise.race([work, again]).finally(() => stop?.());
}

/** Trying again brings nothing. */
export function isFinal(error: unknown): boolean {
  if (error instanceof MailboxError) return true;
  if (!(error instanceof Error)) return false;
  return error.name === "PermissionViolationError" || error.name === "AuthorizationError" || isFull(error);
}

function reasonOf(error: unknown): string {
  if (isFull(error)) return "The inbox or the server's storage is full. Its reader has to take some messages first.";
  return errorText(error);
}

/** The server keeps no more: of this inbox, or at all. */
function isFull(error: unknown): boolean {
  return error instanceof Error && /maximum (messages|bytes)|insufficient (storage|resources)/i.test(error.message);
}

function givenUp(signal: AbortSignal): MailboxError {
  return signal.reason instanceof MailboxError ? signal.reason : new MailboxError("Sending was given up.");
}

function tooLate(patienceMs: number, last: unknown, link: Link): string {
  const { detail } = link.connection();
  const hasWords = last instanceof Error && last.name !== "TimeoutError" && last.name !== "AbortError";
  const why = hasWords ? `: ${last.message}` : "";
  const isTooFew = last instanceof Error && /no suitable peers|replicas > 1/i.test(last.message);
  const advice = isTooFew ? " Three servers are needed; with fewer set NATS_REPLICAS to 1." : "";
  return `No acknowledgement within ${Math.round(patienceMs / 1000)} s (${detail}${why}).${advice}`;
}
