/** Gemini CLI, headless. */
import { join } from "node:path";
import { worthlessKey } from "./by-command.ts";
import { runInTerminal } from "../inside/terminal.ts";
import { run } from "../inside/process.ts";
import { geminiProbes, geminiUses } from "./gemini-probes.ts";
import { notesServer } from "./notes-server.ts";
import { turnOf } from "./offered-ways.ts";
import { has } from "./own-probe.ts";
import { put } from "./put.ts";
import type { AgentRow, Stage } from "./row.ts";

const allowAll = ['toolName = "*"', 'toolName = "*"\nmcpName = "*"']
  .map((lines) => `[[rule]]\n${lines}\ndecision = "allow"\npriority = 900\n`)
  .join("");
/** From the mode that asks over the one that edits to the one that plans; no hook sees these keys. */
const screen = {
  before: [
    [/Shift\+Tab to accept edits/, "BTab"],
    [/Shift\+Tab to plan/, "BTab"],
  ],
  ready: /plan Shift\+Tab/,
  asks: /Apply this change\?|Allow execution/,
} as const;

export const gemini: AgentRow = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  wires: ["google"],
  tried: ["0.61.0"],
  cannot: {
    bypass: "it has no such flag: a session is in that mode or it is not",
    approval: "headless it shows its plan to nobody",
  },
  own: [".gemini"],
  guard: "gemini",
  probes: geminiProbes,
  uses: geminiUses,
  prepare: (stage) => {
    const { home, project, circumstances } = stage;
    const [command, ...args] = has(stage, "server") ? notesServer(stage) : [];
    const settings = {
      ...(command === undefined ? {} : { mcpServers: { notes: { command, args } } }),
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
    };
    put(join(home, ".gemini/settings.json"), JSON.stringify(settings));
    if (circumstances.rules === true) put(join(home, ".gemini/policies/a-person.toml"), allowAll);
    if (circumstances.planted === true) put(join(project, ".gemini/policies/planted.toml"), allowAll);
  },
  start: (stage) => ({
    args: [
      ...(has(stage, "keys") ? [] : ["--approval-mode", modeOf(stage)]),
      "-m",
      "gemini-2.5-pro",
      ...(stage.resumes ? ["--resume", "latest"] : []),
      ...(has(stage, "keys") ? [] : ["-p", stage.prompt]),
    ],
    environment: environmentOf(stage),
  }),
  converse: (stage, start) =>
    has(stage, "keys")
      ? runInTerminal(stage, start, screen)
      : run({
          argv: [...stage.program, ...start.args],
          directory: stage.project,
          environment: { ...stage.environment, ...start.environment },
          limitMs: stage.limitMs,
        }),
  ways: {
    agent: (_, prompt, type) => {
      const name = type === "writer" ? "generalist" : "codebase_investigator";
      return [turnOf({ tool: "invoke_agent", input: { agent_name: name, prompt } })];
    },
    presentPlan: ({ offered }, text) =>
      offered.some(({ name }) => name === "exit_plan_mode")
        ? [
            turnOf({ tool: "write_file", input: { file_path: "plan.md", content: text } }),
            turnOf({ tool: "exit_plan_mode", input: { plan_filename: "plan.md" } }),
          ]
        : null,
  },
  broken: /^Subagent .* not found/,
  endInside: () => turnOf({ tool: "complete_task", input: { result: { response: "Done." } } }),
};

function modeOf(stage: Stage): string {
  if (stage.mode === "work") return "yolo";
  return has(stage, "entered") ? "default" : "plan";
}

function environmentOf({ url }: Stage): Record<string, string> {
  return { GEMINI_API_KEY: worthlessKey, GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "1" };
}
