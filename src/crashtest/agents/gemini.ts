/** Gemini CLI, headless. */
import { join } from "node:path";
import { worthlessKey } from "./by-command.ts";
import { turnOf } from "./offered-ways.ts";
import { put } from "./put.ts";
import type { AgentRow, Stage } from "./row.ts";

const allowAll = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 900\n';

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
  prepare: ({ home, project, circumstances }) => {
    const settings = {
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
      "--approval-mode",
      stage.mode === "plan" ? "plan" : "yolo",
      "-m",
      "gemini-2.5-pro",
      ...(stage.resumes ? ["--resume", "latest"] : []),
      "-p",
      stage.prompt,
    ],
    environment: environmentOf(stage),
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

function environmentOf({ url }: Stage): Record<string, string> {
  return { GEMINI_API_KEY: worthlessKey, GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_NO_RELAUNCH: "1" };
}
