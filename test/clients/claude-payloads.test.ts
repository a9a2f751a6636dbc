/** What the real Claude Code handed to its hooks (recorded by scripts/clients/claude-payloads.mjs), and what is heard of it. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { claude } from "../../src/clients/claude.ts";
import type { Occasion } from "../../src/clients/client.ts";

interface Recorded {
  readonly version: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const folder = join(import.meta.dirname, "payloads/claude");
const names = readdirSync(folder).map((file) => basename(file, ".json"));

function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Recorded;
}

function heard({ event, payload }: Recorded): Occasion {
  return claude.hear({
    event,
    payload,
    environment: { HOME: "/home/user" },
    readText: () => null,
    readTail: () => null,
    listNames: () => [],
    ancestors: () => [],
  });
}

/** An occasion in a line: what it is, whether it plans, what the call is. */
function line(occasion: Occasion): string {
  if (occasion.kind === "answered") return `answered ${occasion.how}`;
  if (occasion.kind !== "tool") return occasion.kind;
  const { call, planning } = occasion;
  const what =
    call.kind === "ours" ? call.calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`) : [call.kind];
  return [planning, ...what].join(" ");
}

const bash = (command: string): string => `Bash ${JSON.stringify({ command })}`;
const made = 'Write {"file_path":"/work/project/made.txt","content":""}';
const book = 'NotebookEdit {"notebook_path":"/work/project/book.ipynb","new_source":""}';
const web = 'WebFetch {"url":"http://127.0.0.1:9/"}';

const expected: Readonly<Record<string, string | RegExp>> = {
  "PermissionRequest-AskUserQuestion-bypassPermissions": "other",
  "PermissionRequest-AskUserQuestion-plan": "other",
  "PermissionRequest-Bash-plan": `plan ${bash("touch made.txt")}`,
  "PermissionRequest-Bash-plan-inside": `plan ${bash("touch made-by-agent.txt")}`,
  "PermissionRequest-ExitPlanMode-plan": "plan",
  "PermissionRequest-Monitor-plan": "plan unknown",
  "PermissionRequest-NotebookEdit-plan": `plan ${book}`,
  "PermissionRequest-Read-plan": 'plan Read {"file_path":"/work/elsewhere/kept.txt"}',
  "PermissionRequest-Skill-plan": "plan unknown",
  "PermissionRequest-WebFetch-plan": `plan ${web}`,
  "PermissionRequest-Write-plan": `plan ${made}`,
  "PermissionRequest-Write-plan-inside": `plan ${made}`,
  "PostToolUse-Bash-acceptEdits": "other",
  "PostToolUse-Bash-bypassPermissions": "other",
  "PostToolUse-Bash-bypassPermissions-inside": "other",
  "PostToolUse-Bash-default": "other",
  "PostToolUse-Bash-plan": "other",
  "PostToolUse-ExitPlanMode-acceptEdits": "answered approved",
  "PreToolUse-Agent-bypassPermissions": "work spawn",
  "PreToolUse-Agent-plan": "plan spawn",
  "PreToolUse-AskUserQuestion-bypassPermissions": "other",
  "PreToolUse-AskUserQuestion-plan": "other",
  "PreToolUse-Bash-acceptEdits": `work ${bash("rm note.txt")}`,
  "PreToolUse-Bash-bypassPermissions": `work ${bash("touch made.txt")}`,
  "PreToolUse-Bash-bypassPermissions-inside": `work ${bash("touch made-by-agent.txt")}`,
  "PreToolUse-Bash-default": `work ${bash("ls")}`,
  "PreToolUse-Bash-plan": `plan ${bash("touch made.txt")}`,
  "PreToolUse-Bash-plan-inside": `plan ${bash("touch made-by-agent.txt")}`,
  "PreToolUse-EnterPlanMode-bypassPermissions": "work enter-plan",
  "PreToolUse-EnterPlanMode-plan": "plan enter-plan",
  "PreToolUse-ExitPlanMode-plan": "plan",
  "PreToolUse-Monitor-bypassPermissions": "work unknown",
  "PreToolUse-Monitor-plan": "plan unknown",
  "PreToolUse-NotebookEdit-bypassPermissions": `work ${book}`,
  "PreToolUse-NotebookEdit-plan": `plan ${book}`,
  "PreToolUse-Read-bypassPermissions": /^work Read {"file_path":"\/work\/project\/.*"}$/,
  "PreToolUse-Read-plan": /^plan Read {"file_path":"\/work\/project\/.*"}$/,
  "PreToolUse-Skill-bypassPermissions": "work unknown",
  "PreToolUse-Skill-plan": "plan unknown",
  "PreToolUse-ToolSearch-bypassPermissions": "work harmless",
  "PreToolUse-ToolSearch-plan": "plan harmless",
  "PreToolUse-WebFetch-bypassPermissions": `work ${web}`,
  "PreToolUse-WebFetch-plan": `plan ${web}`,
  "PreToolUse-Write-acceptEdits": `work ${made}`,
  "PreToolUse-Write-bypassPermissions": `work ${made}`,
  "PreToolUse-Write-bypassPermissions-inside": `work ${made}`,
  "PreToolUse-Write-plan":
    /^plan Write {"file_path":"\/(work\/project\/made.txt|home\/user\/.claude\/plans\/[\w-]+.md)"/,
  "PreToolUse-Write-plan-inside": `plan ${made}`,
  SessionEnd: "answered over",
  "Stop-acceptEdits": "answered over",
  "Stop-bypassPermissions": "answered over",
  "Stop-default": "answered over",
  "Stop-plan": "answered over",
  "SubagentStop-bypassPermissions-inside": "unreadable",
  "SubagentStop-plan-inside": "unreadable",
  "UserPromptSubmit-bypassPermissions": "answered rejected",
  "UserPromptSubmit-default": "answered rejected",
  "UserPromptSubmit-plan": "answered rejected",
};

describe("recorded payloads of Claude Code", () => {
  test("each is expected to be something", () => {
    expect(names.toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  test.each(names)("B11.2 %s", (name) => {
    const payload = recorded(name);
    expect(claude.versions).toContain(payload.version);
    const found = line(heard(payload));
    const wanted = expected[name]!;
    if (typeof wanted === "string") expect(found).toBe(wanted);
    else expect(found).toMatch(wanted);
  });

  test("B11.5 the plan that is presented is the client's own text, and its file is named", () => {
    const { payload } = recorded("PermissionRequest-ExitPlanMode-plan");
    expect(heard(recorded("PermissionRequest-ExitPlanMode-plan"))).toEqual({
      kind: "plan",
      session: "session-1",
      directory: "/work/project",
      plan: "# Plan\n\n1. Change note.txt.\n",
      planFile: (payload["tool_input"] as { planFilePath: string }).planFilePath,
      headless: false,
    });
  });

  test.each(names.filter((name) => /^(Pre|Permission).*-plan/.test(name) && !name.includes("AskUser")))(
    "B11.4 %s without any one of what it must have is refused or judged as plan mode",
    (name) => {
      const { version, event, payload } = recorded(name);
      for (const field of Object.keys(payload)) {
        const { [field]: _, ...rest } = payload;
        const occasion = heard({ version, event, payload: rest });
        const planning = occasion.kind === "tool" ? occasion.planning : occasion.kind;
        expect(["plan", "unknown", "unreadable"]).toContain(planning);
      }
    },
  );
});
