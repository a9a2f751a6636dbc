/** Files around plans in the real program: none without words, none that blocks, todos and models of agents, folders that cannot be. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, planFileIn, type Stage, type StageOptions } from "./program.ts";

async function stageWith(script: StageOptions["script"], settings?: object): Promise<Stage> {
  const stage = await openStage({ script });
  if (settings !== undefined) {
    mkdirSync(stage.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(stage.home, "settings.json"), JSON.stringify(settings));
  }
  return stage;
}

/** Every file below, by hand: recursive listing differs between versions of Node. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** All that lies in the plans' folder, the index aside. */
function plansIn({ home }: Stage): readonly string[] {
  return filesBelow(join(home, "plans")).filter((path) => !path.endsWith(".jsonl"));
}

const plan = "# Add b\n\n1. Create `b.ts`\n";

function isExplore({ body }: LoopbackRequest): boolean {
  return JSON.stringify(body["system"]).includes("You are Explore");
}

test("R3.3 a session that plans nothing leaves no plan file behind; one that plans has its own alone", async () => {
  const stage = await stageWith((request, turn): ScriptedTurn => {
    if (turn === 2)
      return {
        calls: [{ tool: "Write", input: { file_path: planFileIn(JSON.stringify(request.body)), content: plan } }],
      };
    return turn === 3 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "Hello." };
  });
  await stage.run(["-p", "say hi", "--permission-mode", "plan"]);
  expect(plansIn(stage)).toEqual([]);
  await stage.run(["-p", "add b", "--permission-mode", "plan"]);
  expect(plansIn(stage).map((path) => readFileSync(path, "utf8"))).toEqual([plan]);
});

test("R3.3 R14.2 a session that was resumed before it wrote anything keeps the path that its model knows", async () => {
  const paths: string[] = [];
  const stage = await stageWith((request) => {
    paths.push(planFileIn(JSON.stringify(request.body)));
    return { text: "Hello." };
  });
  const first = await stage.run(["-p", "hi", "--permission-mode", "plan", "--output-format", "json"]);
  const { sessionId } = JSON.parse(first.stdout) as { readonly sessionId: string };
  await stage.run(["-p", "more", "--resume", sessionId]);
  expect(new Set(paths).size).toBe(1);
  expect(paths).toHaveLength(2);
});

test("R3.6 a plan file that became a pipe blocks nothing: submitting, resuming, listing, showing", async () => {
  const stage = await stageWith((request, turn): ScriptedTurn => {
    const file_path = planFileIn(JSON.stringify(request.body));
    if (turn === 1) return { calls: [{ tool: "Write", input: { file_path, content: plan } }] };
    if (turn === 2) {
      rmSync(file_path);
      execFileSync("mkfifo", [file_path]);
      return { calls: [{ tool: "ExitPlanMode", input: {} }] };
    }
    return turn === 3 ? { calls: [{ tool: "Read", input: { file_path } }] } : { text: "It cannot be read." };
  });
  const first = await stage.run(["-p", "add b", "--permission-mode", "plan", "--output-format", "json"]);
  const { sessionId } = JSON.parse(first.stdout) as { readonly sessionId: string };
  expect(first.stderr).toContain("a pipe or a device, not a file");
  const more = await stage.run(["-p", "more", "--resume", sessionId, "--output-format", "json"]);
  expect(JSON.parse(more.stdout)).toMatchObject({ sessionId });
  expect((await stage.run(["plans", "--json"])).code).toBe(0);
  expect((await stage.run(["sessions", "show", sessionId])).code).toBe(0);
});

