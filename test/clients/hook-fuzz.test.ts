/** Thousands of payloads of every shape, with the real rows: no way to an answer that a client takes for "go on" while it plans, or where nobody can tell. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Client, HookInput, Occasion } from "../../src/clients/client.ts";
import { openExchange } from "../../src/clients/hook/exchange.ts";
import { judge } from "../../src/clients/judge.ts";
import { clientTable } from "../../src/clients/table.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import { realFolder } from "../support/folder.ts";
import { writeProgram } from "../support/write-program.ts";
import { goesOn } from "./goes-on.ts";

/** A generator of numbers that is the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  " ",
  "plan",
  "default",
  "bypassPermissions",
  "Plan",
  "\u0000",
  "\ud800",
  "\u202eplan",
  "/",
  "/etc/passwd",
  "../../x",
  [],
  ["plan"],
  {},
  { plan: true },
  { __proto__: null },
  "x".repeat(5000),
];

interface Seed {
  readonly client: Client;
  readonly event: string;
  readonly payload: Record<string, unknown>;
}

/** Writes, commands, tools of nobody and plans, as each client sends them while it plans. */
function seedsIn(project: string, transcripts: { readonly plan: string }): readonly Seed[] {
  const file = join(project, "a.ts");
  const [claude, codex, opencode, gemini] = clientTable as readonly [Client, Client, Client, Client];
  const common = { session_id: "s1", cwd: project, transcript_path: transcripts.plan, tool_use_id: "t1" };
  const of = (client: Client, event: string, more: object): Seed[] => [
    { client, event, payload: { ...common, hook_event_name: event, permission_mode: "plan", ...more } },
  ];
  const tools: readonly (readonly [string, object])[] = [
    ["Write", { file_path: file, content: "x" }],
    ["Edit", { file_path: file, old_string: "a", new_string: "b" }],
    ["NotebookEdit", { notebook_path: file, new_source: "x" }],
    ["Bash", { command: "rm -rf ." }],
    ["Bash", { command: "touch x" }],
    ["mcp__a__b", {}],
    ["Frob", { a: 1 }],
    ["Task", { subagent_type: "general-purpose", prompt: "x" }],
    ["ExitPlanMode", { plan: "# P", planFilePath: join(project, "p.md") }],
    ["EnterPlanMode", {}],
  ];
  const patch = `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;
  return [
    ...tools.flatMap(([tool_name, tool_input]) =>
      ["PreToolUse", "PermissionRequest"].flatMap((event) => of(claude, event, { tool_name, tool_input })),
    ),
    ...[
      ["Bash", { command: "touch x" }],
      ["apply_patch", { command: patch }],
      ["mcp__a__b", {}],
      ["frob", {}],
    ].flatMap(([tool_name, tool_input]) =>
      ["PreToolUse", "PermissionRequest"].flatMap((event) =>
        of(codex, event, { tool_name, tool_input, permission_mode: "default", turn_id: "1" }),
      ),
    ),
    ...[
      ["write", { filePath: file, content: "x" }],
      ["edit", { filePath: file, oldString: "a", newString: "b" }],
      ["bash", { command: "touch x" }],
      ["patch", { patchText: patch }],
      ["frob", {}],
      ["a_b", {}],
    ].map(([tool, args]) => ({
      client: opencode,
      event: "tool",
      payload: { version: 1, session: "s1", directory: project, agents: ["plan"], tool, args, call: "c" },
    })),
    ...[
      ["write_file", { file_path: file, content: "x" }],
      ["replace", { file_path: file, old_string: "a", new_string: "b" }],
      ["run_shell_command", { command: "touch x" }],
      ["frob", {}],
      ["mcp_a_b", {}],
    ].flatMap(([tool_name, tool_input]) => of(gemini, "BeforeTool", { tool_name, tool_input, timestamp: "x" })),
  ];
}

/** One to four fields, at any depth, are taken away, doubled under another name, or given an odd value. */
function bent(value: unknown, next: () => number, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 3) return odd[Math.floor(next() * odd.length)];
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  const keys = Object.keys(copy);
  for (let changes = 1 + Math.floor(next() * 3); changes > 0; changes -= 1) {
    const key = keys[Math.floor(next() * keys.length)];
    if (key === undefined) return copy;
    const way = next();
    if (way < 0.25) delete copy[key];
    else if (way < 0.35) copy[`${key}_`] = copy[key];
    else if (way < 0.75) copy[key] = odd[Math.floor(next() * odd.length)];
    else copy[key] = bent(copy[key], next, depth + 1);
  }
  return copy;
}

function world() {
  const folder = realFolder("-fuzz");
  const [project, home] = [join(folder, "project"), join(folder, "home")];
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(home, ".groundplan/bin"), { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(project, "a.ts"), "x\n");
  writeProgram(join(home, ".groundplan/bin/guard"), "#!/bin/sh\nexit 2\n");
  const plan = join(folder, "plan.jsonl");
  const context = { cwd: project, collaboration_mode: { mode: "plan" } };
  writeFileSync(
    plan,
    [
      JSON.stringify({ type: "session_meta", payload: {} }),
      JSON.stringify({ type: "event_msg", payload: { type: "task_started", collaboration_mode_kind: "plan" } }),
      JSON.stringify({ type: "turn_context", payload: context }),
      "",
    ].join("\n"),
  );
  const environment = { PATH: "/usr/bin:/bin", HOME: home, GROUNDPLAN_HOME: join(home, ".groundplan") };
  return { project, plan, environment };
}

/** What the hook's program gives a row, with a client that was started to plan. */
async function sightOf(): Promise<Pick<HookInput, "readText" | "readTail" | "listNames" | "ancestors">> {
  const { sight } = await import("../../src/clients/hook/sight.ts");
  return { ...sight, ancestors: () => [["node", "/usr/bin/gemini", "--approval-mode", "plan"]] };
}

/** Whether the row understood that nothing is to be refused: the client works, or it is nothing of ours, or a plan. */
function mayGoOn(occasion: Occasion): boolean {
  return occasion.kind !== "tool" ? occasion.kind !== "unreadable" : occasion.planning === "work";
}

describe("B11.4 no shape of a payload is a way to go on", () => {
  test("as they are, each of the calls is refused", async () => {
    const { project, plan, environment } = world();
    const sight = await sightOf();
    for (const { client, event, payload } of seedsIn(project, { plan })) {
      if (client.hear({ event, payload, environment, ...sight }).kind === "plan") continue;
      const said = await openExchange({ client, event, environment, sight }).answer(encoded(payload));
      expect([client.name, event, payload["tool_name"] ?? payload["tool"], goesOn(client.name, event, said)]).toEqual([
        client.name,
        event,
        payload["tool_name"] ?? payload["tool"],
        false,
      ]);
    }
  });

  test("6,000 bent ones: an answer goes on only where the judge itself passed it, or the client says that it works", async () => {
    const { project, plan, environment } = world();
    const sight = await sightOf();
    const next = chance(17);
    const seeds = seedsIn(project, { plan });
    const counts = { refused: 0, passed: 0, alone: 0 };
    for (let round = 0; round < 6000; round += 1) {
      const { client, event, payload } = seeds[round % seeds.length]!;
      const given = bent(payload, next);
      const text = JSON.stringify(given) ?? "";
      const read = { event, payload: JSON.parse(text) as unknown, environment, ...sight };
      const occasion = client.hear(read);
      if (occasion.kind === "plan" || occasion.kind === "answered") continue;
      const said = await openExchange({ client, event, environment, sight }).answer(Buffer.from(text));
      if (!goesOn(client.name, event, said)) {
        counts.refused += 1;
        continue;
      }
      if (mayGoOn(occasion)) {
        counts.alone += 1;
        expect([text, isSaidToWork(client, read.payload)]).toEqual([text, true]);
        continue;
      }
      counts.passed += 1;
      if (occasion.kind !== "tool") throw new Error(`${text} went on as ${occasion.kind}`);
      const answer = await judge(occasion, { client, environment, prompts: loadPrompts() });
      expect([text, ["pass", "rewrite"].includes(answer.kind)]).toEqual([text, true]);
      if (occasion.call.kind === "ours")
        for (const { tool } of occasion.call.calls) expect(["Bash", "Read", "Glob", "Grep"]).toContain(tool);
    }
    expect(counts.refused).toBeGreaterThan(3000);
  });

  test("a row that throws, or says nothing of use, refuses by exit code 2 or its own words", async () => {
    const { project, plan, environment } = world();
    const sight = await sightOf();
    for (const { client, event, payload } of seedsIn(project, { plan })) {
      for (const bad of [
        { ...client, hear: broken },
        { ...client, say: broken },
        { ...client, hear: broken, say: broken },
      ]) {
        if (bad.hear === client.hear && client.hear({ event, payload, environment, ...sight }).kind === "plan")
          continue;
        const said = await openExchange({ client: bad, event, environment, sight }).answer(encoded(payload));
        expect([client.name, event, goesOn(client.name, event, said)]).toEqual([client.name, event, false]);
      }
    }
  });

  test("a row that never comes back is ended, and refused", async () => {
    const { project, plan, environment } = world();
    const sight = await sightOf();
    const [{ client, event, payload }] = seedsIn(project, { plan }) as [Seed];
    const endless = {
      ...client,
      hear: (): Occasion => {
        for (;;);
      },
    };
    const said = await openExchange({ client: endless, event, environment, sight }).answer(encoded(payload));
    expect(goesOn(client.name, event, said)).toBe(false);
  });
});

function broken(): never {
  throw new Error("broken");
}

function encoded(payload: unknown): Buffer {
  return Buffer.from(JSON.stringify(payload));
}

/** By what each client itself writes: the words of work in the field that tells the mode, or a call that is nothing of ours. */
function isSaidToWork({ name }: Client, payload: unknown): boolean {
  const given = payload as Record<string, unknown>;
  switch (name) {
    case "claude":
      return (
        ["default", "acceptEdits", "bypassPermissions", "dontAsk", "auto", "manual"].includes(
          given["permission_mode"] as string,
        ) || given["tool_name"] === "AskUserQuestion"
      );
    case "opencode":
      return Array.isArray(given["agents"]) && given["agents"].every((agent) => agent !== "plan");
    case "codex":
    case "gemini":
      return false;
  }
}
