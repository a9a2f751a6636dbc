/** Groundplan itself, headless. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import { run, unable, type Ended } from "../inside/process.ts";
import { changedMark } from "../inside/changed-mark.ts";
import { addresses } from "./by-command.ts";
import { turnOf } from "./offered-ways.ts";
import { put } from "./put.ts";
import type { AgentRow, Stage, AgentStart } from "./row.ts";

const models = {
  anthropic: "anthropic/probe",
  responses: "openai/probe",
  chat: "openai/probe",
  google: "google/probe",
} as const;

const rules = ["Bash", "Edit", "Write", "Agent"];

export const groundplan: AgentRow = {
  name: "groundplan",
  title: "Groundplan",
  programs: [],
  wires: ["anthropic", "chat", "google"],
  tried: ["this one"],
  cannot: {},
  own: [],
  guard: null,
  prepare: ({ home, project, circumstances }) => {
    const settings = JSON.stringify({ permissions: { allow: rules } });
    if (circumstances.rules === true) put(join(home, ".groundplan/settings.json"), settings);
    if (circumstances.planted === true) put(join(project, ".groundplan/settings.json"), settings);
  },
  start: (stage) => started(stage, ["-p", stage.prompt]),
  approve,
  ways: {
    presentPlan: ({ request, offered }, text) => {
      if (!offered.some(({ name }) => name === "ExitPlanMode")) return null;
      const file = /[^\s"'`]+\/plans\/[\w-]+\.md/.exec(JSON.stringify(request.body))?.[0] ?? "plan.md";
      return [
        turnOf({ tool: "Write", input: { file_path: file, content: text } }),
        turnOf({ tool: "ExitPlanMode", input: {} }),
      ];
    },
  },
};

function started({ mode, wire, circumstances, resumes, url }: Stage, more: readonly string[]): AgentStart {
  return {
    args: [
      "--model",
      models[wire],
      "--output-format",
      "json",
      ...(mode === "plan" ? ["--permission-mode", "plan"] : ["--dangerously-skip-permissions"]),
      ...(circumstances.bypass === true && mode === "plan" ? ["--allow-dangerously-skip-permissions"] : []),
      ...(resumes ? ["--continue"] : []),
      ...more,
    ],
    environment: addresses({ url }),
  };
}

/** Headless, a plan waits in its file; whoever approves names the hash of what they have read. */
async function approve(stage: Stage, changed: boolean): Promise<Ended> {
  const { args, environment } = started({ ...stage, mode: "plan" }, ["-p", stage.prompt]);
  const around = { directory: stage.project, environment: { ...stage.environment, ...environment } };
  const first = await run({ argv: [...stage.program, ...args], ...around, limitMs: stage.limitMs });
  const told = parseJson(first.output.trim().split("\n").at(-1) ?? "");
  const plan = isObject(told) && isObject(told["plan"]) ? told["plan"] : null;
  if (plan === null || !isObject(told)) return unable(`no plan was presented: ${first.output}`);
  const file = String(plan["path"]);
  if (changed) writeFileSync(file, `${readFileSync(file, "utf8")}\n2. ${changedMark}\n`);
  const word = ["--resume", String(told["sessionId"]), "--approve", String(plan["hash"])];
  const second = [...stage.program, "--model", models[stage.wire], "--permission-mode", "acceptEdits", ...word, "-p"];
  return run({ argv: second, ...around, limitMs: stage.limitMs });
}
