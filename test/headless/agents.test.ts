/** Agents in the real program: a real process, shell and files, a server on loopback. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, treeHashes, type Stage, type StageOptions } from "./program.ts";

async function stageWith(script: StageOptions["script"], files?: StageOptions["files"]): Promise<Stage> {
  return openStage({ script, ...(files === undefined ? {} : { files }) });
}

const spawn = (subagent_type: string, prompt = "Look.") => ({
  tool: "Agent",
  input: { description: "look", prompt, subagent_type },
});

/** Whether the request is an agent's: its system prompt says so. */
function isAgent({ body }: LoopbackRequest, name = "You are Explore"): boolean {
  return JSON.stringify(body["system"] ?? body["instructions"] ?? "").includes(name);
}

function hasResults({ body }: LoopbackRequest): boolean {
  return JSON.stringify(body).includes('"tool_result"');
}

function explores(request: LoopbackRequest): ScriptedTurn {
  if (isAgent(request)) return { text: "Found." };
  return hasResults(request) ? { text: "Done." } : { calls: [spawn("Explore")] };
}

function audits(request: LoopbackRequest): ScriptedTurn {
  if (isAgent(request, "You audit.")) return { text: "Audited." };
  return hasResults(request) ? { text: "Done." } : { calls: [spawn("auditor")] };
}

function modelsOf({ server }: Stage): readonly string[] {
  return server.requests.map((request) => `${isAgent(request) ? "Explore" : "main"} ${String(request.body["model"])}`);
}

const mischief: ScriptedTurn = {
  calls: [
    { tool: "Write", input: { file_path: "new.ts", content: "x" } },
    { tool: "Bash", input: { command: "rm -rf ." } },
    { tool: "Bash", input: { command: "echo x > a.ts" } },
    { tool: "Bash", input: { command: "python3 -c \"open('b.ts','w')\"" } },
    spawn("Explore"),
    { tool: "EnterPlanMode", input: {} },
    { tool: "ExitPlanMode", input: {} },
  ],
};

test.each([["plan"], ["default"], ["acceptEdits"], ["bypassPermissions", "--dangerously-skip-permissions"]])(
  "B1.7 R10.1 with a real shell, in %s, an Explore agent leaves the tree as it was",
  async (mode, ...more) => {
    const stage = await stageWith((request) => {
      if (isAgent(request)) return hasResults(request) ? { text: "Nothing done." } : mischief;
      return hasResults(request) ? { text: "Done." } : { calls: [spawn("Explore"), spawn("Explore")] };
    });
    const before = treeHashes(stage.repository);
    const args = ["-p", "look", "--permission-mode", mode, ...more, "--output-format", "stream-json"];
    const { stdout } = await stage.run(args);
    const events = linesOf(stdout);
    expect(treeHashes(stage.repository)).toEqual(before);
    const ends = events.filter(({ type }) => type === "agent.finished");
    expect(ends.map(({ status }) => status)).toEqual(["done", "done"]);
    expect(events.at(-1)).toMatchObject({ status: "done", changed: [], usage: { requests: 6 } });
    expect(events.at(-1)!["denials"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tool: "Bash", input: { command: "rm -rf ." }, code: "plan-command-writes" }),
      ]),
    );
  },
);

test("R14.7 an agent's events are in a log of its own beside the session's, for the owner alone", async () => {
  const stage = await stageWith(explores);
  const { stdout } = await stage.run(["-p", "look", "--output-format", "json"]);
  const { sessionId } = JSON.parse(stdout);
  const project = join(stage.home, "sessions", readdirSync(join(stage.home, "sessions"))[0]!);
  const folder = join(project, `${sessionId}.agents`);
  const [log] = readdirSync(folder);
  expect(log).toMatch(/^explore-[a-z0-9]{6}\.jsonl$/);
  expect(readFileSync(join(folder, log!), "utf8")).toContain('"session-started"');
  expect([statSync(folder).mode & 0o777, statSync(join(folder, log!)).mode & 0o777]).toEqual([0o700, 0o600]);
});

