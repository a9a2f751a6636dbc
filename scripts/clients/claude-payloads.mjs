// Records what Claude Code really hands to its hooks, cleaned of this machine: node scripts/run-ts.mjs scripts/clients/claude-payloads.mjs claude <program> <folder> [part of a scene's name]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeProbes, planFileOf } from "../../src/crashtest/agents/claude-probes.ts";
import { inTurns, ownProbe } from "../../src/crashtest/agents/own-probe.ts";
import { insideMark } from "../../src/crashtest/inside/model.ts";
import { openingOf, resultCount } from "../../src/crashtest/inside/wire.ts";
import { inCage } from "./in-cage.mjs";
import { onStage } from "./stage.mjs";

const version = "2.1.325";
const events = [
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SessionEnd",
  "SubagentStop",
];
const [name, program, folder = "payloads", only = ""] = process.argv.slice(2);
const scenes = [...claudeProbes.filter((probe) => "say" in probe), ...more()];

await inCage(name, program, {
  act: ({ id, mode }, around) =>
    recorded(
      scenes.find((scene) => scene.id === id),
      mode,
      around,
    ),
  lead: async (ask) => {
    const seen = new Map();
    mkdirSync(folder, { recursive: true });
    for (const { id } of scenes.filter((scene) => scene.id.includes(only)))
      for (const mode of ["plan", "work"]) {
        const lines = await ask({ id, mode });
        if (!Array.isArray(lines)) throw new Error(lines);
        process.stdout.write(`${id} ${mode}: ${lines.length} payloads\n`);
        for (const line of lines.filter(isKept)) keep(seen, line);
      }
    for (const [file, payload] of seen)
      writeFileSync(join(folder, `${file}.json`), `${JSON.stringify(payload, null, 2)}\n`);
  },
});

/** What a tool answered says nothing to a guard, but that a plan was approved does. */
function isKept({ hook_event_name: event, tool_name: tool }) {
  return event !== "PostToolUse" || /^(ExitPlanMode|Bash)$/.test(tool);
}

/** One of each event, mode, tool and whether an agent inside made it. */
function keep(seen, payload) {
  const { hook_event_name: event, tool_name: tool, permission_mode: mode, agent_id: inside } = payload;
  const words = [event, tool, mode, inside === undefined ? null : "inside"];
  const file = words.filter((word) => word !== null && word !== undefined).join("-");
  if (!seen.has(file)) seen.set(file, { version, event, payload });
}

function recorded(scene, mode, around) {
  const turn = (at, asked) => {
    const isInside = openingOf(asked.request).includes(insideMark);
    return isInside ? (scene.inside?.(asked, resultCount(asked.request)) ?? null) : scene.say(asked, at);
  };
  const guard = ({ stage }) => record(stage, scene.approves === true);
  const circumstances = scene.circumstances;
  return onStage(around, { mode, circumstances, turn, guard }, async (stage, { row }) => {
    await row.converse(stage, row.start(stage));
    return taken(stage);
  });
}

async function record({ home, root }, approves) {
  const hook = join(root, "record.sh");
  const lines = [
    "#!/bin/sh",
    "payload=$(cat)",
    `printf '%s\\n' "$payload" >> '${join(root, "payloads.jsonl")}'`,
    `case "$payload" in *'"PermissionRequest"'*'"ExitPlanMode"'*) cat '${join(root, "answer.json")}' 2>/dev/null;; esac`,
    "exit 0",
  ];
  writeFileSync(hook, `${lines.join("\n")}\n`, { mode: 0o755 });
  const updatedPermissions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
  const decision = { behavior: "allow", updatedInput: { plan: "# Plan\n\nEdited.\n" }, updatedPermissions };
  const answer = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
  if (approves) writeFileSync(join(root, "answer.json"), JSON.stringify(answer));
  const entry = [{ hooks: [{ type: "command", command: hook }] }];
  const file = join(home, ".claude/settings.json");
  mkdirSync(join(home, ".claude"), { recursive: true });
  const settings = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  writeFileSync(file, JSON.stringify({ ...settings, hooks: Object.fromEntries(events.map((each) => [each, entry])) }));
}

function taken({ root, home, project }) {
  const file = join(root, "payloads.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const { session_id: session, prompt_id: prompt, agent_id: agent } = JSON.parse(line);
    const text = line
      .replaceAll(project, "/work/project")
      .replaceAll(home, "/home/user")
      .replaceAll(root, "/work")
      .replaceAll(project.replaceAll(/\W/g, "-"), "-work-project")
      .replaceAll(session ?? "\0", "session-1")
      .replaceAll(prompt ?? "\0", "prompt-1")
      .replaceAll(agent ?? "\0", "agent-1");
    return JSON.parse(text);
  });
}

function more() {
  const options = ["A", "B"].map((label) => ({ label, description: label.toLowerCase() }));
  const question = { question: "Which?", header: "Which", multiSelect: false, options };
  const host = { special: ["host"] };
  return [
    { ...ownProbe("approved", "a plan", exit(), host), approves: true },
    one("Read", noteOf),
    one("Read", ({ stage }) => ({ file_path: join(stage.elsewhere, "kept.txt") }), { id: "Read elsewhere" }),
    one("Glob", { pattern: "**/*.js" }),
    one("Grep", { pattern: "mark", output_mode: "content", "-n": true }),
    one("Write", (asked) => ({ ...noteOf(asked), content: "made" })),
    one("Bash", { command: "make", description: "Build", timeout: 5000 }),
    one("Bash", { command: "make", description: "Build" }, { id: "Bash asked", circumstances: host }),
    one("TaskCreate", { subject: "a", description: "b" }),
    one("AskUserQuestion", { questions: [question] }, { circumstances: host }),
    one("EnterPlanMode", {}, { circumstances: host }),
    ownProbe(
      "WebFetch",
      "a tool that is loaded late",
      inTurns(
        () => ({ tool: "ToolSearch", input: { query: "select:WebFetch,WebSearch" } }),
        () => ({ tool: "WebFetch", input: { url: "http://127.0.0.1:9/", prompt: "x" } }),
      ),
    ),
  ];
}

function noteOf({ stage }) {
  return { file_path: join(stage.project, "note.txt") };
}

function exit() {
  return inTurns(
    (asked) => ({ tool: "Write", input: { file_path: planFileOf(asked) ?? "/nowhere/plan.md", content: "# Plan\n" } }),
    () => ({ tool: "ExitPlanMode", input: { plan: "# Plan\n" } }),
  );
}

function one(tool, input, rest = {}) {
  const call = (asked) => ({ tool, input: typeof input === "function" ? input(asked) : input });
  return { ...ownProbe(tool, tool, inTurns(call)), ...rest };
}
