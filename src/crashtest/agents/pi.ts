/** Pi, headless, with the extension for plan mode that its package brings as an example. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { worthlessKey } from "./by-command.ts";
import { turnOf } from "./offered-ways.ts";
import { put } from "./put.ts";
import type { AgentRow, Stage } from "./row.ts";

const none = "it asks for nothing and has no rules";

export const pi: AgentRow = {
  name: "pi",
  title: "Pi",
  programs: ["pi"],
  wires: ["chat"],
  tried: ["0.73.1"],
  cannot: { rules: none, planted: none, bypass: none, approval: "it has no tool to present a plan" },
  own: [".pi"],
  guard: null,
  prepare: ({ home, url }) => {
    const models = [{ id: "probe" }];
    const loop = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: worthlessKey, models };
    put(join(home, ".pi/agent/models.json"), JSON.stringify({ providers: { loop } }));
  },
  ways: {
    edit: (_, path, oldText, newText) => [turnOf({ tool: "edit", input: { path, edits: [{ oldText, newText }] } })],
  },
  start: (stage) => ({
    args: [
      "--offline",
      "--provider",
      "loop",
      "--model",
      "probe",
      ...(stage.mode === "plan" ? ["--extension", extensionOf(stage), "--plan"] : []),
      ...(stage.resumes ? ["--continue"] : []),
      "-p",
      stage.prompt,
    ],
    environment: { PI_OFFLINE: "1" },
  }),
};

/** It lies in the package, some folders above the program. */
function extensionOf({ program }: Stage): string {
  const name = "examples/extensions/plan-mode/index.ts";
  const file = program.findLast((word) => word.startsWith("/")) ?? "/";
  for (let folder = dirname(realpathSync(file)); folder !== "/"; folder = dirname(folder))
    if (existsSync(join(folder, name))) return join(folder, name);
  return name;
}
