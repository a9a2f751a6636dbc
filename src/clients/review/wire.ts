/** What a hook and the page process say to each other: one JSON body in, lines of JSON back, over a socket that is this person's alone. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  byKind,
  fields,
  flag,
  isObject,
  list,
  number,
  oneOf,
  orNull,
  parseJson,
  record,
  text,
  type Check,
} from "../../core/wire/shape.ts";
import type { ClientName } from "../client.ts";
import type { AnsweredElsewhere, PlanAnswer, PlanPresentation } from "./plan-answer.ts";

/** `POST /present`. */
export interface PresentBody extends Pick<
  PlanPresentation,
  "client" | "session" | "directory" | "plan" | "offer" | "step"
> {
  /** Of the hook's environment what a browser and the settings need; never a key. */
  readonly environment: Readonly<Record<string, string>>;
  /** When the hook stops to wait. */
  readonly until?: number;
}

/** The one line of the answer to `POST /list`: the page of all plans that wait. */
export interface ListLine {
  readonly link: string;
}

/** `POST /answered`. */
export type AnsweredBody = Pick<AnsweredElsewhere, "client" | "session" | "how">;

/** `POST /received`: the hook has the answer to the text of that hash, before it says it to its client. */
export interface ReceivedBody extends Pick<PlanPresentation, "client" | "session" | "directory"> {
  readonly hash: string;
}

/** A line of the answer to `POST /present`; the last one is the answer. */
export type PresentLine = { readonly link: string; readonly opened: boolean } | { readonly answer: PlanAnswer };

/** Where the page process can be reached. `socket` is null once it has ended; the port is kept, so that open pages go on. */
export interface PageRecord {
  readonly v: 1;
  readonly pid: number;
  readonly port: number;
  readonly socket: string | null;
  readonly secret: string;
}

/** A plan that was presented and not answered yet: so that whoever is told of an answer knows without asking. */
export interface WaitingRecord {
  readonly v: 1;
  readonly client: ClientName;
  readonly session: string;
  readonly directory: string;
}

export const secretHeader = "x-groundplan-secret";

export function recordFile(home: string): string {
  return join(home, "reviews", "page.json");
}

export function waitingFolder(home: string): string {
  return join(home, "reviews", "waiting");
}

/** Begins with the same letters for every folder that the session presented plans in. */
export function waitingName(client: ClientName, session: string, root: string): string {
  return `${waitingPrefix(client, session)}${digest([root]).slice(0, 12)}.json`;
}

export function waitingPrefix(client: ClientName, session: string): string {
  return `${digest([client, session]).slice(0, 32)}-`;
}

/** The id of our session for another agent's: the same each time. One that goes on in another project is another. */
export function ownSessionId(client: ClientName, session: string, root: string): string {
  const hex = digest(["groundplan review", client, session, root]);
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts), "utf8").digest("hex");
}

export function readPageRecord(found: string): PageRecord | null {
  return parsed(found, isPageRecord) as PageRecord | null;
}

export function readWaiting(found: string): WaitingRecord | null {
  return parsed(found, isWaiting) as WaitingRecord | null;
}

export function readPresentBody(found: string): PresentBody | null {
  return parsed(found, isPresentBody) as PresentBody | null;
}

export function readAnsweredBody(found: string): AnsweredBody | null {
  return parsed(found, isAnsweredBody) as AnsweredBody | null;
}

export function readReceivedBody(found: string): ReceivedBody | null {
  return parsed(found, isReceivedBody) as ReceivedBody | null;
}

export function readListLine(found: string): ListLine | null {
  return parsed(found, fields({ link: name })) as ListLine | null;
}

export function readPresentLine(found: string): PresentLine | null {
  return parsed(found, isPresentLine) as PresentLine | null;
}

function parsed(found: string, check: Check): unknown {
  const value = parseJson(found);
  return check(value) ? value : null;
}

const name: Check = (value) => typeof value === "string" && value !== "";
const client: Check = (value) => typeof value === "string" && /^[a-z][a-z-]{0,30}$/.test(value);
const mode = oneOf("default", "acceptEdits");
const version: Check = (value) => value === 1;

const isPageRecord = fields({ v: version, pid: number, port: number, socket: orNull(name), secret: name });
const isWaiting = fields({ v: version, client, session: name, directory: name });

const offer = fields({
  modes: (value) => list(fields({ ours: mode, theirs: orNull(text) }))(value) && (value as unknown[]).length > 0,
  editable: flag,
  notes: flag,
});

const isPresentBody = fields({
  client,
  session: name,
  directory: name,
  plan: text,
  offer,
  step: (value) => value === undefined || oneOf("ask", "collect")(value),
  environment: record(text),
  until: (value) => value === undefined || number(value),
});

const isAnsweredBody = fields({ client, session: name, how: oneOf("approved", "rejected", "over") });

const isReceivedBody = fields({ client, session: name, directory: name, hash: name });

/** Also of one that was kept. */
export const isPlanAnswer: Check = byKind({
  approved: fields({ plan: name, mode, notes: orNull(text), edited: flag }),
  "sent-back": fields({ feedback: name }),
  "leave-to-client": isObject,
  over: fields({ why: text, link: orNull(text) }),
});

const isPresentLine: Check = (value) => {
  if (!isObject(value)) return false;
  return "answer" in value ? isPlanAnswer(value["answer"]) : fields({ link: name, opened: flag })(value);
};
