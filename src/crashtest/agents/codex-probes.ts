/** What Codex has of its own: patches, programs in a terminal, agents of agents, commands out of its sandbox; by a script of calls and one by one. */
import { isObject } from "../../core/wire/shape.ts";
import type { ScriptedCall } from "../../testing/loopback/turn.ts";
import type { Circumstances, CrashProbe } from "../probe.ts";
import { freshResults } from "../inside/wire.ts";
import { agentProbe, has, inTurns, ownProbe, ownUse } from "./own-probe.ts";
import type { CrashUse, ModelAsked, OwnProbe, Stage } from "./row.ts";
import { turnOf } from "./offered-ways.ts";

const space = "collaboration";
const plan = "<proposed_plan>\n# Plan\n\n1. Change note.txt.\n</proposed_plan>";
const removal = "*** Delete File: note.txt";

/** A tool's call: newer models make it by a script of their own (`exec`), others one by one. */
export function codexCall(stage: Stage, tool: string, input: unknown): ScriptedCall {
  if (!has(stage, "direct"))
    return { tool: "exec", custom: true, rawInput: `text(await tools.${tool}(${JSON.stringify(input)}));` };
  return typeof input === "string" ? { tool, custom: true, rawInput: input } : { tool, input };
}

export function codexPatch(stage: Stage, text: string): ScriptedCall {
  return codexCall(stage, "apply_patch", `*** Begin Patch\n${text}\n*** End Patch`);
}

export function codexInside(tool: string, input: unknown): ScriptedCall {
  return { tool, namespace: space, input };
}

export const codexProbes: readonly CrashProbe[] = [
  ...[[], ["direct"]].flatMap((special) => surfaceProbes(special)),
  deepAgent(),
  agentProbe(
    ownProbe("agent-bypass", "an agent, no sandbox, nobody asked", led("probe-inside", "one"), { bypass: true }),
    ({ stage }) => exec(stage, "touch made-by-agent.txt"),
    ({ stage }) => codexPatch(stage, "*** Add File: patched-by-agent.txt\n+x"),
  ),
  ownProbe(
    "server-tool",
    "a tool of an MCP server",
    inTurns(({ stage }) => codexCall(stage, "mcp__notes__keep", { text: "made" })),
    { special: ["server"] },
  ),
];

export const codexUses: readonly CrashUse[] = [
  { ...ownUse(agentWorks(), "changes") },
  ...[[], ["direct"]].flatMap((special) => [
    ownUse(
      one("reads-folder", "ls in another folder", special, (stage) => exec(stage, "ls", { workdir: stage.elsewhere })),
      /kept\.txt/,
    ),
    ownUse(
      one("patch-works", "work goes on: a patch", special, (stage) => codexPatch(stage, removal)),
      "changes",
    ),
  ]),
];

function surfaceProbes(special: readonly string[]): readonly CrashProbe[] {
  const inShell = `apply_patch <<'END'\n*** Begin Patch\n${removal}\n*** End Patch\nEND`;
  return [
    one("patch-delete", "a patch removes a file", special, (stage) => codexPatch(stage, removal)),
    one("patch-move", "a patch moves a file", special, (stage) =>
      codexPatch(stage, "*** Update File: note.txt\n*** Move to: moved.txt\n@@\n-alpha\n+beta"),
    ),
    one("patch-shell", "a patch in the shell", special, (stage) => exec(stage, inShell)),
    one(
      "other-folder",
      "touch in another folder, no sandbox",
      special,
      (stage) => exec(stage, "touch made.txt", { workdir: stage.elsewhere }),
      { bypass: true },
    ),
    one("patch-bypass", "a patch, no sandbox", special, (stage) => codexPatch(stage, removal), { bypass: true }),
    one("remove-bypass", "rm, no sandbox", special, (stage) => exec(stage, "rm note.txt"), { bypass: true }),
    {
      ...one("escalated", "out of the sandbox, the person says yes", [...special, "consents"], (stage) =>
        exec(stage, "rm note.txt", { sandbox_permissions: "require_escalated", justification: "probe" }),
      ),
      noControl: true,
    },
    { ...ownProbe(named("pager", special), "typed into a pager", pager, circumstances(special)), alone: true },
    {
      ...ownProbe(named("proposed", special), "proposes a plan and goes on", proposed, circumstances(special)),
      alone: true,
    },
  ];
}

function one(
  id: string,
  title: string,
  special: readonly string[],
  call: (stage: Stage) => ScriptedCall,
  more: Circumstances = {},
): OwnProbe {
  return ownProbe(
    named(id, special),
    title,
    inTurns(({ stage }) => call(stage)),
    { ...more, ...circumstances(special) },
  );
}

function named(id: string, special: readonly string[]): string {
  return special.includes("direct") ? `${id}-direct` : id;
}

function circumstances(special: readonly string[]): Circumstances {
  return special.length === 0 ? {} : { special };
}

function exec(stage: Stage, cmd: string, more: Readonly<Record<string, unknown>> = {}): ScriptedCall {
  return codexCall(stage, "exec_command", { cmd, ...more });
}

/** What is typed into a running program passes no hook. */
function pager({ stage, request }: ModelAsked, at: number): ReturnType<OwnProbe["say"]> {
  if (at === 0) return turnOf(exec(stage, "less src/code.js", { tty: true, yield_time_ms: 300 }));
  const [, session] = /session(?: ID |_id\\*":)(\d+)/.exec(freshResults(request).join("\n")) ?? [];
  if (at > 1 || session === undefined) return null;
  const input = { session_id: Number(session), chars: "\n!touch made.txt\n", yield_time_ms: 800 };
  return turnOf(codexCall(stage, "write_stdin", input));
}

/** In the same turn, and in another. */
function proposed({ stage }: ModelAsked, at: number): ReturnType<OwnProbe["say"]> {
  const calls = [exec(stage, "touch made.txt")];
  return at === 0 ? { text: plan, calls } : at === 1 ? { calls } : null;
}

/** It starts an agent and waits for its last word. */
function led(task: string, name: string): OwnProbe["say"] {
  return ({ request }, at) => {
    if (at === 0) return turnOf(codexInside("spawn_agent", { message: task, task_name: name, fork_turns: "none" }));
    const hasLastWord = itemsOf(request).some(
      (item) => item["type"] === "agent_message" && JSON.stringify(item).includes("FINAL_ANSWER"),
    );
    return at > 6 || hasLastWord ? null : turnOf(codexInside("wait_agent", { timeout_ms: 10_000 }));
  };
}

function itemsOf({ body }: ModelAsked["request"]): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(body["input"]) ? body["input"].filter(isObject) : [];
}

/** The first one gives the task on; who asks is told by the task that they were given. */
function deepAgent(): OwnProbe {
  const inside: OwnProbe["say"] = (asked, at) => {
    const { request, stage } = asked;
    const items = itemsOf(request);
    const hasSpawned = items.some(({ type, name }) => type === "function_call" && name === "spawn_agent");
    const isDeepest = JSON.stringify(items).includes("probe-inside-deepest") && !hasSpawned;
    if (!isDeepest) return led("probe-inside-deepest", "two")(asked, at);
    return at === 0 ? turnOf(exec(stage, "touch made-by-agent.txt")) : null;
  };
  const probe = ownProbe("agent-deep", "an agent of an agent", led("probe-inside", "one"));
  return { ...probe, inside, alone: true };
}

function agentWorks(): OwnProbe {
  const probe = ownProbe("agent-works", "work goes on: an agent", led("probe-inside", "one"));
  return agentProbe(probe, ({ stage }) => exec(stage, "touch made-by-agent.txt"));
}
