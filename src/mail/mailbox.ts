/** The port through which teammates and their lead write to each other, and the contract that every driver keeps (R12.4, B9.2). */

/** Whose inbox. A name that could leave a folder or break a subject is refused (`nameProblem`). */
export interface Address {
  readonly team: string;
  readonly agent: string;
}

export interface TeamMessage {
  /** The sender's name within the team. */
  readonly from: string;
  /** What is said, as JSON. */
  readonly text: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The team's seal, which `sealMailbox` adds and checks; a driver only carries it. */
  readonly mac?: string;
}

/**
 * A message on its way: sending it again with the same id never delivers it twice, as long as the id is remembered
 * after the letter was taken: files keep the last 10 000 of an inbox at least, NATS those of a week.
 */
export interface Letter extends TeamMessage {
  readonly id: string;
}

export interface SendOptions {
  /** Chosen by the sender and kept for every retry, also after a restart. At most 200 of `A-Z a-z 0-9 _ . : @ + = -`. */
  readonly id: string;
  /** Gives up early; the result is then `refused`. */
  readonly signal?: AbortSignal;
}

export type Sending =
  /** Durably accepted: it will be handed over. Also when the same id was accepted before. */
  | { readonly kind: "sent" }
  /**
   * Not acknowledged. `mayArrive` is true when it was on its way and nobody can say whether it was accepted;
   * trying again with the same id is safe in every case.
   */
  | { readonly kind: "refused"; readonly reason: string; readonly mayArrive: boolean };

export interface ReceiveOptions {
  readonly signal: AbortSignal;
  /** Called each time everything that waited has been handed over, so that a caller who only looks once can stop. */
  readonly whenEmpty?: () => void;
}

export type Receiving =
  /** The signal was raised, or the mailbox closed; a `take` under way was waited for. */
  { readonly kind: "ended" } | { readonly kind: "refused"; readonly reason: string };

/**
 * Exactly once, in effect: a letter is handed over until a `take` resolved. After a crash between the two it comes again with the
 * same id, so whoever takes it remembers ids beyond a restart. When `take` rejects, the letter comes again after a pause.
 */
export type Take = (letter: Letter) => Promise<void>;

export type ConnectionState = "connected" | "reconnecting" | "refused";

export interface Connection {
  readonly state: ConnectionState;
  /** For people; never holds a credential. */
  readonly detail: string;
}

export interface Mailbox {
  /** Resolves when the letter is durably accepted, or refused; never rejects. Letters of one mailbox to one inbox keep the order of the calls. */
  send(to: Address, message: TeamMessage, options: SendOptions): Promise<Sending>;
  /**
   * Hands over one letter at a time, oldest first, and waits for more until the signal; never rejects.
   * Of several readers of one inbox only one gets each letter.
   */
  receive(inbox: Address, take: Take, options: ReceiveOptions): Promise<Receiving>;
  /** What waits in the inbox, oldest first, taking nothing. At most `limit` (100). Rejects with MailboxError. */
  peek(inbox: Address, limit?: number): Promise<readonly Letter[]>;
  readonly snapshots: PlanSnapshots;
  connection(): Connection;
  /** Hears every change from now on; returns what ends it. */
  onConnection(listener: (connection: Connection) => void): () => void;
  /** Ends every `receive`; sendings under way are refused. */
  close(): Promise<void>;
}

/** Which plan: the id is the sender's choice, of the characters of a message id. */
export interface PlanKey {
  readonly team: string;
  readonly plan: string;
}

export interface PlanSnapshot {
  /** 1, 2, 3 … without gaps. */
  readonly revision: number;
  readonly text: string;
}

export type Keeping =
  | { readonly kind: "kept"; readonly revision: number }
  /** Somebody else was faster, or nothing is there: this is the newest now. */
  | { readonly kind: "changed"; readonly present: PlanSnapshot | null }
  | { readonly kind: "refused"; readonly reason: string; readonly mayArrive: boolean };

/** Plans as they were submitted, kept with compare-and-set. The newest 64 revisions of a plan are kept, for 60 days. */
export interface PlanSnapshots {
  /** Kept as revision `expected + 1`, and only if `expected` (0: none yet) is the newest. Never rejects. */
  put(key: PlanKey, text: string, options: { readonly expected: number }): Promise<Keeping>;
  /** The newest, or the named revision; null when there is none. Rejects with MailboxError. */
  get(key: PlanKey, revision?: number): Promise<PlanSnapshot | null>;
}

/** The mailbox cannot be read: the reason is for people. */
export class MailboxError extends Error {
  override readonly name = "MailboxError";
}

export const teamLead = "team-lead";
export const defaultTeam = "default";
/** The longest text of a message or a snapshot, in bytes of UTF-8: more is refused. */
export const longestText = 16 * 1024 * 1024;
/** How long a plan is kept after its last revision, in milliseconds: twice as long as anybody waits for an answer. */
export const keptPlansMs = 60 * 24 * 60 * 60 * 1000;
/** How many revisions of a plan are kept. */
export const keptRevisions = 64;

/** Null for a name of a team or an agent that every driver takes; otherwise why not. */
export function nameProblem(name: string): string | null {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return null;
  return `${shown(name)} cannot name a team or an agent: use 1 to 64 letters (a-z), digits, "-" and "_", beginning with a letter or a digit.`;
}

export function addressProblem({ team, agent }: Address): string | null {
  return nameProblem(team) ?? nameProblem(agent);
}

/** Null for an id of a message or a plan that every driver takes; otherwise why not. */
export function idProblem(id: string): string | null {
  if (/^[A-Za-z0-9_.:@+=-]{1,200}$/.test(id)) return null;
  return `${shown(id)} cannot be an id: use 1 to 200 letters (a-z), digits and "_ . : @ + = -".`;
}

/** Null for a letter that every driver takes; otherwise why not. */
export function letterProblem(to: Address, message: TeamMessage, id: string): string | null {
  const size = Buffer.byteLength(message.text, "utf8");
  if (size > longestText) return `The message has ${size} bytes; more than ${longestText} cannot be sent.`;
  if (message.mac !== undefined && !isMac(message.mac)) return "The seal of the message is none.";
  return addressProblem(to) ?? nameProblem(message.from) ?? idProblem(id);
}

export function isMac(mac: unknown): mac is string {
  return typeof mac === "string" && /^[\w-]{1,100}$/.test(mac);
}

/** A letter's own fields alone, in their order. */
export function letterFields({ from, text, timestamp, id, mac }: Letter): Letter {
  return { from, text, timestamp, id, ...(mac === undefined ? {} : { mac }) };
}

/** Null for a plan that every driver keeps; otherwise why not. */
export function planProblem({ team, plan }: PlanKey, text = ""): string | null {
  const size = Buffer.byteLength(text, "utf8");
  if (size > longestText) return `The plan has ${size} bytes; more than ${longestText} cannot be kept.`;
  return nameProblem(team) ?? idProblem(plan);
}

function shown(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
