/** Codex: what its hooks' payloads say, and how it is answered (measured on 0.166.0). */
import { isAbsolute } from "node:path";
import { isObject } from "../core/wire/shape.ts";
import type { Client, GuardAnswer, HookInput, Occasion, Planning, Spoken } from "./client.ts";
import { codexCall } from "./codex-calls.ts";
import { planOf, readTurn, rootTranscript, type CodexTurn } from "./codex-transcript.ts";
import { isFilled, isSilent, payloadOf, silence, toolFieldsOf, unreadable, type Payload } from "./payload.ts";

export const codex: Client = {
  name: "codex",
  title: "Codex",
  versions: ["0.166.0"],
  events: ["PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop"],
  /** No hook can set the mode or change the plan: the person picks "implement" in Codex's own menu. */
  offer: { modes: [{ ours: "default", theirs: null }], editable: false, notes: false },
  cage: false,
  hear,
  say,
};

function hear(input: HookInput): Occasion {
  const { event } = input;
  const read = payloadOf(input);
  if ("problem" in read) return unreadable(read.problem);
  const { payload } = read;
  switch (event) {
    case "PreToolUse":
    case "PermissionRequest":
      return heardTool(input, payload);
    case "UserPromptSubmit":
      return heardPrompt(input, payload);
    case "Stop":
      return heardEnd(input, payload);
    case "SessionEnd":
      return answered(payload, "over");
    case "PostToolUse":
    case "SessionStart":
      return { kind: "other" };
    default:
      return unreadable(`the event ${event} is not known`);
  }
}

function heardTool(input: HookInput, payload: Payload): Occasion {
  const turn = turnOf(input, payload);
  const planning = planningOf(turn, input, payload);
  const fields = toolFieldsOf(payload);
  if ("problem" in fields) return planning === "work" ? { kind: "other" } : unreadable(fields.problem);
  const { session, cwd: at, tool: name, given } = fields;
  const directory = turn?.directory ?? at;
  const { tool_use_id: id } = payload;
  const call = codexCall({ name, given, id: isFilled(id) ? id : name });
  const placed = call.kind === "ours" && at !== directory ? { ...call, directory: at } : call;
  return { kind: "tool", session, directory, planning, call: placed, planFile: null };
}

/** The transcript of the thread that calls; null where it cannot be read or tells nothing. */
function turnOf(input: HookInput, { transcript_path: path }: Payload): CodexTurn | null {
  return isFilled(path) && isAbsolute(path) ? readTurn(path, input.readTail) : null;
}

/** An agent below never plans by its own word: it does what the thread that started it may do. */
function planningOf(turn: CodexTurn | null, input: HookInput, payload: Payload): Planning {
  const own = turn?.planning ?? "unknown";
  const { agent_id: agent, session_id: session, transcript_path: path } = payload;
  if (agent === undefined || own === "plan") return own;
  if (!isFilled(session) || !isFilled(path) || !isAbsolute(path)) return "unknown";
  const root = rootTranscript({ session, agentTranscript: path, listNames: input.listNames });
  const above = root === null ? "unknown" : (readTurn(root, input.readTail)?.planning ?? "unknown");
  return above === "work" ? own : above;
}

/** What its own menu sends once the person has picked "implement". */
const implement = "Implement the plan.";

function heardPrompt(input: HookInput, payload: Payload): Occasion {
  const isWork = turnOf(input, payload)?.planning === "work";
  return answered(payload, isWork && payload["prompt"] === implement ? "approved" : "rejected");
}

/** A plan is what the turn ended with: there is no tool that presents it. */
function heardEnd(input: HookInput, payload: Payload): Occasion {
  const { session_id: session, cwd, transcript_path: path, turn_id: turn, agent_id: agent } = payload;
  if (!isFilled(session) || agent !== undefined || !isFilled(path) || !isAbsolute(path)) return { kind: "other" };
  const { planning, directory } = turnOf(input, payload) ?? { planning: "unknown", directory: null };
  if (planning !== "plan") return { kind: "other" };
  const plan = isFilled(turn) ? planOf(path, turn, input.readTail) : null;
  const place = directory ?? (isFilled(cwd) ? cwd : null);
  if (plan === null || place === null) return { kind: "other" };
  return { kind: "plan", session, directory: place, plan, planFile: null, headless: false };
}

function answered(payload: Payload, how: "approved" | "rejected" | "over"): Occasion {
  const { session_id: session, cwd, agent_id: agent } = payload;
  if (!isFilled(session) || agent !== undefined) return { kind: "other" };
  return { kind: "answered", session, directory: isFilled(cwd) ? cwd : "/", how };
}

function say(event: string, answer: GuardAnswer): Spoken {
  switch (event) {
    case "PreToolUse":
      return sayBefore(answer);
    case "PermissionRequest":
      return sayAsked(answer);
    case "Stop":
      return sayAtEnd(answer);
    case "PostToolUse":
    case "UserPromptSubmit":
    case "SessionStart":
    case "SessionEnd":
      return { ...silence, stderr: reasonOf(answer) };
    default:
      return isSilent(answer) ? silence : { stdout: "", stderr: reasonOf(answer), exitCode: 2 };
  }
}

/** `allow` without other arguments is an error there, and an error lets the call go on. */
function sayBefore(answer: GuardAnswer): Spoken {
  if (isSilent(answer)) return silence;
  return answer.kind === "rewrite" && isObject(answer.input)
    ? spoken("PreToolUse", { permissionDecision: "allow", updatedInput: answer.input })
    : spoken("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: reasonOf(answer) });
}

/** No other arguments can be given here, so what must be rewritten is refused. */
function sayAsked(answer: GuardAnswer): Spoken {
  if (answer.kind === "pass") return spoken("PermissionRequest", { decision: { behavior: "allow" } });
  if (isSilent(answer)) return silence;
  return spoken("PermissionRequest", { decision: { behavior: "deny", message: reasonOf(answer) } });
}

/** Only feedback starts another round; what went wrong is told to the person, and the turn ends. */
function sayAtEnd(answer: GuardAnswer): Spoken {
  if (answer.kind === "send-back") return json({ decision: "block", reason: reasonOf(answer) });
  return answer.kind === "refuse" ? json({ systemMessage: reasonOf(answer) }) : silence;
}

function spoken(hookEventName: string, said: Payload): Spoken {
  return json({ hookSpecificOutput: { hookEventName, ...said } });
}

function json(said: Payload): Spoken {
  return { ...silence, stdout: JSON.stringify(said) };
}

/** Never empty where it refuses: a refusal without a reason is an error there, and lets the call go on. */
function reasonOf(answer: GuardAnswer): string {
  if (isSilent(answer)) return "";
  const text = answer.kind === "refuse" ? answer.reason : answer.kind === "send-back" ? answer.feedback : "";
  return text.trim() === "" ? "Groundplan" : text;
}
