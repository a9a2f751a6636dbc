/** How it is known that Gemini CLI plans, which no payload of it says. */
import { describe, expect, test } from "vitest";
import { gemini } from "../../src/clients/gemini.ts";
import { policyMark } from "../../src/clients/gemini-marks.ts";
import {
  hear,
  inputOf,
  planned,
  policy,
  policyPath,
  recorded,
  sitting,
  transcript,
  transcriptPath,
  working,
  type Heard,
} from "./gemini-recorded.ts";

const call = recorded("plan-read-file");

function planning(how: Heard): unknown {
  const occasion = hear(call, how);
  return occasion.kind === "tool" ? occasion.planning : occasion;
}

const withPolicy = { [policyPath]: policy };
const started = (...more: readonly string[]): readonly string[] => [...sitting, ...more];

describe("B11.4 how it was started", () => {
  test.each<[string, readonly string[] | null, string]>([
    ["--approval-mode plan", planned, "plan"],
    ["--approval-mode=plan", started("--approval-mode=plan"), "plan"],
    ["the last one counts", started("--approval-mode=yolo", "--approval-mode", "plan"), "plan"],
    ["--approval-mode yolo -p", working, "work"],
    ["-y -p", started("-y", "-p", "x"), "work"],
    ["--prompt=x", started("--prompt=x"), "work"],
    ["somebody sits there, and no policy of ours is there", sitting, "unknown"],
    ["not by Gemini, as far as can be seen", null, "unknown"],
    ["by something else", ["vim", "gemini.txt"], "unknown"],
  ])("%s", (_, line, mode) => {
    expect(planning({ line })).toBe(mode);
  });

  test.each<[string, Heard, string]>([
    ["our policy refuses what nobody saw", { line: sitting, texts: withPolicy }, "work"],
    ["a policy that is not ours", { line: sitting, texts: { [policyPath]: "[[rule]]" } }, "unknown"],
    ["policies by hand take its place", { line: started("--policy", "x.toml"), texts: withPolicy }, "unknown"],
    [
      "policies by the settings take its place",
      {
        line: sitting,
        texts: { ...withPolicy, "/work/project/.gemini/settings.json": '{"policyPaths": ["x"]}' },
      },
      "unknown",
    ],
    [
      "plan mode by the settings",
      {
        line: sitting,
        texts: { ...withPolicy, "/home/person/.gemini/settings.json": '{"general": {"defaultApprovalMode": "plan"}}' },
      },
      "plan",
    ],
    ["nobody knows who started it", { line: null, texts: withPolicy }, "unknown"],
  ])("somebody sits there: %s", (_, how, mode) => {
    expect(planning(how)).toBe(mode);
  });
});

const at = (text: string, line = sitting): unknown =>
  planning({ line, texts: { ...withPolicy, [transcriptPath]: text } });

const tool = (name: string, status: string, response: object): string =>
  `${JSON.stringify({ type: "gemini", toolCalls: [{ name, status, result: [{ functionResponse: { response } }] }] })}\n`;

describe("B11.4 what the session left behind", () => {
  test("a plan that was approved ends it, one that was entered begins it", () => {
    expect(at(transcript("plan", 5), planned)).toBe("plan");
    expect(at(transcript("plan"), planned)).toBe("work");
    expect(at(transcript("yolo", 4), working)).toBe("work");
    expect(at(transcript("yolo", 5), working)).toBe("plan");
    expect(at(transcript("yolo"), working)).toBe("work");
  });

  const denied = tool("run_shell_command", "error", { error: `Tool execution denied by policy. ${policyMark} Again.` });
  const left = `${JSON.stringify({ type: "user", content: [{ text: "User has manually exited Plan Mode. Switching to Default mode." }] })}\n`;

  test("what only plan mode refuses tells that somebody entered it by a key, and words of the client that it was left", () => {
    expect(at(denied)).toBe("plan");
    expect(at(denied + left)).toBe("work");
    expect(at(left + denied)).toBe("plan");
    const shown = [
      { text: "see @note.md" },
      { text: "User has manually exited Plan Mode. Switching to Default mode." },
    ];
    expect(at(`${denied}${JSON.stringify({ type: "user", content: shown })}\n`)).toBe("plan");
  });

  test("what a tool merely shows changes nothing", () => {
    expect(at(denied + tool("read_file", "success", { output: "Plan approved. Switching to Default mode" }))).toBe(
      "plan",
    );
    expect(at(denied + tool("exit_plan_mode", "error", { error: '"Plan approved. Switching to' }))).toBe("plan");
    expect(at(denied + tool("exit_plan_mode", "success", { output: 'x "Plan approved. Switching to' }))).toBe("plan");
    expect(at(tool("run_shell_command", "success", { output: policyMark }))).toBe("work");
  });

  test("a session that is taken up again is in the mode of its new start", () => {
    const head = `${JSON.stringify({ sessionId: "session-1", startTime: "2026-11-18T02:50:10.654Z", kind: "main" })}\n`;
    expect(at(denied + head)).toBe("work");
    expect(at(denied + head, planned)).toBe("plan");
    expect(at(head + transcript("plan") + head, planned)).toBe("plan");
  });

  test("a change that lies behind megabytes of what was read since", () => {
    const begun = `${JSON.stringify({ sessionId: "session-1", startTime: "2026-11-18T02:50:10.654Z" })}\n`;
    const filler = tool("read_file", "success", { output: "x".repeat(100_000) }).repeat(30);
    expect(ofTail(begun + denied + filler, Infinity)).toBe("plan");
    expect(ofTail(begun + filler, Infinity)).toBe("work");
    expect(ofTail(begun + denied + filler.repeat(10), 20_000_000)).toBe("unknown");
  });

  test("half a line, and lines that are no entries, are left out", () => {
    expect(at(`${denied.slice(5)}null\n7\n{"toolCalls":[null,7]}\n{"type":"user","content":null}\n`)).toBe("work");
  });
});

/** The mode by a transcript of which only so much is there. */
function ofTail(text: string, bytes: number): unknown {
  const { payload } = call;
  const input = inputOf(call, { line: working, texts: withPolicy });
  const readTail = (_: string, most: number): string => text.slice(-Math.min(most, bytes));
  const occasion = gemini.hear({ ...input, payload, readTail });
  return occasion.kind === "tool" ? occasion.planning : occasion;
}
