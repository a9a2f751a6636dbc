/** The bytes of each answer to Codex: by its own schemas only these are no errors, and an error lets the call go on. */
import { describe, expect, test } from "vitest";
import type { GuardAnswer } from "../../src/clients/client.ts";
import { codex } from "../../src/clients/codex.ts";

const answers: readonly GuardAnswer[] = [
  { kind: "no-opinion" },
  { kind: "pass" },
  { kind: "rewrite", input: { command: "safe" } },
  { kind: "rewrite", input: "safe" },
  { kind: "refuse", reason: "No." },
  { kind: "refuse", reason: " \n" },
  { kind: "approve", plan: "# Plan", mode: null, notes: null },
  { kind: "send-back", feedback: "More." },
  { kind: "leave-to-client" },
];

function said(event: string, answer: GuardAnswer): unknown {
  const { stdout, stderr, exitCode } = codex.say(event, answer, {});
  if (stdout === "") return { stderr, exitCode };
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return JSON.parse(stdout);
}

const silence = { stderr: "", exitCode: 0 };
const before = (more: object): object => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...more } });
const deny = (permissionDecisionReason: string): object =>
  before({ permissionDecision: "deny", permissionDecisionReason });
const asked = (decision: object): object => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
const denied = (message: string): object => asked({ behavior: "deny", message });

describe("what is said", () => {
  test("B11.2 before a tool runs", () => {
    expect(answers.map((answer) => said("PreToolUse", answer))).toEqual([
      silence,
      silence,
      before({ permissionDecision: "allow", updatedInput: { command: "safe" } }),
      deny("Groundplan"),
      deny("No."),
      deny("Groundplan"),
      deny("Groundplan"),
      deny("More."),
      silence,
    ]);
  });

  test("B11.2 when the person would be asked", () => {
    expect(answers.map((answer) => said("PermissionRequest", answer))).toEqual([
      silence,
      asked({ behavior: "allow" }),
      denied("Groundplan"),
      denied("Groundplan"),
      denied("No."),
      denied("Groundplan"),
      denied("Groundplan"),
      denied("More."),
      silence,
    ]);
  });

  test("B11.5 at the end of a turn only feedback starts another round", () => {
    expect(answers.map((answer) => said("Stop", answer))).toEqual([
      silence,
      silence,
      silence,
      silence,
      { systemMessage: "No." },
      { systemMessage: "Groundplan" },
      silence,
      { decision: "block", reason: "More." },
      silence,
    ]);
  });

  test.each(["PostToolUse", "UserPromptSubmit", "SessionStart", "SessionEnd"])("%s is never stopped", (event) => {
    for (const answer of answers) expect(codex.say(event, answer, {})).toMatchObject({ stdout: "", exitCode: 0 });
  });

  test("B11.4 an event that is not known is refused by its exit code, with words", () => {
    expect(said("Other", { kind: "refuse", reason: "" })).toEqual({ stderr: "Groundplan", exitCode: 2 });
    expect(said("Other", { kind: "no-opinion" })).toEqual(silence);
  });
});
