/** Gemini CLI: its BeforeTool payloads read, its answers written. Which mode it is in stands in `gemini-mode.ts`. */
import { basename, dirname, isAbsolute, join } from "node:path";
import { isObject } from "../core/wire/shape.ts";
import { loadPrompts } from "../prompts/index.ts";
import type { Client, ForeignCall, GuardAnswer, HookInput, Occasion, Spoken } from "./client.ts";
import { geminiCall, isBelow, planPath } from "./gemini-calls.ts";
import { geminiSession } from "./gemini-mode.ts";
import { approvedName, approvedPrefix } from "./gemini-marks.ts";
import { silence } from "./payload.ts";

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  versions: ["0.61.0"],
  events: ["BeforeTool"],
  offer: { modes: [{ ours: "default", theirs: null }], editable: true, notes: false },
  cage: true,
  cagesAll: true,
  approvedFile: (planFile, plan) => join(dirname(planFile), approvedName(plan)),
  hear,
  say,
};

function hear(input: HookInput): Occasion {
  const { event, payload, environment } = input;
  if (event !== "BeforeTool") return { kind: "unreadable", problem: `there is no event named ${event.slice(0, 40)}` };
  if (!isObject(payload)) return { kind: "unreadable", problem: "it is no object" };
  const { session_id: session, cwd: directory, tool_name: name, tool_input: given, transcript_path } = payload;
  if (typeof session !== "string" || session === "") return { kind: "unreadable", problem: "it names no session" };
  if (typeof directory !== "string" || !isAbsolute(directory))
    return { kind: "unreadable", problem: "it names no folder" };
  if (typeof name !== "string" || name === "" || !isObject(given))
    return { kind: "unreadable", problem: "it names no tool" };
  const plans = environment["GEMINI_PLANS_DIR"];
  const plansDirectory = plans !== undefined && isAbsolute(plans) ? plans : null;
  const transcript = typeof transcript_path === "string" ? transcript_path : "";
  const { planning, headless } = geminiSession(input, transcript, directory);
  if (name === "exit_plan_mode") {
    const planFile = presentedFile(given, directory, plansDirectory);
    const plan = planFile === null ? null : input.readText(planFile);
    if (plan === null)
      return { kind: "unreadable", problem: "the plan is no file that can be read in the folder of plans" };
    return { kind: "plan", session, directory, plan, planFile, headless: headless || planning === "unknown" };
  }
  const call = geminiCall({ name, given, server: payload["mcp_context"], directory, plansDirectory });
  const planFile = planFileOf(call, plansDirectory);
  return { kind: "tool", session, directory, planning, call, planFile };
}

function presentedFile(
  given: Readonly<Record<string, unknown>>,
  directory: string,
  plansDirectory: string | null,
): string | null {
  const named = given["plan_filename"] ?? given["plan_path"];
  if (typeof named !== "string" || named.trim() === "" || plansDirectory === null) return null;
  const path = planPath(named.trim(), directory, plansDirectory);
  return dirname(path) === plansDirectory ? path : null;
}

/** The client lets the agent write any Markdown file in the folder of its plans; what the person approved is not the agent's. */
function planFileOf(call: ForeignCall, plansDirectory: string | null): string | null {
  if (call.kind !== "ours" || plansDirectory === null) return null;
  const input = call.calls[0]?.input;
  const path = isObject(input) ? input["file_path"] : null;
  if (typeof path !== "string" || !path.endsWith(".md") || !isBelow(path, plansDirectory)) return null;
  return basename(path).toLowerCase().startsWith(approvedPrefix) ? null : path;
}

/** Exit codes other than 0 and 2 are warnings there, and go on; so is a text that is no JSON. */
function say(event: string, answer: GuardAnswer, payload: unknown): Spoken {
  const isExit = isObject(payload) && payload["tool_name"] === "exit_plan_mode";
  if (event !== "BeforeTool") return answer.kind === "no-opinion" ? silence : refused();
  switch (answer.kind) {
    case "no-opinion":
    case "pass":
      return silence;
    case "rewrite":
      return isObject(answer.input) ? spoken(changed(answer.input)) : refused();
    case "refuse":
      return deny(answer.reason);
    case "send-back":
      return deny(answer.feedback);
    case "leave-to-client":
      return isExit ? silence : refused();
    case "approve":
      return isExit ? spoken(changed({ plan_filename: approvedName(answer.plan) })) : refused();
  }
}

function refused(): Spoken {
  return deny(loadPrompts()("clients-gemini/refused"));
}

function deny(reason: string): Spoken {
  return spoken({ decision: "deny", reason });
}

function changed(tool_input: unknown): unknown {
  return { decision: "allow", hookSpecificOutput: { hookEventName: "BeforeTool", tool_input } };
}

function spoken(answer: unknown): Spoken {
  return { stdout: `${JSON.stringify(answer)}\n`, stderr: "", exitCode: 0 };
}
