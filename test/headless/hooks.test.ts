/** Hooks through the whole program: each moment, what its answers do, and what plan mode makes of them (B14.1, B8.2). */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedCall, ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, planFileIn, type Stage } from "./program.ts";

const write: ScriptedCall = { tool: "Write", input: { file_path: "new.ts", content: "made\n" } };
const exit: ScriptedCall = { tool: "ExitPlanMode", input: {} };
const once =
  (...calls: ScriptedCall[]) =>
  (_: unknown, turn: number): ScriptedTurn =>
    turn === 1 ? { calls } : { text: `Done ${turn}.` };
const planThen =
  (text: string) =>
  (request: { readonly body: unknown }, turn: number): ScriptedTurn => {
    const file_path = planFileIn(JSON.stringify(request.body));
    if (turn === 1) return { calls: [{ tool: "Write", input: { file_path, content: text } }] };
    return turn === 2 ? { calls: [exit] } : { text: "Waiting." };
  };

/** A hook that keeps what it reads, and answers. */
const keeping = (name: string, rest: string): string => `cat > "$CLAUDE_PROJECT_DIR/../${name}.json"; ${rest}`;
const said = (value: object): string => `printf '%s' '${JSON.stringify(value)}'`;
const decision = (permissionDecision: string, more: object = {}): object => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision,
    permissionDecisionReason: "says the hook",
    ...more,
  },
});
const permission = (behavior: string): object => ({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior, message: "not today" } },
});
const group = (command: string, more: object = {}): readonly object[] => [
  { ...more, hooks: [{ type: "command", command }] },
];

interface Told {
  readonly result: {
    readonly result: string;
    readonly status: string;
    readonly denials: readonly { readonly tool: string; readonly code: string; readonly reason: string }[];
    readonly notices: readonly { readonly text: string }[];
  };
  readonly code: number | null;
  readonly stderr: string;
  readonly heard: string;
  readonly kept: (name: string) => Record<string, unknown>;
}

async function runWith(stage: Stage, hooks: object, args: readonly string[] = []): Promise<Told> {
  const settings = JSON.stringify({ hooks });
  const ran = await stage.run(["-p", "do it", "--output-format", "json", "--settings", settings, ...args]);
  return {
    result: JSON.parse(ran.stdout),
    code: ran.code,
    stderr: ran.stderr,
    heard: JSON.stringify(stage.server.requests.map(({ body }) => body)),
    kept: (name) => JSON.parse(readFileSync(join(dirname(stage.repository), `${name}.json`), "utf8")),
  };
}

const made = ({ repository }: Stage): boolean => existsSync(join(repository, "new.ts"));
const working = ["--permission-mode", "acceptEdits"];
const planning = ["--permission-mode", "plan"];

