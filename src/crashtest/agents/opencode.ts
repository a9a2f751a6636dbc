/** opencode, headless (`opencode run`). */
import { join } from "node:path";
import { worthlessKey } from "./by-command.ts";
import { put } from "./put.ts";
import type { AgentRow, Stage } from "./row.ts";

const free = { "*": "allow", edit: "allow", bash: "allow", external_directory: "allow", task: "allow" };

export const opencode: AgentRow = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  wires: ["chat"],
  tried: ["1.18.33"],
  cannot: {
    bypass: "it has no such flag",
    approval: "it has no tool to present a plan",
  },
  own: [".opencode", ".git/opencode", "opencode.json"],
  guard: "opencode",
  prepare,
  start: ({ mode, resumes, prompt }) => ({
    args: ["run", "--agent", mode === "plan" ? "plan" : "build", ...(resumes ? ["--continue"] : []), prompt],
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  }),
};

function prepare({ home, project, url, mode, circumstances }: Stage): void {
  const isFree = circumstances.rules === true || mode === "work";
  const settings = {
    autoupdate: false,
    share: "disabled",
    model: "loop/probe",
    small_model: "loop/probe",
    permission: isFree ? free : { external_directory: "allow" },
    agent: { plan: { permission: circumstances.rules === true ? free : {} } },
    provider: {
      loop: {
        npm: "@ai-sdk/openai-compatible",
        name: "Loop",
        options: { baseURL: `${url}/v1`, apiKey: worthlessKey },
        models: { probe: { name: "probe", tool_call: true, limit: { context: 100_000, output: 8000 } } },
      },
    },
  };
  put(join(home, ".config/opencode/opencode.json"), JSON.stringify(settings));
  put(join(home, ".config/opencode/.npmrc"), "fetch-retries=0\noffline=true\n");
  const planted = { permission: free, agent: { plan: { permission: free } } };
  if (circumstances.planted === true) put(join(project, "opencode.json"), JSON.stringify(planted));
}
