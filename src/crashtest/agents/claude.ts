/** Claude Code: headless (-p), in a terminal where bypass is to be available, and driven by a host where a plan is to be approved. */
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import { join } from "node:path";
import { changedMark } from "../inside/changed-mark.ts";
import { run, type Ended } from "../inside/process.ts";
import { runInTerminal } from "../inside/terminal.ts";
import { worthlessKey } from "./by-command.ts";
import { claudeProbes, claudeUses, planFileOf } from "./claude-probes.ts";
import { turnOf } from "./offered-ways.ts";
import { has } from "./own-probe.ts";
import { put } from "./put.ts";
import type { AgentRow, Stage, AgentStart } from "./row.ts";

const screen = {
  ready: /plan mode on|bypass permissions on|\? for shortcuts|accept edits on/,
  asks: /Do you want to|Would you like to proceed|❯ 1\. Yes/,
};
const rules = ["Bash", "Bash(rm *)", "Bash(sed *)", "Edit", "Write", "Agent", "ExitPlanMode"];

export const claude: AgentRow = {
  name: "claude",
  title: "Claude Code",
  programs: ["claude"],
  wires: ["anthropic"],
  tried: ["2.1.325"],
  cannot: {},
  own: [".claude"],
  guard: "claude",
  prepare,
  start: (stage) => ({
    args: [
      "--permission-mode",
      stage.mode === "plan" ? "plan" : "bypassPermissions",
      ...(stage.circumstances.bypass === true ? ["--allow-dangerously-skip-permissions"] : []),
      "--settings",
      JSON.stringify({ useAutoModeDuringPlan: has(stage, "auto") }),
      ...(stage.resumes ? ["--continue"] : []),
      ...(isInTerminal(stage) ? [] : has(stage, "host") ? hostFlags : ["-p", stage.prompt]),
    ],
    environment: environmentOf(stage),
  }),
  /** Its leak with bypass available shows in the terminal, not headless. */
  converse: (stage, start) => (isInTerminal(stage) ? runInTerminal(stage, start, screen) : headless(stage, start)),
  approve,
  probes: claudeProbes,
  uses: claudeUses,
  ways: {
    /** It is told of the tool late, and takes the call all the same. */
    presentPlan: (asked, text) => {
      const file = planFileOf(asked);
      if (file === null) return null;
      return [
        turnOf({ tool: "Write", input: { file_path: file, content: text } }),
        turnOf({ tool: "ExitPlanMode", input: { plan: text } }),
      ];
    },
  },
};

const hostFlags = ["-p", "--output-format", "stream-json", "--verbose"].concat([
  "--input-format",
  "stream-json",
  "--permission-prompt-tool",
  "stdio",
]);

function isInTerminal(stage: Stage): boolean {
  return has(stage, "terminal") || (stage.circumstances.bypass === true && !has(stage, "host"));
}

function headless(stage: Stage, { args, environment }: AgentStart): Promise<Ended> {
  return run({
    argv: [...stage.program, ...args],
    directory: stage.project,
    environment: { ...stage.environment, ...environment },
    limitMs: stage.limitMs,
    ...(has(stage, "host") ? { hold: (child) => host(child, stage) } : {}),
  });
}

/** Another program that talks for the person: whatever is asked is denied after a while, as if they had looked. */
function host(child: ChildProcess, { prompt }: Stage): void {
  const send = (value: unknown): void =>
    void (child.stdin!.writable && child.stdin!.write(`${JSON.stringify(value)}\n`));
  send({ type: "control_request", request_id: "start", request: { subtype: "initialize", hooks: null } });
  send({ type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null, session_id: "" });
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const told = parseJson(line);
    if (!isObject(told)) return;
    if (told["type"] === "result") child.stdin!.end();
    const asksTool = isObject(told["request"]) && told["request"]["subtype"] === "can_use_tool";
    if (told["type"] !== "control_request" || !asksTool) return;
    const response = { behavior: "deny", message: "The person said no." };
    const answer = { subtype: "success", request_id: told["request_id"], response };
    setTimeout(() => send({ type: "control_response", response: answer }), readingMs);
  });
}

const readingMs = 1500;

/** In its own dialog: the person has read the plan, its file is changed, they press the key of yes. Our guard is strict there: else that dialog stays open beside it. */
function approve(stage: Stage, changed: boolean): Promise<Ended> {
  const start = { args: ["--permission-mode", "plan"], environment: { ...environmentOf(stage), ...strict } };
  const answer = (): string => {
    const folder = join(stage.home, ".claude/plans");
    for (const name of changed ? readdirSync(folder) : [])
      writeFileSync(join(folder, name), `${readFileSync(join(folder, name), "utf8")}\n2. ${changedMark}\n`);
    return "1";
  };
  return runInTerminal(stage, start, { ...screen, asks: /Would you like to proceed/, answer });
}

const strict = { GROUNDPLAN_REVIEW: "browser-only", BROWSER: "/nowhere/browser" };

function prepare({ home, project, circumstances }: Stage): void {
  const state = {
    hasCompletedOnboarding: true,
    theme: "dark",
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: [worthlessKey.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  put(join(home, ".claude.json"), JSON.stringify(state));
  const allowing = JSON.stringify({ permissions: { allow: rules } });
  if (circumstances.rules === true) put(join(home, ".claude/settings.json"), allowing);
  if (circumstances.planted === true) put(join(project, ".claude/settings.json"), allowing);
}

function environmentOf({ url, temporary }: Stage): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: worthlessKey,
    IS_SANDBOX: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_TMPDIR: temporary,
  };
}
