/** The shape every event must have before it is applied: logs and other programs are not trusted to be right. */
import { isCall } from "./call-shape.ts";
import type { EventType } from "../event.ts";
import { modes, workingModes } from "../mode.ts";
import { hookNames } from "../settings/hook-names.ts";
import { commentKinds } from "../verdict.ts";
import {
  anything,
  byKind,
  either,
  fields,
  flag,
  isObject,
  list,
  maybe,
  number,
  oneOf,
  orNull,
  record,
  text,
  yes,
  type Check,
} from "./shape.ts";

const workingMode = oneOf(...workingModes);
const mode = oneOf(...modes);
const answerer = fields({ user: text, surface: text });
const comment = fields({
  id: text,
  kind: oneOf(...commentKinds),
  from: number,
  to: number,
  quote: text,
  text,
  followUps: maybe(list(text)),
  suggestion: maybe(text),
  was: maybe(text),
  now: maybe(text),
});
const said = { comments: maybe(list(comment)), plan: maybe(text) };
const verdict = byKind({
  approve: fields({ hash: text, mode: maybe(workingMode), notes: maybe(text), fresh: maybe(flag), ...said }),
  revise: fields({ feedback: text, resolved: maybe(list(text)), ...said }),
  save: anything,
  abandon: anything,
  dismiss: anything,
});
const questionAnswer: Check = (value) =>
  fields({ status: oneOf("declined", "dismissed", "not-shown") })(value) ||
  fields({ status: oneOf("answered"), answers: record(text), notes: maybe(text) })(value);
const rules = fields({ allow: list(text), ask: list(text), deny: list(text), session: maybe(list(text)) });
const name: Check = (value) => text(value) && value !== "";

const settings = fields({
  planNetwork: oneOf("ask", "readers", "off"),
  modelMayEnterPlan: oneOf("never", "ask", "allow"),
  useAutoModeDuringPlan: flag,
  cycleModes: orNull(list(mode)),
  planTemplate: orNull(text),
  maxPlanningTokens: orNull(number),
  planScope: maybe(oneOf("off", "warn", "ask")),
  hooks: maybe(list(oneOf(...hookNames))),
});

const actor = byKind({
  main: anything,
  subagent: fields({ id: text, ownPlan: flag, parent: mode }),
  teammate: fields({ name: text, team: text, planRequired: flag, answerWithin: maybe(number), parent: maybe(mode) }),
});

const tokens = { inputTokens: number, outputTokens: number, cacheReadTokens: number, cacheWriteTokens: number };
const evidence = fields({ commit: orNull(text), files: list(fields({ path: text, hash: orNull(text) })) });
const todo = fields({
  content: text,
  status: oneOf("pending", "in_progress", "completed"),
  activeForm: maybe(text),
});

const origin = fields({ branch: orNull(text), commit: orNull(text) });
const planRecord = fields({
  id: name,
  file: text,
  title: text,
  status: text,
  session: text,
  project: text,
  origin,
  revisions: list(fields({ number, hash: text, text, at: number, by: oneOf("model", "person") })),
  decisions: list(fields({ kind: text, by: answerer, at: number, hash: text, mode: text })),
  evidence: orNull(evidence),
  lineage: fields({ previous: orNull(text), forkedFrom: orNull(text), carriedOutIn: orNull(text) }),
  verified: maybe(fields({ passed: flag, found: list(text), at: number })),
});

export const isPlanRecord: (value: unknown) => boolean = planRecord;

const today = fields({
  actor,
  roots: fields({ project: text, home: text }),
  rules,
  runners: list(text),
  settings,
  autoOptedIn: flag,
  reviewable: flag,
  bypass: oneOf("off", "available", "on"),
  doubt: maybe(fields({ why: text, id: name, plansDirectory: text })),
});

