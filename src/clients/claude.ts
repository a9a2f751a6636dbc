/** Claude Code: what its hooks' payloads say, and how it is answered (measured on 2.1.325). */
import { isObject } from "../core/wire/shape.ts";
import type { Client, GuardAnswer, HookInput, Occasion, Planning, Spoken } from "./client.ts";
import { isReplaced } from "./claude-agents.ts";
import { claudeCall } from "./claude-calls.ts";
import { claudePlanFile } from "./claude-plan-file.ts";
import { isFilled, isSilent, payloadOf, silence, toolFieldsOf, unreadable, type Payload } from "./payload.ts";

export const claude: Client = {
  name: "claude",
  title: "Claude Code",
  versions: ["2.1.325"],
  events: ["PreToolUse", "PermissionRequest", "PostToolUse", "UserPromptSubmit", "Stop", "SessionEnd"],
  reviewsAt: ["PermissionRequest"],
  offer: {
    modes: [
      { ours: "default", theirs: "default" },
      { ours: "acceptEdits", theirs: "acceptEdits" },
    ],
    editable: true,
    notes: false,
  },
  cage: true,
  hear,
  say,
};

/** Names of modes in which it works; one that is not here may be a way to plan that we do not know. */
const workModes: ReadonlySet<string> = new Set("default acceptEdits bypassPermissions dontAsk auto manual".split(" "));

function hear(input: HookInput): Occasion {
  const { event } = input;
  const read = payloadOf(input);
  if ("problem" in read) return unreadable(read.problem);
  const { payload } = read;
  switch (event) {
    case "PreToolUse":
    case "PermissionRequest":
      return heardTool(input, payload);
    case "PostToolUse":
      return payload["tool_name"] === "ExitPlanMode" ? answered(payload, "approved") : { kind: "other" };
    case "UserPromptSubmit":
      return answered(payload, "rejected");
    case "Stop":
    case "SessionEnd":
      return answered(payload, "over");
    default:
      return unreadable(`the event ${event} is not known`);
  }
}

function heardTool(input: HookInput, payload: Payload): Occasion {
  const planning = planningOf(payload);
  const fields = toolFieldsOf(payload);
  if ("problem" in fields) return planning === "work" ? { kind: "other" } : unreadable(fields.problem);
  const { session, cwd, tool, given: wanted } = fields;
  const place = { session, directory: cwd };
  if (tool === "AskUserQuestion") return { kind: "other" };
  if (tool === "ExitPlanMode" && !isFilled(payload["agent_id"])) return presented(payload, wanted, place);
  const { tool_use_id: id } = payload;
  const call = claudeCall(tool, wanted, isFilled(id) ? id : tool);
  const planFile = planning === "work" ? null : claudePlanFile(input, { tool, wanted });
  if (planning === "work" || call.kind !== "spawn" || !call.readOnly)
    return { kind: "tool", ...place, planning, call, planFile };
  const readOnly = !isReplaced(call.agent, place.directory, input);
  return { kind: "tool", ...place, planning, call: { ...call, readOnly }, planFile };
}

/** The client itself puts the plan's text in; the model's own arguments do not count. */
function presented(payload: Payload, wanted: Payload, place: { session: string; directory: string }): Occasion {
  if (planningOf(payload) === "work") return { kind: "other" };
  const { plan, planFilePath } = wanted;
  if (!isFilled(plan)) return unreadable("ExitPlanMode came without the text of a plan");
  return { kind: "plan", ...place, plan, planFile: isFilled(planFilePath) ? planFilePath : null, headless: false };
}

function answered(payload: Payload, how: "approved" | "rejected" | "over"): Occasion {
  const { session_id: session, cwd: directory, agent_id: agent } = payload;
  if (!isFilled(session) || isFilled(agent)) return { kind: "other" };
  return { kind: "answered", session, directory: isFilled(directory) ? directory : "/", how };
}

function planningOf({ permission_mode: mode }: Payload): Planning {
  if (mode === "plan") return "plan";
  return typeof mode === "string" && workModes.has(mode) ? "work" : "unknown";
}

function say(event: string, answer: GuardAnswer, payload: unknown): Spoken {
  switch (event) {
    case "PreToolUse":
      return sayBefore(answer, payload);
    case "PermissionRequest":
      return sayAsked(answer, payload);
    case "PostToolUse":
    case "UserPromptSubmit":
    case "Stop":
    case "SessionEnd":
      return { ...silence, stderr: reasonOf(answer) ?? "" };
    default:
      return isSilent(answer) ? silence : { stdout: "", stderr: reasonOf(answer) ?? `${event}?`, exitCode: 2 };
  }
}

function sayBefore(answer: GuardAnswer, payload: unknown): Spoken {
  switch (answer.kind) {
    case "no-opinion":
    case "leave-to-client":
      return silence;
    case "pass":
      return isReview(payload) ? silence : before({ permissionDecision: "allow" });
    case "rewrite":
      return before({ updatedInput: answer.input });
    case "approve":
      return before({ permissionDecision: "allow", updatedInput: { ...inputOf(payload), plan: answer.plan } });
    case "refuse":
    case "send-back":
      return before({ permissionDecision: "deny", permissionDecisionReason: reasonOf(answer) });
  }
}

/** Here only a decision counts, no exit code; none leaves the client's own dialog. */
function sayAsked(answer: GuardAnswer, payload: unknown): Spoken {
  switch (answer.kind) {
    case "no-opinion":
    case "leave-to-client":
      return silence;
    case "pass":
      return isReview(payload) ? silence : asked({ behavior: "allow" });
    case "rewrite":
      return asked({ behavior: "allow", updatedInput: answer.input });
    case "approve":
      return asked({
        behavior: "allow",
        updatedInput: { ...inputOf(payload), plan: answer.plan },
        updatedPermissions: [{ type: "setMode", mode: answer.mode ?? "default", destination: "session" }],
      });
    case "refuse":
    case "send-back":
      return asked({ behavior: "deny", message: reasonOf(answer) });
  }
}

function before(said: Payload): Spoken {
  return spoken({ hookEventName: "PreToolUse", ...said });
}

function asked(decision: Payload): Spoken {
  return spoken({ hookEventName: "PermissionRequest", decision });
}

function spoken(hookSpecificOutput: Payload): Spoken {
  return { ...silence, stdout: JSON.stringify({ hookSpecificOutput }) };
}

/** A plan, and a question to the person, are never answered by letting a tool pass. */
function isReview(payload: unknown): boolean {
  const name = isObject(payload) ? payload["tool_name"] : null;
  return name === "ExitPlanMode" || name === "AskUserQuestion";
}

function inputOf(payload: unknown): Payload {
  const input = isObject(payload) ? payload["tool_input"] : null;
  return isObject(input) ? input : {};
}

/** So much was seen to arrive whole. */
const longestText = 200_000;

function reasonOf(answer: GuardAnswer): string | null {
  const text = answer.kind === "refuse" ? answer.reason : answer.kind === "send-back" ? answer.feedback : null;
  if (text === null) return null;
  if (text.trim() === "") return "Groundplan";
  if (text.length <= longestText) return text;
  const left = text.length - longestText;
  return `${text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, "")}\n[… ${left} characters]`;
}
