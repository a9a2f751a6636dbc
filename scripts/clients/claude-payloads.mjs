// Records what Claude Code really hands to its hooks, cleaned of this machine: node scripts/clients/claude-payloads.mjs <folder>
import { mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { clientProgram } from "./cache.mjs";
import { driver } from "./claude.mjs";
import { loadLoopback } from "./model.mjs";
import { once } from "./matrix.mjs";

const events = [
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "UserPromptSubmit",
  "Stop",
  "SessionEnd",
  "SubagentStop",
];

const startLoopback = await loadLoopback();
const { file: program } = await clientProgram(driver);
const folder = process.argv[2] ?? "payloads";
mkdirSync(folder, { recursive: true });
const probes = [...driver.probes, ...scenes()];
const only = process.argv[3];
const seen = new Map();
/** What a tool answered says nothing to a guard, but that a plan was approved does. */
const isKept = ({ hook_event_name: event, tool_name: tool }) =>
  event !== "PostToolUse" || /^(ExitPlanMode|Bash)$/.test(tool);
for (const probe of probes.filter(({ name }) => only === undefined || name.includes(only))) {
  for (const planning of [true, false]) {
    const lines = [];
    const guard = async (run) => {
      record(run);
      Object.assign(run, { keep: () => lines.push(...taken(run)) });
    };
    const { results } = await once(probe, { driver, startLoopback, program, guard }, { planning, guarded: true });
    process.stdout.write(`${probe.name} ${planning ? "plan" : "work"}: ${lines.length} payloads\n`);
    for (const line of lines.filter(isKept)) keep(line);
    if (only !== undefined)
      process.stdout.write(`${lines.map((line) => JSON.stringify(line)).join("\n")}\n${results.join("\n")}\n`);
  }
}
for (const [name, payload] of seen)
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(payload, null, 2)}\n`);

/** One of each event, mode, tool and whether an agent inside made it. */
function keep(payload) {
  const { hook_event_name: event, tool_name: tool, permission_mode: mode, agent_id: inside } = payload;
  const words = [event, tool, mode, inside === undefined ? null : "inside"];
  const name = words.filter((word) => word !== null && word !== undefined).join("-");
  if (!seen.has(name)) seen.set(name, { version: driver.packages["@anthropic-ai/claude-code"], event, payload });
}

function record({ home, root, options }) {
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
  if (options.approve === true) writeFileSync(join(root, "answer.json"), JSON.stringify(answer));
  const entry = [{ hooks: [{ type: "command", command: hook }] }];
  mkdirSync(join(home, ".claude"), { recursive: true });
  const hooks = Object.fromEntries(events.map((event) => [event, entry]));
  writeFileSync(join(home, ".claude/settings.json"), JSON.stringify({ hooks }));
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
      .replaceAll(slug(project), "-work-project")
      .replaceAll(session ?? "\0", "session-1")
      .replaceAll(prompt ?? "\0", "prompt-1")
      .replaceAll(agent ?? "\0", "agent-1");
    return JSON.parse(text);
  });
}

function scenes() {
  const question = {
    question: "Which?",
    header: "Which",
    multiSelect: false,
    options: [
      { label: "A", description: "a" },
      { label: "B", description: "b" },
    ],
  };
  const exit = driver.probes.find(({ name }) => name === "self approval, allow rules");
  return [
    { ...exit, name: "approved", allow: false, options: { approve: true } },
    one("Bash", { command: "ls", description: "List" }, { name: "Bash by default", options: { mode: "default" } }),
    one("Read", (run) => ({ file_path: join(run.project, "note.txt") })),
    one("Read", ({ elsewhere }) => ({ file_path: join(elsewhere, "kept.txt") }), { name: "Read elsewhere" }),
    one("Glob", { pattern: "**/*.js" }),
    one("Grep", { pattern: "mark", output_mode: "content", "-n": true }),
    one("Write", (run) => ({ file_path: join(run.project, "made.txt"), content: "made" })),
    one("Bash", { command: "make", description: "Build", timeout: 5000 }),
    one("Bash", { command: "make", description: "Build" }, { surface: "stdio", name: "Bash asked" }),
    one("TaskCreate", { subject: "a", description: "b" }),
    one("AskUserQuestion", { questions: [question] }, { surface: "stdio" }),
    one("EnterPlanMode", {}, { surface: "stdio" }),
    one("Skill", { skill: "dataviz" }),
    one("ToolSearch", { query: "select:WebFetch" }),
    {
      name: "WebFetch",
      kind: "write",
      turn: (run, at) =>
        [
          { calls: [{ tool: "ToolSearch", input: { query: "select:WebFetch,WebSearch" } }] },
          { calls: [{ tool: "WebFetch", input: { url: "http://127.0.0.1:9/", prompt: "x" } }] },
        ][at] ?? null,
    },
  ];
}

function slug(path) {
  return path.replaceAll(/\W/g, "-");
}

function one(tool, input, more = {}) {
  const turn = (run, at) =>
    at === 0 ? { calls: [{ tool, input: typeof input === "function" ? input(run) : input }] } : null;
  return { name: tool, kind: "write", turn, ...more };
}
