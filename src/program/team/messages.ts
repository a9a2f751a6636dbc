/** What teammates and their lead say to each other: plan requests, answers and control messages, as JSON (R12.1, R12.2). */
import * as z from "zod";
import { hashText, isBlank } from "../../core/plan/hash.ts";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import { answererShape, verdictWords, workingModeShape } from "../../core/wire/verdict-shape.ts";
import { idProblem, type Letter, type TeamMessage } from "../../mail/mailbox.ts";

const text = z.string();
/** Not by `min`: zod measures objects, too, and throws where they cannot be measured. */
const timestamp = z.string().regex(/[^]/);
const requestId = z.string().refine((id) => idProblem(id) === null, "is no request id");
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Fields after `requestId` are ours: a request without them is as good. */
const planApprovalRequest = z.object({
  type: z.literal("plan_approval_request"),
  from: text,
  timestamp,
  planFilePath: text,
  planContent: text,
  requestId,
  hash: hash.optional(),
  /** When the teammate stops waiting, in milliseconds. */
  deadline: z.number().optional(),
  revision: z.int().optional(),
  /** What was submitted before. */
  previous: text.nullable().optional(),
  again: z.enum(["changed", "write-failed"]).nullable().optional(),
  /** Files that changed in its work tree since it began to plan. */
  changed: z.array(text).optional(),
  /** Where an approval without a mode leads. */
  returnTo: workingModeShape.optional(),
  /** What can be granted to it at all. */
  modes: z.array(workingModeShape).optional(),
  task: text.optional(),
});

/** Fields after `timestamp` are ours. */
const planApprovalResponse = z.object({
  type: z.literal("plan_approval_response"),
  requestId,
  approve: z.boolean(),
  timestamp,
  /** Of the text that was answered. */
  hash: hash.optional(),
  ...verdictWords,
  by: answererShape.optional(),
});

const planApprovalWithdrawn = z.object({
  type: z.literal("plan_approval_withdrawn"),
  requestId,
  why: text,
  timestamp,
});
const shutdownRequest = z.object({
  type: z.literal("shutdown_request"),
  requestId,
  reason: text.optional(),
  /** Ours: the session that is meant, not one that takes its name later. */
  session: text.optional(),
});
const shutdownResponse = z.object({ type: z.literal("shutdown_response"), requestId, approve: z.boolean() });
/** The plan goes on in another session, and this one is to end (R14.4). */
const planTaken = z.object({
  type: z.literal("plan_taken"),
  requestId,
  /** The session whose plan it was. */
  session: text,
  into: text,
  by: text,
});
const statusRequest = z.object({ type: z.literal("status_request"), requestId });
const statusReport = z.object({
  type: z.literal("status_report"),
  requestId,
  status: text,
  mode: text,
  session: text,
  awaiting: text.nullable(),
});

const message = z.discriminatedUnion("type", [
  planApprovalRequest,
  planApprovalResponse,
  planApprovalWithdrawn,
  shutdownRequest,
  shutdownResponse,
  planTaken,
  statusRequest,
  statusReport,
]);

export type PlanApprovalRequest = Readonly<z.infer<typeof planApprovalRequest>>;
export type PlanApprovalResponse = Readonly<z.infer<typeof planApprovalResponse>>;
export type LetterBody = Readonly<z.infer<typeof message>>;

/** What a letter says; `ignored` says why it does not count. */
export type Reading = { readonly message: LetterBody } | { readonly ignored: string };

export function readLetter({ text: body }: Pick<Letter, "text">): Reading {
  const said = parseJson(body);
  const parsed = message.safeParse(said);
  if (parsed.success) return { message: parsed.data };
  const type = isObject(said) ? said["type"] : null;
  if (typeof type !== "string") return { ignored: "it is no message of a team" };
  const isKnown = message.options.some(({ shape }) => shape.type.value === type);
  if (!isKnown) return { ignored: `${JSON.stringify(type.slice(0, 60))} is not known here` };
  const issue = parsed.error.issues[0]!;
  return { ignored: `its ${type} is malformed: ${issue.path.join(".")} ${issue.message}` };
}

/** A request that a lead can be shown; otherwise why it does not count. */
export function requestIn(
  letter: Letter,
  team: string,
): { readonly request: PlanApprovalRequest } | { readonly ignored: string } | null {
  const read = readLetter(letter);
  if ("ignored" in read) return read;
  const request = read.message;
  if (request.type !== "plan_approval_request") return null;
  if (request.from !== letter.from) return { ignored: `it says that it is from ${request.from}, and is not` };
  /** R12.4: made of `plan_approval`, `agent@team` and something unique. */
  const start = `plan_approval:${letter.from}@${team}:`;
  if (!request.requestId.startsWith(start) || request.requestId === start)
    return { ignored: "its id does not name its sender" };
  if (isBlank(request.planContent)) return { ignored: "it holds no plan" };
  if (request.hash !== undefined && request.hash !== hashText(request.planContent))
    return { ignored: "its hash is not that of its plan" };
  return { request };
}

export function letterOf(from: string, said: LetterBody, now: number): TeamMessage {
  return { from, text: JSON.stringify(said), timestamp: new Date(now).toISOString() };
}