describe("PreToolUse", () => {
  test("B14.1 sees the published fields and no key; its yes lets an edit through that nobody could be asked about", async () => {
    const stage = await openStage({ script: once(write) });
    const hook = keeping("pre", `env > "$CLAUDE_PROJECT_DIR/../env.txt"; ${said(decision("allow"))}`);
    const { kept, result } = await runWith(stage, { PreToolUse: group(hook, { matcher: "Write|Edit" }) });
    expect(made(stage)).toBe(true);
    expect(result.status).toBe("done");
    const { session_id, tool_use_id, transcript_path, ...fields } = kept("pre");
    expect(fields).toEqual({
      cwd: stage.repository,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: join(stage.repository, "new.ts"), content: "made\n" },
    });
    expect([typeof session_id, typeof tool_use_id]).toEqual(["string", "string"]);
    expect(existsSync(String(transcript_path))).toBe(true);
    const environment = readFileSync(join(dirname(stage.repository), "env.txt"), "utf8");
    expect(environment).toContain(`CLAUDE_PROJECT_DIR=${stage.repository}`);
    expect(environment).not.toMatch(/API_KEY/);
  });

  test.each([
    ["a refusal", said(decision("deny"))],
    ["exit code 2", "echo says the hook >&2; exit 2"],
    ["the older words", said({ decision: "block", reason: "says the hook" })],
  ])("B14.1 %s is final, in every working mode, and the model hears why", async (_, hook) => {
    for (const mode of [working, ["--dangerously-skip-permissions"]]) {
      const stage = await openStage({ script: once(write) });
      const { result, heard } = await runWith(stage, { PreToolUse: group(hook) }, mode);
      expect(made(stage)).toBe(false);
      expect(result.denials).toMatchObject([{ tool: "Write", code: "hook" }]);
      expect(heard).toContain("says the hook");
    }
  });

  test.each([
    ["crashes", "exit 1", "ended with exit code 1"],
    ["is killed", "kill -9 $$", "was ended by SIGKILL"],
    ["is not there", "/no/such/hook", "ended with exit code 127"],
    ["answers nonsense", "echo '{\"hookSpecificOutput\": 7}'", "something that is no answer"],
    ["breaks off", "echo '{\"decision\":'", "something that is no answer"],
    ["takes too long", "sleep 600", "took longer than 0.2 s"],
    ["floods", "yes '{'", "answered more than 1 MB"],
  ])("B14.1 a hook that %s refuses, and the person is told which", async (_, command, why) => {
    const stage = await openStage({ script: once(write) });
    const hooks = { PreToolUse: [{ hooks: [{ type: "command", command, timeout: why.includes("0.2") ? 0.2 : 60 }] }] };
    const { result, stderr } = await runWith(stage, hooks, working);
    expect(made(stage)).toBe(false);
    expect(result.denials).toMatchObject([{ tool: "Write", code: "hook" }]);
    expect(result.denials[0]!.reason).toContain(why);
    expect(stderr).toContain(`PreToolUse hook \`${command.slice(0, 20)}`);
  });

  test("B14.1 a matcher that never comes to an end refuses; one that names others does nothing", async () => {
    const tool = `${"a".repeat(40)}!`;
    const stage = await openStage({ script: once(write, { tool, input: {} }) });
    const hooks = {
      PreToolUse: [
        { matcher: "Edit, Bash", hooks: [{ type: "command", command: "exit 2" }] },
        { matcher: "^(Wr?i?t?e?|(W|r|i|t|e)+)+$x", hooks: [{ type: "command", command: "exit 2" }] },
      ],
    };
    await runWith(stage, hooks, working);
    expect(made(stage)).toBe(true);
  });

  test("B14.1 a rewritten input is judged again: no rule, and no gate, is passed by it", async () => {
    const elsewhere = decision("allow", { updatedInput: { file_path: "secret.ts", content: "x" } });
    const stage = await openStage({ script: once(write) });
    const settings = { PreToolUse: group(said(elsewhere)) };
    const denying = JSON.stringify({ permissions: { deny: ["Write(secret.ts)", "Edit(secret.ts)"] }, hooks: settings });
    const ran = await stage.run(["-p", "go", "--output-format", "json", "--settings", denying, ...working]);
    expect(JSON.parse(ran.stdout).denials).toMatchObject([{ code: "rule" }]);
    const other = await openStage({ script: once(write) });
    const { result } = await runWith(other, settings, working);
    expect(readFileSync(join(other.repository, "secret.ts"), "utf8")).toBe("x");
    expect(made(other)).toBe(false);
    expect(JSON.stringify(result.notices)).toContain("a hook changed what Write is given");
  });

  test("B14.1 what it adds is heard by the model, what it says by the person, and `continue: false` ends the turn", async () => {
    const stage = await openStage({ script: once(write) });
    const answer = {
      systemMessage: "for you",
      hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "for it" },
    };
    const { heard, result } = await runWith(stage, { PreToolUse: group(said(answer)) }, working);
    expect(heard).toContain("for it");
    expect(heard).not.toContain("for you");
    expect(JSON.stringify(result.notices)).toContain("for you");
    const ended = await openStage({ script: once(write, { tool: "Bash", input: { command: "ls" } }) });
    const stopped = await runWith(
      ended,
      { PreToolUse: group(said({ continue: false, stopReason: "enough" })) },
      working,
    );
    expect(ended.server.requests).toHaveLength(1);
    expect(made(ended)).toBe(false);
    expect(JSON.stringify(stopped.result.notices)).toContain("enough");
  });
});

