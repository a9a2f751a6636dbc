/** A receipt: what was asked for, what was approved by whom, what was done, and how it was checked; its shape, which the published schema is made of (B16.1). */
import * as z from "zod";
import { digestOf, type Json } from "./canonical.ts";

export const receiptFormat = "groundplan-receipt";
export const receiptVersion = 1;

const text = z.string();
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const digest = text.regex(/^[0-9a-f]{64}$/).describe("SHA-256, 64 lower-case hex digits.");
const commit = text.regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);
const moment = text.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/).describe("UTC, in milliseconds.");
const answerer = z.strictObject({ surface: text, user: text });

const check = z
  .strictObject({
    command: text,
    exitCode: z.int().nullable().describe("Null where a signal ended it."),
    passed: z.boolean(),
    timedOut: z.boolean(),
  })
  .describe("A command of the plan, run when the receipt was made.");

const changedFile = z
  .strictObject({
    from: z.string().describe("The blob before, zeros where there was none."),
    modes: text.regex(/^\d{6} \d{6}$/).describe("Before and after, as git writes them."),
    path: text.describe("From the repository's root; bytes that are no UTF-8 as \\xNN, then with a backslash doubled."),
    status: z.enum(["A", "D", "M", "T"]),
    to: z.string().describe("The blob after, zeros where there is none."),
  })
  .describe("A line of `git diff-tree -r --no-renames --no-abbrev base head`.");

/** Each part has a digest of its own, so that a change can be named. */
const parts = {
  approval: z
    .strictObject({ at: moment, by: answerer, hash: digest, mode: text })
    .describe("Who approved which text, where, when, and the mode that followed."),
  checks: z.array(check).describe("Those of the plan as a whole."),
  log: z
    .strictObject({ bytes: count, hash: digest, lines: count, seal: text, session: text })
    .describe("The head of the sealed session log: its bytes so far, their hash, the seal of the last line."),
  made: z.strictObject({ at: moment, version: text }).describe("When, and by which version of Groundplan."),
  plan: z.strictObject({
    hash: digest.describe("SHA-256 of the text's UTF-8 bytes."),
    id: text,
    revision: count,
    source: text.nullable().describe("The other agent that wrote it; null for our own."),
    text: text.describe("The approved text."),
    title: text,
  }),
  steps: z.array(
    z.strictObject({
      checks: z.array(check),
      done: z.boolean().nullable().describe("By the todo list, null where it does not say."),
      files: z.array(text),
      title: text,
    }),
  ),
  task: text.nullable().describe("What the person asked for."),
  work: z.strictObject({
    base: commit.describe("The commit that the plan was made on."),
    difference: digest.describe("SHA-256 of the canonical difference: docs/proof.md."),
    files: z.array(changedFile),
    head: commit.nullable().describe("The commit that holds the work; null: it was in the work tree."),
  }),
} as const;

export const receiptParts = ["approval", "checks", "log", "made", "plan", "steps", "task", "work"] as const;
export type ReceiptPart = (typeof receiptParts)[number];

export const receiptShape = z.strictObject({
  approval: parts.approval,
  checks: parts.checks,
  digests: z
    .strictObject(Object.fromEntries(receiptParts.map((part) => [part, digest])) as Record<ReceiptPart, typeof digest>)
    .describe("SHA-256 of each part's canonical JSON."),
  format: z.literal(receiptFormat),
  log: parts.log,
  made: parts.made,
  plan: parts.plan,
  signature: text
    .optional()
    .describe("By `ssh-keygen -Y sign -n groundplan-receipt`, over the receipt without this line."),
  steps: parts.steps,
  task: parts.task,
  version: z.literal(receiptVersion),
  work: parts.work,
});

export type Receipt = z.infer<typeof receiptShape>;
export type ReceiptBody = Pick<Receipt, ReceiptPart>;
export type ReceiptCheck = z.infer<typeof check>;
export type ChangedFile = z.infer<typeof changedFile>;

export function receiptOf(body: ReceiptBody): Receipt {
  const digests = Object.fromEntries(receiptParts.map((part) => [part, digestOf(body[part] as Json)]));
  return {
    ...body,
    digests: digests as Record<ReceiptPart, string>,
    format: receiptFormat,
    version: receiptVersion,
  };
}

/** Parts that are not what they were when the receipt was made. */
export function changedParts(receipt: Receipt): readonly ReceiptPart[] {
  return receiptParts.filter((part) => digestOf(receipt[part] as Json) !== receipt.digests[part]);
}

export function receiptSchemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(receiptShape, { target: "draft-7", io: "input" });
  return `${JSON.stringify({ $schema, title: "Groundplan receipt", ...schema }, null, 2)}\n`;
}
