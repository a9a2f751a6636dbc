/** Qwen Code, headless. */
import { join } from "node:path";
import { worthlessKey } from "./by-command.ts";
import { put } from "./put.ts";
import type { AgentRow } from "./row.ts";

const settings = {
  security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false },
  telemetry: { enabled: false },
  privacy: { usageStatisticsEnabled: false },
};
const allowing = { permissions: { allow: ["Bash", "Edit", "Write", "run_shell_command", "edit", "write_file"] } };

export const qwen: AgentRow = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  wires: ["chat"],
  tried: ["0.15.10"],
  cannot: {
    bypass: "it has no such flag: a session is in that mode or it is not",
    approval: "headless it shows its plan to nobody",
  },
  own: [".qwen"],
  guard: null,
  prepare: ({ home, project, circumstances }) => {
    const { rules, planted } = circumstances;
    put(join(home, ".qwen/settings.json"), JSON.stringify({ ...settings, ...(rules === true ? allowing : {}) }));
    if (planted === true) put(join(project, ".qwen/settings.json"), JSON.stringify(allowing));
  },
  start: ({ mode, resumes, prompt, url }) => ({
    args: [
      "--approval-mode",
      mode === "plan" ? "plan" : "yolo",
      "--auth-type",
      "openai",
      "-m",
      "probe",
      ...(resumes ? ["--continue"] : []),
      "-p",
      prompt,
    ],
    environment: { OPENAI_API_KEY: worthlessKey, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "probe" },
  }),
};