describe("the other moments", () => {
  test("B14.1 PostToolUse sees what came of it, may change the file, and what it objects to is heard", async () => {
    const stage = await openStage({ script: once(write) });
    const hook = keeping("post", `echo formatted >> new.ts; echo please lint >&2; exit 2`);
    const { heard, kept } = await runWith(stage, { PostToolUse: group(hook, { matcher: "Write" }) }, working);
    expect(kept("post")).toMatchObject({ hook_event_name: "PostToolUse", tool_name: "Write", tool_response: {} });
    expect(readFileSync(join(stage.repository, "new.ts"), "utf8")).toBe("made\nformatted\n");
    expect(heard).toContain("please lint");
  });

  test("B14.1 UserPromptSubmit adds words, or keeps the prompt from the model; then the run fails and says why", async () => {
    const stage = await openStage({ script: () => ({ text: "Hello." }) });
    const { heard, kept } = await runWith(stage, { UserPromptSubmit: group(keeping("prompt", "echo it is Tuesday")) });
    expect(kept("prompt")).toMatchObject({ prompt: "do it" });
    expect(heard).toContain("it is Tuesday");
    const refusing = await openStage({ script: () => ({ text: "Hello." }) });
    const { code, stderr } = await runWith(refusing, { UserPromptSubmit: group("echo a secret is in it >&2; exit 2") });
    expect([code, refusing.server.requests.length]).toEqual([1, 0]);
    expect(stderr).toContain("a secret is in it");
  });

  test("B14.1 Stop sends the model back with its reason, knows that it did, and is not obeyed for ever", async () => {
    const stage = await openStage({ script: (_, turn) => ({ text: `Done ${turn}.` }) });
    const hook = `grep -q '"stop_hook_active":true' || { echo run the tests >&2; exit 2; }`;
    const { heard, result } = await runWith(stage, { Stop: group(hook) });
    expect(stage.server.requests).toHaveLength(2);
    expect(heard).toContain("run the tests");
    expect(result.result).toBe("Done 2.");
    const endless = await openStage({ script: (_, turn) => ({ text: `Done ${turn}.` }) });
    const { result: last } = await runWith(endless, { Stop: group(said({ decision: "block", reason: "more" })) });
    expect(endless.server.requests).toHaveLength(9);
    expect(JSON.stringify(last.notices)).toContain("8 times in a row");
  });

  test("B14.1 SessionStart speaks before the first request, SessionEnd after the last, and again on resume", async () => {
    const stage = await openStage({ script: () => ({ text: "Hello." }) });
    const hooks = {
      SessionStart: group(keeping("start", "echo on branch main"), { matcher: "startup" }),
      SessionEnd: group(keeping("end", "true")),
    };
    const { heard, kept } = await runWith(stage, hooks);
    expect(kept("start")).toMatchObject({ source: "startup" });
    expect(kept("end")).toMatchObject({ reason: "other" });
    expect(heard).toContain("on branch main");
    const again = { SessionStart: group(keeping("again", "true"), { matcher: "resume" }) };
    const { kept: after } = await runWith(stage, again, ["--continue"]);
    expect(after("again")).toMatchObject({ source: "resume", session_id: kept("start")["session_id"] });
  });

  test("B14.1 PermissionRequest answers what nobody is there to answer, but never in plan mode", async () => {
    const stage = await openStage({ script: once(write) });
    const { kept } = await runWith(stage, { PermissionRequest: group(keeping("asked", said(permission("allow")))) });
    expect(made(stage)).toBe(true);
    expect(kept("asked")).toMatchObject({ tool_name: "Write", permission_suggestions: [] });
    const refused = await openStage({ script: once(write) });
    const { result } = await runWith(refused, { PermissionRequest: group(said(permission("deny"))) });
    expect([made(refused), result.denials[0]?.code]).toEqual([false, "hook"]);
    const unproven = { tool: "Bash", input: { command: "node -e \"require('fs').writeFileSync('new.ts','x')\"" } };
    const plan = await openStage({ script: once(unproven) });
    const hooks = { PermissionRequest: group(said(permission("allow"))) };
    const { result: gated } = await runWith(plan, hooks, [...planning, "--no-sandbox"]);
    expect([made(plan), gated.denials[0]?.code]).toEqual([false, "plan-command-unproven"]);
  });

  test("B14.1 PreCompact keeps the conversation as it is, and Notification is told of a plan that waits", async () => {
    const stage = await openStage({ script: () => ({ text: "Hello." }) });
    await stage.run(["-p", "hi"]);
    const settings = JSON.stringify({ hooks: { PreCompact: group(keeping("compact", "echo keep it >&2; exit 2")) } });
    const ran = await stage.run(["-p", "/compact the plan", "--continue", "--settings", settings]);
    expect([ran.code, stage.server.requests.length]).toEqual([1, 1]);
    expect(ran.stderr).toContain("keep it");
    const kept = JSON.parse(readFileSync(join(dirname(stage.repository), "compact.json"), "utf8"));
    expect(kept).toMatchObject({ trigger: "manual", custom_instructions: "the plan" });
    const plan = await openStage({ script: planThen("# Plan") });
    const hooks = { Notification: group(keeping("note", "true"), { matcher: "permission_prompt" }) };
    const told = await runWith(plan, hooks, planning);
    expect(told.kept("note")).toMatchObject({ notification_type: "permission_prompt" });
  });

  test("B14.1 agents' calls and ends are told with who it is", async () => {
    const agent = { tool: "Agent", input: { description: "look", prompt: "Look around.", subagent_type: "Explore" } };
    const stage = await openStage({
      script: (request, turn): ScriptedTurn => {
        if (turn === 1) return { calls: [agent] };
        const isAgent = JSON.stringify(request.body).includes("Look around.");
        return turn === 2 && isAgent ? { calls: [{ tool: "Read", input: { file_path: "a.ts" } }] } : { text: "Seen." };
      },
    });
    const hooks = {
      PreToolUse: group(keeping("read", said({ systemMessage: "seen by the hook" })), { matcher: "Read" }),
      SubagentStop: group(keeping("ended", "true"), { matcher: "Explore" }),
    };
    const { kept, stderr } = await runWith(stage, hooks, planning);
    expect(stderr).toMatch(/Agent Explore: the PreToolUse hook .*seen by the hook/);
    const { agent_id, session_id } = kept("read");
    expect(kept("read")).toMatchObject({ tool_name: "Read", agent_type: "Explore", permission_mode: "plan" });
    expect(kept("ended")).toMatchObject({ agent_id, agent_type: "Explore", session_id, stop_hook_active: false });
  });

  test("B14.1 a hook that fails where nothing is guarded is told, and the work goes on", async () => {
    const stage = await openStage({ script: once(write) });
    const names = ["PostToolUse", "UserPromptSubmit", "Stop", "SessionStart", "SessionEnd", "PermissionRequest"];
    const hooks = Object.fromEntries(names.map((name) => [name, group(`echo "${name} is broken" >&2; exit 3`)]));
    const { code, stderr } = await runWith(stage, hooks, working);
    expect([code, made(stage)]).toEqual([0, true]);
    for (const name of names.slice(0, 5)) expect(stderr).toContain(`${name} is broken`);
  });
});

