/** What each client takes for "go on" with the call that it asked about, as it was measured (design/integrations.md). */
import { isObject, parseJson } from "../../src/core/wire/shape.ts";
import type { Spoken } from "../../src/clients/client.ts";

/** True also where the client would only fall back to its own flow: while planning that may run the call. */
export function goesOn(agent: string, event: string, spoken: Spoken): boolean {
  switch (agent) {
    case "claude":
      return event === "PermissionRequest" ? allowsAsked(spoken) : !stopsClaude(spoken);
    case "codex":
      return event === "PermissionRequest" ? allowsAsked(spoken) : !stopsCodex(spoken);
    case "opencode":
      return !stopsOpencode(spoken);
    case "gemini":
      return !stopsGemini(spoken);
    default:
      return spoken.exitCode !== 2;
  }
}

/** Exit code 2, or exit code 0 with JSON that denies; a crash, another code and no JSON let it go on. */
function stopsClaude({ exitCode, stdout }: Spoken): boolean {
  if (exitCode === 2) return true;
  const said = part(parseJson(stdout), "hookSpecificOutput");
  return exitCode === 0 && part(said, "hookEventName") === "PreToolUse" && part(said, "permissionDecision") === "deny";
}

/** The same, and a refusal without a reason is an error, which lets it go on. */
function stopsCodex(spoken: Spoken): boolean {
  if (spoken.exitCode === 2) return spoken.stderr.trim() !== "";
  const reason = part(part(parseJson(spoken.stdout), "hookSpecificOutput"), "permissionDecisionReason");
  return stopsClaude(spoken) && typeof reason === "string" && reason.trim() !== "";
}

/** Only a decision counts; without one the person is asked, and nothing runs by itself. */
function allowsAsked({ exitCode, stdout }: Spoken): boolean {
  const decision = part(part(parseJson(stdout), "hookSpecificOutput"), "decision");
  return exitCode === 0 && part(decision, "behavior") === "allow";
}

/** Our own plugin throws for whatever is not one of its decisions. */
function stopsOpencode({ exitCode, stdout }: Spoken): boolean {
  const decision = part(parseJson(stdout), "decision");
  return exitCode !== 0 || !["go-on", "rewrite", "approve"].includes(String(decision));
}

/** Exit code 2, or JSON that denies; other codes are warnings. */
function stopsGemini({ exitCode, stdout }: Spoken): boolean {
  if (exitCode === 2) return true;
  const decision = part(parseJson(stdout), "decision");
  return exitCode === 0 && (decision === "deny" || decision === "block");
}

function part(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