test.each(["settings.json", "history", "state.json", "AGENTS.md", ".gitignore", ".groundplan/settings.json"])(
  "R3.6 a pipe in the place of %s holds nothing up",
  async (name) => {
    const looks = [
      { tool: "Glob", input: { pattern: "**/*.ts" } },
      { tool: "Grep", input: { pattern: "export", output_mode: "content" } },
    ];
    const stage = await stageWith((_, turn) => (turn % 2 === 1 ? { calls: looks } : { text: "Hello." }));
    const place = ["AGENTS.md", ".gitignore"].includes(name) || name.startsWith(".") ? stage.repository : stage.home;
    mkdirSync(dirname(join(place, name)), { recursive: true, mode: 0o700 });
    execFileSync("mkfifo", [join(place, name)]);
    for (const mode of [[], ["--permission-mode", "plan"]]) {
      const { stdout, stderr } = await stage.run(["-p", "hi", ...mode]);
      expect(stdout + stderr).toMatch(/Hello\.|not a regular file/);
      const found = JSON.stringify(stage.server.requests.at(-1)?.body["messages"] ?? []);
      if (stdout.includes("Hello.")) expect(found).toMatch(/a\.ts[^-:]*(?:toolu|"type")[^]*a\.ts:1:export/);
    }
  },
);

test("R3.6 B5.3 an index that is a second name of a file of the project is not written to", async () => {
  const stage = await stageWith((request, turn): ScriptedTurn => {
    const file_path = planFileIn(JSON.stringify(request.body));
    return turn === 1 ? { calls: [{ tool: "Write", input: { file_path, content: plan } }] } : { text: "Done." };
  });
  const own = join(stage.repository, "a.ts");
  mkdirSync(join(stage.home, "plans"), { recursive: true, mode: 0o700 });
  linkSync(own, join(stage.home, "plans/index.jsonl"));
  const before = [readFileSync(own, "utf8"), statSync(own).mode];
  const { code, stderr } = await stage.run(["-p", "add b", "--permission-mode", "plan"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("the file has a second name elsewhere (a hard link)")]);
  expect(JSON.parse((await stage.run(["plans", "--json"])).stdout)).toHaveLength(1);
  expect([readFileSync(own, "utf8"), statSync(own).mode]).toEqual(before);
});

test("R3.6 a pipe that somebody left in the place of the index's lock is replaced, and holds nothing up", async () => {
  const stage = await stageWith((request, turn): ScriptedTurn => {
    const file_path = planFileIn(JSON.stringify(request.body));
    return turn === 1 ? { calls: [{ tool: "Write", input: { file_path, content: plan } }] } : { text: "Done." };
  });
  mkdirSync(join(stage.home, "plans"), { recursive: true, mode: 0o700 });
  const lock = join(stage.home, "plans/index.jsonl.lock");
  execFileSync("mkfifo", [lock]);
  utimesSync(lock, 0, 0);
  expect((await stage.run(["-p", "add b", "--permission-mode", "plan"])).code).toBe(0);
  expect(readFileSync(join(stage.home, "plans/index.jsonl"), "utf8")).toContain('"draft"');
  expect(existsSync(lock)).toBe(false);
});

test.each([["-p", "hi"], ["plans"], ["sessions", "list"], ["scout", "totals"]])(
  "a GROUNDPLAN_HOME below /proc ends at once: %s",
  async (...args) => {
    const stage = await stageWith(() => ({ text: "Hello." }));
    const { code, stderr } = await stage.run(args, { environment: { GROUNDPLAN_HOME: "/proc/nowhere/home" } });
    if (args[0] === "-p") expect([code, stderr]).toEqual([1, expect.stringContaining("GROUNDPLAN_HOME")]);
    else expect(code).not.toBe(null);
  },
);

test.each(["/proc/x", "/dev/null", "/dev/null/x"])(
  "doctor says that %s is no home, and how to choose one",
  async (home) => {
    const stage = await stageWith(() => ({ text: "Hello." }));
    const { code, stdout } = await stage.run(["doctor"], { environment: { GROUNDPLAN_HOME: home } });
    expect([code, stdout]).toEqual([1, expect.stringMatching(`missing  home .*${home} cannot be used`)]);
    expect(stdout).toContain("set GROUNDPLAN_HOME to a folder that can be written");
    expect((await stage.run(["doctor"])).code).toBe(0);
  },
);

test("R3.1 a plain file in the place of the plans' folder is called what it is", async () => {
  const stage = await stageWith(() => ({ text: "Hello." }));
  mkdirSync(stage.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(stage.home, "plans"), "");
  const { stderr } = await stage.run(["-p", "hi", "--permission-mode", "plan"]);
  expect(stderr).not.toContain("symbolic link");
});

