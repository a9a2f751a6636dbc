/** Claude Code's row: the bytes of each answer to each event. */
import { describe, expect, test } from "vitest";
import { claude } from "../../src/clients/claude.ts";
import type { GuardAnswer } from "../../src/clients/client.ts";

const plan = { tool_name: "ExitPlanMode", tool_input: { plan: "old", planFilePath: "/p.md" } };
const bash = { tool_name: "Bash", tool_input: { command: "make" } };
const before = (said: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...said } });
const asked = (decision: object) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
const setMode = (mode: string) => [{ type: "setMode", mode, destination: "session" }];

describe("what is said", () => {
  const approve: GuardAnswer = { kind: "approve", plan: "new", mode: "acceptEdits", notes: null };
  const edited = { plan: "new", planFilePath: "/p.md" };
  const rows: readonly (readonly [string, GuardAnswer, unknown, unknown])[] = [
    ["PreToolUse", { kind: "no-opinion" }, bash, null],
    ["PreToolUse", { kind: "leave-to-client" }, plan, null],
    ["PreToolUse", { kind: "pass" }, bash, before({ permissionDecision: "allow" })],
    ["PreToolUse", { kind: "pass" }, plan, null],
    ["PreToolUse", { kind: "rewrite", input: { command: "x" } }, bash, before({ updatedInput: { command: "x" } })],
    [
      "PreToolUse",
      { kind: "refuse", reason: "No." },
      bash,
      before({ permissionDecision: "deny", permissionDecisionReason: "No." }),
    ],
    [
      "PreToolUse",
      { kind: "send-back", feedback: "More." },
      plan,
      before({ permissionDecision: "deny", permissionDecisionReason: "More." }),
    ],
    ["PreToolUse", approve, plan, before({ permissionDecision: "allow", updatedInput: edited })],
    ["PermissionRequest", { kind: "no-opinion" }, bash, null],
    ["PermissionRequest", { kind: "leave-to-client" }, plan, null],
    ["PermissionRequest", { kind: "pass" }, bash, asked({ behavior: "allow" })],
    ["PermissionRequest", { kind: "pass" }, plan, null],
    [
      "PermissionRequest",
      { kind: "rewrite", input: { command: "x" } },
      bash,
      asked({ behavior: "allow", updatedInput: { command: "x" } }),
    ],
    ["PermissionRequest", { kind: "refuse", reason: "No." }, bash, asked({ behavior: "deny", message: "No." })],
    ["PermissionRequest", { kind: "refuse", reason: "" }, bash, asked({ behavior: "deny", message: "Groundplan" })],
    [
      "PermissionRequest",
      { kind: "send-back", feedback: "More." },
      plan,
      asked({ behavior: "deny", message: "More." }),
    ],
    [
      "PermissionRequest",
      approve,
      plan,
      asked({ behavior: "allow", updatedInput: edited, updatedPermissions: setMode("acceptEdits") }),
    ],
    [
      "PermissionRequest",
      { ...approve, mode: null },
      plan,
      asked({ behavior: "allow", updatedInput: edited, updatedPermissions: setMode("default") }),
    ],
  ];
  test.each(rows)("B11.2 %s %j", (event, answer, payload, said) => {
    const stdout = said === null ? "" : JSON.stringify(said);
    expect(claude.say(event, answer, payload)).toEqual({ stdout, stderr: "", exitCode: 0 });
  });

  test("B11.4 where nothing can be refused, nothing is stopped either", () => {
    for (const event of ["PostToolUse", "UserPromptSubmit", "Stop", "SessionEnd"]) {
      const said = claude.say(event, { kind: "refuse", reason: "No." }, {});
      expect(said).toEqual({ stdout: "", stderr: "No.", exitCode: 0 });
    }
  });

  test("B11.4 an event that is not known is refused by its exit code", () => {
    expect(claude.say("X", { kind: "refuse", reason: "No." }, {})).toEqual({ stdout: "", stderr: "No.", exitCode: 2 });
    expect(claude.say("X", approve, {}).exitCode).toBe(2);
    expect(claude.say("X", { kind: "no-opinion" }, {})).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  test("B11.5 words that are longer than was seen to arrive are cut here, and it is said", () => {
    const { stdout } = claude.say("PermissionRequest", { kind: "send-back", feedback: "x".repeat(200_100) }, plan);
    const { message } = (JSON.parse(stdout) as { hookSpecificOutput: { decision: { message: string } } })
      .hookSpecificOutput.decision;
    expect(message.length).toBeLessThan(200_050);
    expect(message.endsWith("\n[… 100 characters]")).toBe(true);
  });
});
