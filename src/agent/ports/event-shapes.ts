/** The public events as hooks and `stream-json` see them (R16.2); the JSON schema that is shipped is made of this. */
import * as z from "zod";
import { rungNames } from "./rung-names.ts";
import { modes } from "../../core/mode.ts";

const text = z.string();
const mode = z.enum(modes);
const answerer = z.strictObject({ user: text, surface: text }).nullable();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const tokens = z.int().min(0);
const anything = z.unknown();

const question = z.looseObject({
  question: text,
  header: text,
  options: z.array(z.looseObject({ label: text, description: text })),
  multiSelect: z.boolean(),
});

const shapes = {
  "session.started": { sessionId: text, mode },
  "session.resumed": { sessionId: text, mode },
  user: { text },
  message: { text },
  "message.delta": { text },
  "message.restarted": {},
  "thinking.delta": { text },
  usage: { inputTokens: tokens, outputTokens: tokens, cacheReadTokens: tokens, cacheWriteTokens: tokens },
  retry: { attempt: z.int(), waitMs: z.number(), error: z.strictObject({ code: text, message: text }) },
  error: { code: text.optional(), message: text },
  "tool.started": { id: text, tool: text, input: anything },
  "tool.finished": { id: text, tool: text, isError: z.boolean(), output: anything },
  "tool.denied": { id: text, tool: text, code: text, reason: text },
  "permission.requested": {
    id: text,
    tool: text,
    input: anything,
    question: z.looseObject({ kind: text }),
    /** Rules that a yes may be remembered by; empty lists where it may not. */
    offers: z.object({ session: z.array(text), always: z.array(text) }),
  },
  "permission.withdrawn": { id: text },
  "permission.answered": { id: text, allowed: z.boolean(), by: answerer },
  "question.requested": { id: text, questions: z.array(question) },
  "question.closed": { id: text, by: answerer },
  "permission.classified": { id: text, answer: z.enum(["allow", "deny", "unsure"]), reason: text },
  "agent.started": { id: text, agent: text, callId: text, description: text, model: text },
  "agent.progress": { id: text, tool: text, denied: text.optional() },
  "agent.finished": { id: text, agent: text, callId: text, status: text, usage: z.looseObject({ requests: tokens }) },
  "mode.changed": { from: mode, mode },
  "auto.changed": { active: z.boolean(), stripped: z.array(text) },
  "context.compacting": { why: text, focus: text.nullable() },
  "context.compacted": { summary: text },
  "file.edited": { path: text },
  "session.linked": { sessionId: text, to: text },
  "plan.entered": { from: mode },
  "plan.saved": { path: text.nullable(), hash, by: z.enum(["model", "person"]) },
  "plan.submitted": {
    id: text,
    path: text,
    hash,
    revision: z.int(),
    text,
    previous: text.nullable(),
    choices: z.array(z.looseObject({ kind: text })),
    comments: z.array(z.looseObject({ id: text })),
    stale: z.array(text),
    changed: z.array(text),
    again: z.enum(["changed", "write-failed"]).nullable(),
    awaitingLeaderApproval: z.literal(true).optional(),
    deadline: z.number().nullable().optional(),
  },
  "plan.reoffered": { id: text, choices: z.array(z.looseObject({ kind: text })) },
  "plan.closed": { id: text, by: answerer },
  "plan.unanswered": { id: text },
  "plan.approved": {
    id: text,
    path: text,
    hash,
    mode,
    edited: z.boolean(),
    notes: text.nullable(),
    comments: z.array(z.looseObject({ id: text })).optional(),
    fresh: z.boolean(),
    by: answerer.optional(),
    output: z.strictObject({
      plan: text.nullable(),
      isAgent: z.boolean(),
      filePath: text.nullable(),
      hasTaskTool: z.literal(true).optional(),
      planWasEdited: z.literal(true).optional(),
    }),
  },
  "plan.rejected": {
    id: text,
    feedback: text,
    comments: z.array(z.looseObject({ id: text })),
    by: answerer.optional(),
  },
  "plan.returned": { id: text, outcome: text },
  /** Of a team, `id` is a request's. The plan is with the lead. */
  "team.waiting": { id: text, deadline: z.number().nullable() },
  /** The lead did not answer in time: the person is asked. */
  "team.escalated": { id: text },
  /** Nobody answered. */
  "team.expired": { id: text },
  /** A message that does not count, and why. */
  "team.ignored": { from: text, reason: text },
  "team.connection": { state: text, detail: text },
  /** The lead ended the session. */
  "team.shutdown": { from: text, reason: text },
  /** The plan goes on in another session, and this one ends. */
  "team.taken": { by: text, into: text },
  /** For a lead: a plan came in, or is not to be answered any more. */
  "team.request": { id: text, from: text, title: text, path: text, hash, text, deadline: z.number().nullable() },
  "team.closed": { id: text, why: text },
  /** For a lead: its answer counts, and `mode` is what it granted. */
  "team.answered": { id: text, from: text, title: text, approved: z.boolean(), mode: mode.nullable() },
  /** For a lead: shown, and left without an answer; it still waits. */
  "team.left": { id: text, from: text },
  "todos.changed": { todos: z.array(z.looseObject({ content: text, status: text })) },
  "worktree.changed": { paths: z.array(text) },
  notification: { key: text, text, priority: text, tone: text, seconds: z.number() },
  refused: { event: text, reason: text, by: answerer.optional() },
  "command.answered": { command: text, text },
  result: {
    status: z.enum(["done", "failed", "plan_ready", "limit", "interrupted"]),
    sessionId: text,
    mode,
    result: text,
    plan: z.strictObject({ path: text, title: text, hash, revision: z.int(), text, status: text }).nullable(),
    denials: z.array(z.strictObject({ tool: text, input: anything, reason: text, code: text })),
    usage: z.looseObject({ requests: tokens, costUsd: z.number().nullable() }),
    durationMs: z.int(),
    changed: z.array(text),
    progress: z.strictObject({ done: z.int(), steps: z.int(), outside: z.array(text) }).optional(),
    questions: z.array(z.looseObject({ question: text })),
    notices: z.array(z.strictObject({ key: text, text })),
    sandbox: z.enum([...rungNames, "none"]).optional(),
  },
} as const;