test("R13.1 an agent's todos are on disk under its own name, beside the session's", async () => {
  const todo = { content: "look", status: "in_progress", activeForm: "looking" };
  const stage = await stageWith((request): ScriptedTurn => {
    const hasResults = JSON.stringify(request.body).includes('"tool_result"');
    if (isExplore(request))
      return hasResults ? { text: "Found." } : { calls: [{ tool: "TodoWrite", input: { todos: [todo] } }] };
    const input = { description: "look", prompt: "Look.", subagent_type: "Explore" };
    return hasResults ? { text: "Done." } : { calls: [{ tool: "Agent", input }] };
  });
  const { stdout } = await stage.run(["-p", "look", "--output-format", "json"]);
  const { sessionId } = JSON.parse(stdout) as { readonly sessionId: string };
  const names = readdirSync(join(stage.home, "todos"));
  expect(names).toHaveLength(1);
  expect(names[0]).toMatch(new RegExp(`^${sessionId}-agent-(?!${sessionId})[\\w-]+\\.json$`));
  expect(JSON.parse(readFileSync(join(stage.home, "todos", names[0]!), "utf8"))).toEqual([todo]);
});

test.each([
  ["anthropic/claude-haiku-9", "claude-haiku-9", "Explore agents use anthropic/claude-haiku-9 (exploreModel)."],
  [undefined, "claude-sonnet-5-5", "Explore agents use claude-sonnet-5-5, the session's model"],
])("R10.1 behind a gateway, with exploreModel %s, %s explores, and the person is told", async (wanted, used, told) => {
  const stage = await stageWith(
    (request): ScriptedTurn => {
      if (isExplore(request)) return { text: "Found." };
      const input = { description: "look", prompt: "Look.", subagent_type: "Explore" };
      const hasResults = JSON.stringify(request.body).includes('"tool_result"');
      return hasResults ? { text: "Done." } : { calls: [{ tool: "Agent", input }] };
    },
    wanted === undefined ? {} : { exploreModel: wanted },
  );
  const { stderr } = await stage.run(["-p", "look"]);
  expect(stage.server.requests.filter(isExplore).map(({ body }) => body["model"])).toEqual([used]);
  expect(stderr.split(told).length).toBe(2);
});