describe("plans", () => {
  const text = "# Plan\n\nMake new.ts.";

  test("B8.2 plan.entered, plan.submitted and plan.approved are told, and the plan is what the hook sees", async () => {
    const stage = await openStage({ script: planThen(text) });
    const names = ["plan.entered", "plan.submitted", "plan.approved"];
    const hooks = Object.fromEntries(names.map((name) => [name, [{ command: keeping(name, "true") }]]));
    const { code, kept } = await runWith(stage, hooks, planning);
    expect(code).toBe(3);
    expect(kept("plan.submitted")).toMatchObject({ plan: text, permission_mode: "plan" });
    expect(kept("plan.entered")).toMatchObject({ hook_event_name: "plan.entered" });
    const { hash } = kept("plan.submitted");
    await runWith(stage, hooks, ["--continue", "--approve", String(hash), ...working]);
    expect(kept("plan.approved")).toMatchObject({ plan: text, hash, mode: "acceptEdits" });
  });

  test.each([
    ["sends it back", "echo name the tests >&2; exit 2", "name the tests"],
    ["crashes", "exit 1", "the plan is not handed in"],
    ["takes too long", "sleep 600", "the plan is not handed in"],
  ])(
    "B8.2 B14.1 a plan.submitted hook that %s: nobody is shown the plan, the model hears why",
    async (_, command, why) => {
      const stage = await openStage({ script: planThen(text) });
      const { code, heard, result } = await runWith(stage, { "plan.submitted": [{ command, timeout: 1 }] }, planning);
      expect([code, result.status]).toEqual([0, "done"]);
      expect(heard).toContain(why);
    },
  );

  test.each(["PreToolUse", "PermissionRequest"])(
    "R5.1 no answer of a %s hook hands in or approves a plan",
    async (name) => {
      const stage = await openStage({ script: planThen(text) });
      const behavior = { behavior: "allow", updatedInput: { plan: text } };
      const answer =
        name === "PreToolUse"
          ? decision("allow", { updatedInput: { plan: text } })
          : { hookSpecificOutput: { decision: behavior } };
      const hooks = { [name]: group(said(answer), { matcher: "ExitPlanMode" }) };
      const { code, result } = await runWith(stage, hooks, planning);
      expect([code, result.status]).toEqual([3, "plan_ready"]);
    },
  );
});