describe("B7.4 models", () => {
  test("Explore uses exploreModel, and a server of one's own the session's", async () => {
    const stage = await stageWith(explores);
    const settings = JSON.stringify({ exploreModel: "anthropic/claude-tiny" });
    await stage.run(["-p", "look", "--model", "anthropic/claude-big", "--settings", settings]);
    await stage.run(["-p", "look", "--model", "anthropic/claude-big"]);
    expect(modelsOf(stage)).toEqual([
      "main claude-big",
      "Explore claude-tiny",
      "main claude-big",
      "main claude-big",
      "Explore claude-big",
      "main claude-big",
    ]);
  });

  test("R10.2 Plan uses the session's, which is planModel while planning", async () => {
    const stage = await stageWith((request) => {
      if (isAgent(request) || isAgent(request, "You are Plan")) return { text: "Found." };
      return hasResults(request) ? { text: "Done." } : { calls: [spawn("Plan")] };
    });
    const args = ["-p", "look", "--model", "anthropic/claude-big", "--plan-model", "anthropic/claude-wise"];
    await stage.run(args);
    await stage.run([...args, "--permission-mode", "plan"]);
    const models = stage.server.requests
      .filter((request) => isAgent(request, "You are Plan"))
      .map(({ body }) => body["model"]);
    expect(models).toEqual(["claude-big", "claude-wise"]);
  });

  test("one that cannot be had is told at the start, and nothing is asked of another", async () => {
    const stage = await stageWith(explores);
    const settings = JSON.stringify({ exploreModel: "google/gemini-x" });
    const environment = { GEMINI_API_KEY: undefined };
    const { code, stderr } = await stage.run(["-p", "look", "--settings", settings], { environment });
    expect([code, stderr.includes("GEMINI_API_KEY"), stage.server.requests.length]).toEqual([2, true, 0]);
  });
});

describe("agents of a project", () => {
  const files = {
    "a.ts": "export const a = 1;\n",
    ".groundplan/agents/auditor.md": "---\nname: auditor\ndescription: audits.\ntools: Read\n---\nYou audit.\n",
    ".groundplan/agents/broken.md": "---\nname: broken\ncolour: red\n---\nYou break.\n",
  };

  test("count in a trusted folder, while planning too; a bad one is told with file and line", async () => {
    const stage = await stageWith(audits, files);
    const { stderr } = await stage.run(["-p", "look", "--permission-mode", "plan", "--trust"]);
    expect(stderr).toContain(".groundplan/agents/broken.md:3: colour is not known");
    expect(stage.server.requests.filter((request) => isAgent(request, "You audit."))).toHaveLength(1);
    expect(JSON.stringify(stage.server.requests[0]!.body["tools"])).toContain("- auditor: audits.");
  });

  test("do not count elsewhere, and that is said", async () => {
    const stage = await stageWith(audits, files);
    const { stderr } = await stage.run(["-p", "look", "--permission-mode", "plan"]);
    expect(stderr).toContain("they count only in a folder that you trust");
    expect(stage.server.requests.filter((request) => isAgent(request, "You audit."))).toHaveLength(0);
  });
});

test("R7.13 R16.1 another program answers an agent's question by its id, and stops another agent alone", async () => {
  const stage = await stageWith((request) => {
    if (!isAgent(request, "another agent sent to do a task"))
      return hasResults(request)
        ? { text: "Done." }
        : { calls: [spawn("general-purpose", "Write it."), spawn("general-purpose", "Wait.")] };
    if (JSON.stringify(request.body).includes("Wait.")) return { text: "never", hang: true };
    return hasResults(request)
      ? { text: "Written." }
      : { calls: [{ tool: "Write", input: { file_path: "w.ts", content: "w" } }] };
  });
  const child = stage.start(["-p", "go", "--input-format", "stream-json", "--output-format", "stream-json"]);
  const events: Record<string, unknown>[] = [];
  const answer = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (text += chunk).split("\n");
    text = lines.pop()!;
    for (const line of lines) {
      const event = JSON.parse(line);
      events.push(event);
      if (event.type === "permission.requested") answer({ type: "permission", id: event.id, allow: true });
      if (event.type !== "agent.finished" || event.status !== "done") continue;
      const started = events.filter(({ type }) => type === "agent.started").map(({ id }) => id);
      answer({ type: "interrupt", agent: started.find((id) => id !== event.id) });
      child.stdin.end();
    }
  });
  await new Promise((resolve) => void child.on("close", resolve));
  const asked = events.find(({ type }) => type === "permission.requested")!;
  expect(asked["id"]).toBe(`${String(asked["agent"])}:q1`);
  const ends = events.filter(({ type }) => type === "agent.finished").map(({ status }) => status);
  expect(ends).toEqual(["done", "cancelled"]);
  expect(existsSync(join(stage.repository, "w.ts"))).toBe(true);
  expect(events.at(-1)).toMatchObject({ status: "done", changed: ["w.ts"] });
});

function linesOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