test("R10.1 Explore hears of no tool that it is not offered", async () => {
  const stage = await stageWith((request): ScriptedTurn => {
    if (isExplore(request)) return { text: "Found." };
    const input = { description: "look", prompt: "Look.", subagent_type: "Explore" };
    const hasResults = JSON.stringify(request.body).includes('"tool_result"');
    return hasResults ? { text: "Done." } : { calls: [{ tool: "Agent", input }] };
  });
  await stage.run(["-p", "look"]);
  const { body } = stage.server.requests.find(isExplore)!;
  const offered = new Set((body["tools"] as readonly { readonly name: string }[]).map(({ name }) => name));
  const others = ["Agent", "Edit", "Write", "NotebookEdit", "ExitPlanMode", "EnterPlanMode", "AskUserQuestion"];
  const text = JSON.stringify(body).replaceAll("Write nothing", "");
  expect(others.filter((name) => !offered.has(name) && new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});

test("B7.4 a model whose context is too small while planning is said aloud, with what to choose", async () => {
  const stage = await stageWith(() => ({ refusal: "context-full" }) as unknown as ScriptedTurn);
  const { stderr } = await stage.run(["-p", "add b", "--permission-mode", "plan"]);
  expect(stderr).toContain("does not fit into claude-sonnet-5-5, which plans here. Choose one with a larger context");
});

test("B7.4 R14.2 the conversation that a resumed session brings along counts, too", async () => {
  const stage = await stageWith(() => ({ text: "Hm.", usage: { inputTokens: 300_000, outputTokens: 5 } }));
  const first = await stage.run(["-p", "one", "--model", "google/gemini-2.5-pro", "--output-format", "json"]);
  const { sessionId } = JSON.parse(first.stdout) as { readonly sessionId: string };
  const models = ["--model", "google/gemini-2.5-pro", "--plan-model", "anthropic/claude-haiku-4-5"];
  const { stderr } = await stage.run(["-p", "/plan two", "--resume", sessionId, ...models]);
  expect(stderr).toContain("does not fit into claude-haiku-4-5, which plans here.");
});

/** One session plans and its plan is approved; what follows is played to whoever asks then. */
async function approvedPlan(settings: object, then: (file: string) => readonly ScriptedTurn[], content = plan) {
  let file = "";
  let turns: ScriptedTurn[] = [{ calls: [{ tool: "ExitPlanMode", input: {} }] }];
  const stage = await stageWith((request): ScriptedTurn => {
    if (file !== "") return turns.shift() ?? { text: "Done." };
    file = planFileIn(JSON.stringify(request.body));
    return { calls: [{ tool: "Write", input: { file_path: file, content } }] };
  }, settings);
  const json = ["--output-format", "json"];
  const first = await stage.run(["-p", "add b", "--permission-mode", "plan", ...json]);
  const { sessionId, ...made } = JSON.parse(first.stdout) as { sessionId: string; plan: { hash: string } };
  await stage.run(["-p", "--resume", sessionId, "--approve", made.plan.hash, "--permission-mode", "acceptEdits"]);
  turns = [...then(file)];
  return { stage, file, sessionId, json };
}

const read = (file_path: string) => ({ tool: "Read", input: { file_path } });
const write = (file_path: string) => ({ tool: "Write", input: { file_path, content: "mine\n" } });
const bash = (command: string) => ({ tool: "Bash", input: { command } });

test.each([
  ["acceptEdits", { plansDirectory: "plans" }],
  ["auto", { plansDirectory: "plans", autoMode: { enabled: true } }],
  ["bypassPermissions", {}],
] as const)(
  "B5.1 another session in %s writes no approved plan; a note beside it is a file as any other",
  async (mode, settings) => {
    const { stage, file, json } = await approvedPlan(settings, (kept) => {
      const note = join(dirname(kept), "note.md");
      const remove = mode === "bypassPermissions" ? [] : [bash(`rm ${kept}`)];
      return [{ calls: [read(kept), read(note)] }, { calls: [write(kept), write(note), ...remove] }];
    });
    const note = join(dirname(file), "note.md");
    writeFileSync(note, "a note\n");
    const skip = mode === "bypassPermissions" ? ["--allow-dangerously-skip-permissions"] : [];
    const { stdout } = await stage.run(["-p", "overwrite it", "--permission-mode", mode, ...skip, ...json]);
    const { denials } = JSON.parse(stdout) as { readonly denials: readonly { readonly code: string }[] };
    expect(denials[0]).toMatchObject({ tool: "Write", code: "plan-approved" });
    expect(denials).toHaveLength(mode === "bypassPermissions" ? 1 : 2);
    expect([file, note].map((path) => readFileSync(path, "utf8"))).toEqual([plan, "mine\n"]);
  },
);

test("B6.1 the todo list of a plan with one step is told as one step", async () => {
  const { stage } = await approvedPlan({}, () => [], "# Add b\n\n- [ ] Create `b.ts`\n");
  const told = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect(told).toContain("It holds the plan's one step already");
  expect(told).not.toContain("1 steps");
});

test("B3.5 B5.1 what its own command changed is told as that; the library keeps the approved text", async () => {
  const { stage, file, sessionId } = await approvedPlan({}, (kept) => [
    { calls: [read(kept)] },
    { calls: [bash(`echo more >> ${kept}`)] },
  ]);
  const skip = ["--dangerously-skip-permissions", "--allow-dangerously-skip-permissions"];
  await stage.run(["-p", "add to it", "--resume", sessionId, ...skip]);
  expect(readFileSync(file, "utf8")).toBe(`${plan}more\n`);
  const told = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect(told).toContain(`${file} was changed by a command that you ran`);
  expect(told).not.toContain("was changed by the user");
  expect((await stage.run(["plans", "show", file])).stdout).not.toMatch(/^\W*more$/m);
});