const shapes: Readonly<Record<EventType, Check>> = {
  "session-started": fields({
    id: name,
    at: number,
    actor,
    roots: fields({ project: text, home: text }),
    opening: maybe(text),
    mode,
    source: maybe(name),
    returnTo: maybe(workingMode),
    bypassAvailable: flag,
    reviewable: flag,
    rules,
    runners: list(text),
    settings,
    auto: fields({ optedIn: flag, gateOpen: flag }),
    plan: maybe(fields({ slug: text, file: text })),
    linked: maybe(
      fields({
        from: name,
        file: text,
        text,
        seen: list(fields({ path: text, hash: text, mtimeMs: number })),
        record: maybe(planRecord),
      }),
    ),
    approved: maybe(fields({ file: text, text })),
    taken: maybe(fields({ slug: text, file: text, text, record: planRecord, comments: list(comment) })),
  }),
  "session-linked": fields({ id: name }),
  "session-resumed": fields({ plan: orNull(text), stale: maybe(list(text)), today: maybe(today) }),
  "work-begun": fields({ from: name, left: maybe(fields({ nested: list(text), large: list(text) })) }),
  "work-ended": fields({ to: name, changed: maybe(list(text)), missed: maybe(list(text)) }),
  "session-rewound": fields({
    id: name,
    to: name,
    what: oneOf("files", "conversation", "both"),
    how: oneOf("undo", "redo"),
    from: orNull(name),
    after: orNull(name),
    restored: list(text),
    kept: list(text),
    at: number,
  }),
  "session-forked": fields({ id: name, slug: orNull(text), file: orNull(text) }),
  "user-said": fields({ text }),
  "turn-cancelled": anything,
  "mode-chosen": fields({ mode }),
  "mode-cycled": anything,
  "plan-left": anything,
  "parent-mode-changed": fields({ mode }),
  "model-replied": fields({
    request: number,
    content: list(fields({ type: oneOf("text", "thinking", "tool-call") })),
    calls: list(isCall),
    usage: maybe(fields(tokens)),
  }),
  "model-failed": fields({ request: number, error: text, contextFull: maybe(flag) }),
  "tool-finished": fields({ callId: text, isError: flag, usage: maybe(fields({ ...tokens, requests: number })) }),
  "permission-answered": fields({
    questionId: text,
    allowed: flag,
    by: orNull(answerer),
    reason: maybe(text),
    remember: maybe(either(text, list(text))),
    forSession: maybe(list(text)),
    stop: maybe(yes),
  }),
  "hooks-answered": fields({
    id: text,
    answer: fields({
      answer: oneOf("allow", "deny", "ask", "none"),
      reason: text,
      context: list(text),
      told: list(text),
      failed: maybe(flag),
      stop: maybe(text),
    }),
    call: maybe(isCall),
  }),
  "session-allowed": fields({ rules: list(text), by: answerer }),
  "question-answered": fields({ questionId: text, answer: questionAnswer, by: orNull(answerer), stop: maybe(yes) }),
  "classifier-answered": fields({
    questionId: text,
    answer: oneOf("allow", "deny", "unsure"),
    reason: text,
    usage: maybe(fields(tokens)),
  }),
  "plan-claimed": fields({ slug: text, file: text, origin }),
  "plan-claim-failed": fields({ error: text }),
  "plan-saved": fields({ text, by: oneOf("model", "person"), at: number }),
  "plan-commented": fields({ file: text, comments: list(comment), resolved: list(text) }),
  "plan-read": fields({
    callId: text,
    text: orNull(text),
    at: number,
    evidence: maybe(evidence),
    changed: maybe(list(text)),
  }),
  "plan-written": fields({ callId: text, error: maybe(text) }),
  "review-decided": fields({ requestId: text, verdict, by: answerer, at: number }),
  "lead-answered": fields({ requestId: text, verdict, by: answerer, at: number }),
  "auto-gate-changed": fields({ open: flag }),
  "settings-changed": fields({ settings, autoOptedIn: flag }),
  "rules-changed": fields({ rules }),
  "plan-verified": fields({ plan: name, hash: text, passed: flag, found: maybe(list(text)), at: number }),
  "todos-written": fields({ todos: list(todo) }),
  "files-edited": fields({
    edits: list(fields({ path: text, hash: text, mtimeMs: number, difference: orNull(text), own: maybe(flag) })),
  }),
  "work-tree-compared": fields({ changed: list(text) }),
  "context-cleared": anything,
  "compaction-requested": fields({ why: oneOf("asked", "near"), focus: maybe(text) }),
  "context-compacted": fields({ summary: text, plan: orNull(text), usage: maybe(fields(tokens)) }),
  "compaction-failed": fields({ error: text }),
};

export function shapeProblem(event: unknown): "unknown-event" | "malformed-event" | null {
  if (!isObject(event) || typeof event["type"] !== "string") return "malformed-event";
  if (!Object.hasOwn(shapes, event["type"])) return "unknown-event";
  return shapes[event["type"] as EventType](event) ? null : "malformed-event";
}
