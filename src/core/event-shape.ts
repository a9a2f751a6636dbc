/** The shape every event must have before it is applied: logs and other programs are not trusted to be right. */
import type { Access, CommandAccess } from "./access.ts";
import type { EventType } from "./event.ts";

type Kind = "string" | "number" | "boolean" | "object" | "array" | "text-or-null" | "mode" | "present";

const modes = new Set(["default", "acceptEdits", "plan", "auto", "bypassPermissions"]);

const shapes: Readonly<Record<EventType, Readonly<Record<string, Kind>>>> = {
  "session-started": {
    id: "string",
    actor: "object",
    roots: "object",
    mode: "mode",
    bypassAvailable: "boolean",
    reviewable: "boolean",
    rules: "object",
    runners: "array",
    settings: "object",
    auto: "object",
  },
  "session-resumed": { plan: "text-or-null" },
  "session-forked": { id: "string", slug: "text-or-null", file: "text-or-null" },
  "user-said": { text: "string" },
  "turn-cancelled": {},
  "mode-chosen": { mode: "mode" },
  "mode-cycled": {},
  "plan-left": {},
  "parent-mode-changed": { mode: "mode" },
  "model-replied": { request: "number", content: "array", calls: "array" },
  "model-failed": { request: "number", error: "string" },
  "tool-finished": { callId: "string", isError: "boolean" },
  "permission-answered": { questionId: "string", allowed: "boolean" },
  "classifier-answered": { questionId: "string", answer: "string", reason: "string" },
  "plan-claimed": { slug: "string", file: "string", origin: "object" },
  "plan-claim-failed": { error: "string" },
  "plan-saved": { text: "string", by: "string", at: "number" },
  "plan-read": { callId: "string", text: "text-or-null", at: "number" },
  "plan-written": { callId: "string" },
  "review-decided": { requestId: "string", verdict: "object", by: "object", at: "number" },
  "lead-answered": { requestId: "string", verdict: "object", by: "object", at: "number" },
  "auto-gate-changed": { open: "boolean" },
  "settings-changed": { settings: "object", autoOptedIn: "boolean" },
  "rules-changed": { rules: "object" },
  "todos-written": { todos: "array" },
  "context-cleared": {},
  "context-compacted": { summary: "string", plan: "text-or-null" },
};

export function shapeProblem(event: unknown): "unknown-event" | "malformed-event" | null {
  if (!isObject(event) || typeof event["type"] !== "string") return "malformed-event";
  if (!Object.hasOwn(shapes, event["type"])) return "unknown-event";
  const shape = shapes[event["type"] as EventType];
  for (const key in shape) if (!isKind(event[key], shape[key]!)) return "malformed-event";
  return isSound(event) ? null : "malformed-event";
}

/** The parts inside that the reducer relies on. */
function isSound(event: Readonly<Record<string, unknown>>): boolean {
  switch (event["type"]) {
    case "model-replied":
      return (event["calls"] as unknown[]).every(isCall);
    case "session-started":
      return areRules(event["rules"]) && isActor(event["actor"]) && isRoots(event["roots"]) && event["id"] !== "";
    case "rules-changed":
      return areRules(event["rules"]);
    case "classifier-answered":
      return ["allow", "deny", "unsure"].includes(event["answer"] as string);
    case "review-decided":
    case "lead-answered":
      return isVerdict(event["verdict"]);
    case "plan-claimed":
      return (event["file"] as string).endsWith(".md");
    default:
      return true;
  }
}

function isVerdict(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { kind, hash, mode, plan, notes, feedback, comments } = value;
  if (kind === "approve") {
    const isWorking = mode === undefined || (modes.has(mode as string) && mode !== "plan");
    return typeof hash === "string" && isWorking && isText(plan) && isText(notes);
  }
  if (kind === "revise") return typeof feedback === "string" && (comments === undefined || isComments(comments));
  return kind === "save" || kind === "abandon" || kind === "dismiss";
}

function isComments(value: unknown): boolean {
  return Array.isArray(value) && value.every(isComment);
}

function isComment(value: unknown): boolean {
  if (!isObject(value) || !["change", "question", "note"].includes(value["kind"] as string)) return false;
  return ["id", "quote", "text"].every((key) => typeof value[key] === "string");
}

function isCall(value: unknown): boolean {
  if (!isObject(value) || typeof value["id"] !== "string" || typeof value["tool"] !== "string") return false;
  const hasAccess = value["access"] === null || isAccess(value["access"]);
  return hasAccess && Array.isArray(value["subjects"]) && value["subjects"].every(isSubject);
}

function isAccess(value: unknown): boolean {
  if (!isObject(value) || !accessKinds.has(value["kind"] as string)) return false;
  return value["kind"] !== "command" || verdicts.has(value["verdict"] as string);
}

function isSubject(value: unknown): boolean {
  if (!isObject(value) || typeof value["rule"] !== "string" || !isText(value["path"])) return false;
  const parts = value["parts"];
  return parts === undefined || (Array.isArray(parts) && parts.every((part) => typeof part === "string"));
}

const verdicts = new Set<string>(["read-only", "writes", "unproven"] satisfies CommandAccess["verdict"][]);
const accessKinds = new Set<string>([
  "read",
  "fetch",
  "note",
  "ask-user",
  "write",
  "command",
  "spawn",
  "external",
  "enter-plan",
  "exit-plan",
  "invalid",
] satisfies Access["kind"][]);

function areRules(value: unknown): boolean {
  if (!isObject(value)) return false;
  return ["allow", "ask", "deny"].every((list) => {
    const rules = value[list];
    return Array.isArray(rules) && rules.every((rule) => typeof rule === "string");
  });
}

function isActor(value: unknown): boolean {
  return isObject(value) && ["main", "subagent", "teammate"].includes(value["kind"] as string);
}

function isRoots(value: unknown): boolean {
  return isObject(value) && typeof value["project"] === "string" && typeof value["home"] === "string";
}

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "string":
    case "number":
    case "boolean":
      return typeof value === kind;
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "text-or-null":
      return value === null || typeof value === "string";
    case "mode":
      return modes.has(value as string);
    case "present":
      return value !== undefined;
  }
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