test("B14.1 B1.15 a project's hooks run only when the folder is trusted", async () => {
  for (const [trust, hasRun] of [
    [[], false],
    [["--trust"], true],
  ] as const) {
    const stage = await openStage({ script: once(write) });
    const file = join(stage.repository, ".groundplan", "settings.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ hooks: { PreToolUse: group(keeping("own", "exit 2")) } }));
    const { stderr } = await stage.run(["-p", "go", ...trust, ...working]);
    expect([existsSync(join(dirname(stage.repository), "own.json")), made(stage)]).toEqual([hasRun, !hasRun]);
    if (!hasRun) expect(stderr).toContain("hooks");
  }
});

test("B14.1 hooks in force are shown with where they are from, and doctor says which do not parse", async () => {
  const stage = await openStage({ script: () => ({ text: "Hello." }) });
  mkdirSync(stage.home, { recursive: true });
  const list = [
    { matcher: "Bash", hooks: [{ type: "command", command: "./guard.sh", timeout: 5 }] },
    { hooks: [{ type: "command", command: "if then" }] },
    { hooks: [{ type: "command", command: "no-such-program", args: ["a"] }] },
    { matcher: "(", hooks: [{ type: "command", command: "true" }] },
  ];
  writeFileSync(join(stage.home, "settings.json"), JSON.stringify({ hooks: { PreToolUse: list } }));
  const shown = await stage.run(["-p", "/hooks"]);
  expect(shown.stdout).toContain("PreToolUse [Bash]: ./guard.sh (user settings, 5 s)");
  const { findings } = JSON.parse((await stage.run(["doctor", "--json"])).stdout);
  const hooks = findings.filter(({ name }: { name: string }) => name === "hook");
  expect(hooks.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, false, false]);
  expect(shown.stderr).not.toContain("NOT RUN");
});