type Shapes = typeof shapes;

/** What hooks and `stream-json` see: one type for each of the shapes. */
export type PublicEvent = {
  [Type in keyof Shapes]: { readonly type: Type } & Told<z.infer<z.ZodObject<Shapes[Type]>>> &
    (Type extends AgentsType ? { readonly agent?: string } : unknown);
}[keyof Shapes];

type AgentsType = `permission.${string}` | `question.${string}` | `plan.${string}` | "retry" | "notification";

/** Read-only, and of loose objects what is known. */
type Told<Value> = Value extends readonly (infer Item)[]
  ? readonly Told<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value as string extends Key ? never : Key]: Told<Value[Key]> }
    : Value;

/** A line of `--output-format stream-json`; fields may be added in later versions, none goes away. */
export const publicEventShape = z.union(
  Object.entries(shapes).map(([type, fields]) =>
    z.strictObject({ type: z.literal(type), ...fields, ...(isAgents(type) ? { agent: text.optional() } : {}) }),
  ),
);

export const publicEventNames: readonly string[] = Object.keys(shapes);

/** Events that may come from an agent, and then say which. */
function isAgents(type: string): boolean {
  return /^(permission|question|plan)\.|^(retry|notification)$/.test(type);
}

/** Consumers must tolerate fields that they do not know, so the schema that is shipped does. */
export function eventSchemaText(): string {
  const schema = z.toJSONSchema(publicEventShape, {
    unrepresentable: "any",
    override: ({ jsonSchema }) => void delete jsonSchema.additionalProperties,
  });
  return `${JSON.stringify({ ...schema, title: "A public event of Groundplan" }, null, 2)}\n`;
}
