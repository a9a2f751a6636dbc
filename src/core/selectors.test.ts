import { describe, expect, test } from "vitest";
import {
  approval,
  call,
  exits,
  planFile,
  planning,
  play,
  reply,
  resultsOf,
  reviewing,
  said,
  started,
  submission,
} from "../testing/core-fixtures.ts";
import { isConcurrencySafe, isRepeatable, placeOf } from "./decide/access.ts";
import { noticeText, type Notice } from "./reminders/notice.ts";
import { isError, type Outcome } from "./outcome.ts";
import { exitOutput, isIdle } from "./selectors.ts";

const alone = { hasTaskTool: false };

describe("the output of ExitPlanMode", () => {
  test("R7.8 R7.9 approved: the plan and where it is saved; whether it was edited; whether tasks can be handed out", () => {
    const { session } = play(reviewing("# Plan"), ...approval());
    const outcome = resultsOf(session)["exit"]!;
    expect(exitOutput(session, outcome, alone)).toEqual({ plan: "# Plan", isAgent: false, filePath: planFile });
    expect(exitOutput(session, outcome, { hasTaskTool: true })).toEqual({
      plan: "# Plan",
      isAgent: false,
      filePath: planFile,
      hasTaskTool: true,
    });
    const edited = play(reviewing("# Plan"), ...approval({ plan: "# Mine" }), { type: "plan-written", callId: "exit" });
    expect(exitOutput(edited.session, resultsOf(edited.session)["exit"]!, alone)).toEqual({
      plan: "# Mine",
      isAgent: false,
      filePath: planFile,
      planWasEdited: true,
    });
  });

  test("R7.8 R12.1 submitted to a lead: it says that it waits, with the request's id", () => {
    const actor = { kind: "teammate", name: "bo", team: "default", planRequired: true } as const;
    const { session } = play(planning({ actor }), ...submission("# Plan"));
    expect(exitOutput(session, resultsOf(session)["exit"]!, alone)).toEqual({
      plan: "# Plan",
      isAgent: false,
      filePath: planFile,
      awaitingLeaderApproval: true,
      requestId: "plan_approval:bo@default:s1:1",
    });
  });

  test("R7.8 R7.9 in a subagent", () => {
    const actor = { kind: "subagent", id: "a1", ownPlan: true, parent: "default" } as const;
    const child = planning({ actor });
    const approved = {
      kind: "approved",
      plan: "# P",
      file: "/p.md",
      edited: false,
      notes: null,
      fresh: false,
    } as const;
    expect(exitOutput(child, approved, alone)).toEqual({ plan: "# P", isAgent: true, filePath: "/p.md" });
  });

  test("R7.8 nothing else has an output", () => {
    expect(exitOutput(planning(), { kind: "dismissed" }, alone)).toBe(null);
    expect(exitOutput(planning(), { kind: "revise", feedback: "", comments: [] }, alone)).toBe(null);
  });
});

test.each<[Outcome, boolean]>([
  [{ kind: "ran", output: 1, isError: false }, false],
  [{ kind: "ran", output: 1, isError: true }, true],
  [{ kind: "denied", denial: { code: "plan-write", detail: null, part: null } }, true],
  [{ kind: "denied", denial: { code: "exit-not-planning", detail: null, part: null } }, true],
  [{ kind: "denied", denial: { code: "already-planning", detail: null, part: null } }, false],
  [{ kind: "denied", denial: { code: "enter-in-agent", detail: null, part: null } }, true],
  [{ kind: "cancelled" }, true],
  [{ kind: "interrupted" }, true],
  [{ kind: "entered" }, false],
  [{ kind: "left" }, false],
  [{ kind: "approved", plan: "p", file: "f", edited: false, notes: null, fresh: false }, false],
  [{ kind: "revise", feedback: "", comments: [] }, true],
  [{ kind: "unchanged", feedback: "", comments: [], times: 2 }, true],
  [{ kind: "sent-back", missing: [] }, true],
  [{ kind: "saved" }, false],
  [{ kind: "abandoned" }, false],
  [{ kind: "dismissed" }, true],
  [{ kind: "withdrawn" }, true],
  [{ kind: "submitted", requestId: "r" }, false],
])("R7.9 R5.2 the provider hears of %j as an error: %s", (outcome, error) => {
  expect(isError(outcome)).toBe(error);
});

test("R6.2 R7.2 entering and leaving are concurrency-safe; neither is run again after a crash", () => {
  for (const { access } of [call("c", { kind: "enter-plan" }), exits()]) {
    expect([isConcurrencySafe(access), isRepeatable(access)]).toEqual([true, false]);
  }
});

describe("what is said to the person", () => {
  const notices: readonly Notice[] = [
    { key: "auto-mode-gate-plan-exit-fallback" },
    { key: "auto-mode-unavailable" },
    { key: "auto-mode-off" },
    { key: "mode-refused", mode: "auto", reason: "auto-not-available" },
    { key: "plan-entered-by-model" },
    { key: "left-without-approval", mode: "default" },
    { key: "turn-ended-in-text" },
    { key: "plan-file-unavailable", error: "e" },
    { key: "plan-changed-during-review" },
    { key: "plan-write-failed", error: "e" },
    { key: "plan-repeated" },
    { key: "plan-files-changed", files: ["a.ts", "b.ts"] },
    { key: "hook-allow-ignored", tool: "Write" },
    { key: "model-failed", error: "e" },
  ];

  test("R7.6 the fallback's words, immediate, a warning, ten seconds", () => {
    expect(noticeText({ key: "auto-mode-gate-plan-exit-fallback" })).toEqual({
      text: "plan exit → default · auto mode unavailable",
      priority: "immediate",
      tone: "warning",
      seconds: 10,
    });
  });

  test("B4.1 leaving without an approval says so", () => {
    expect(noticeText({ key: "left-without-approval", mode: "default" }).text).toContain("nothing was approved");
  });

  test.each(notices)("B4.3 the notice $key is one line", (notice) => {
    expect(noticeText(notice).text).toMatch(/^[^\n]+$/);
  });
});

test.each<[string, ReturnType<typeof placeOf>]>([
  ["/repo/src/a.ts", "project"],
  ["/added/a.ts", "project"],
  ["/repo", "project"],
  ["/repo-evil/a.ts", "elsewhere"],
  ["/etc/hosts", "elsewhere"],
  ["/repo/.git/config", "guarded"],
  ["/repo/.git", "guarded"],
  ["/repo/sub/.GIT/hooks/x", "guarded"],
  ["/repo/.groundplan/settings.json", "guarded"],
  ["/home/me/.bashrc", "guarded"],
  ["/repo/.Envrc", "guarded"],
  ["/repo/.vscode/tasks.json", "guarded"],
  ["/repo/.vscode", "guarded"],
  ["/repo/sub/.VSCode/settings.json", "guarded"],
  ["/repo/.idea/workspace.xml", "guarded"],
  ["/repo/.husky/pre-commit", "guarded"],
  ["/repo/.githooks/pre-commit", "guarded"],
  ["/repo/.devcontainer/devcontainer.json", "guarded"],
  ["/repo/.devcontainer.json", "guarded"],
  ["/repo/.pre-commit-config.yaml", "guarded"],
  ["/repo/lefthook.yml", "guarded"],
  ["/repo/.claude/settings.json", "guarded"],
  ["/repo/.codex/config.toml", "guarded"],
  ["/repo/.gemini/settings.json", "guarded"],
  ["/repo/.opencode/plugin/x.js", "guarded"],
  ["/repo/.cursor/mcp.json", "guarded"],
  ["/repo/.mcp.json", "guarded"],
  ["/home/me/.claude/settings.json", "guarded"],
  ["/home/me/.cursor/worktrees/one/a.ts", "project"],
  ["/home/me/.cursor/worktrees/one/.cursor/mcp.json", "guarded"],
  ["/repo/.vscodeignore", "project"],
  ["/repo/.gitignore", "project"],
  ["/repo/.github/ci.yml", "project"],
])("R17.1 section 17: %s lies %s", (path, place) => {
  expect(placeOf(path, ["/repo", "/added", "/home/me/.cursor/worktrees/one"])).toBe(place);
});

test("R6.3 R2.3 the question of EnterPlanMode is a typed one", () => {
  const asked = play(reviewing(), ...approval(), reply(call("e", { kind: "enter-plan" })));
  expect(asked.last).toMatchObject([{ type: "ask-permission", question: { kind: "enter-plan" } }]);
});

test("B4.3 the person has the floor when nothing is under way and nothing is due", () => {
  const claiming = play(started({ mode: "plan" }), said("go")).session;
  const busy = [planning(), play(planning(), reply(exits())).session, claiming];
  expect([started(), ...busy].map(isIdle)).toEqual([true, false, false, false]);
});
