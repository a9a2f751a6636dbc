/** The protocol itself: what is offered, what is refused, and what happens to an editor that does anything. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import { untilAborted } from "../../src/agent/answers/ask-surface.ts";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, planFileIn, stageWith, type Stage } from "../headless/program.ts";
import { until } from "../support/until.ts";
import { isMessage, only, saidIn, startEditor, yesToAll } from "./editor.ts";

const call = (tool: string, input: object = {}): ScriptedTurn => ({ calls: [{ tool, input }] });
const plan = "# Add b\n\n1. Create `b.ts`\n2. Test it\n";

/** Writes the plan and submits it; the turns are what the model does then. */
function planner(...turns: readonly ScriptedTurn[]) {
  return (request: { readonly body: unknown }, turn: number): ScriptedTurn => {
    if (turn > 1) return turns[turn - 2] ?? { text: "Done." };
    const file_path = planFileIn(JSON.stringify(request.body));
    return {
      calls: [
        { tool: "Write", input: { file_path, content: plan } },
        { tool: "ExitPlanMode", input: {} },
      ],
    };
  };
}

const refusal = (work: Promise<unknown>): Promise<{ readonly code: number; readonly message: string }> =>
  work.then(
    () => ({ code: 0, message: "it was not refused" }),
    (error: { readonly code: number; readonly message: string }) => error,
  );

function currents(reply: { readonly configOptions: readonly { readonly currentValue?: unknown }[] }) {
  return reply.configOptions.map(({ currentValue }) => currentValue);
}

const inPlan = { args: ["--permission-mode", "plan"] };

test("B12.1 B12.2 an editor is told what there is: version, capabilities, ways to authenticate, modes twice, model, effort, commands", async () => {
  const stage = await stageWith(() => ({ text: "Hi." }));
  const editor = await startEditor(stage, { capabilities: { auth: { terminal: true } } });
  expect(editor.hello).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: "groundplan" },
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {} } },
  });
  const ways = editor.hello.authMethods!;
  expect(ways.map(({ id }) => id)).toEqual(["environment-key", "terminal", "scout"]);
  for (const { id } of ways) await editor.agent.request(methods.agent.authenticate, { methodId: id });
  const { sessionId, modes, configOptions } = await editor.newSession();
  expect(modes!.availableModes.map(({ id }) => id)).toEqual(["default", "acceptEdits", "plan"]);
  expect(configOptions!.map(({ category, type }) => `${category} ${type}`)).toEqual([
    "mode select",
    "model select",
    "thought_level select",
  ]);
  await editor.until("commands", ({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  const [offered] = only(editor.updates(sessionId), "available_commands_update");
  const names = offered!.availableCommands.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["plan", "mode", "todos", "compact", "cost", "review", "undo", "redo"]));
  expect(names).not.toContain("exit");
  expect(await editor.prompt(sessionId, "say hi\nplease")).toEqual({ stopReason: "end_turn" });
  expect(saidIn(editor.updates(sessionId))).toBe("Hi.");
  expect(only(editor.updates(sessionId), "session_info_update")).toMatchObject([{ title: "say hi please" }]);
  expect(only(editor.updates(sessionId), "usage_update")).toMatchObject([
    { size: 1_000_000, cost: { currency: "USD", amount: expect.any(Number) } },
  ]);
  expect(editor.lines().every(isMessage)).toBe(true);
});

test("B12.1 without a key a session plans offline with scout, and to authenticate says what is missing", async () => {
  const stage = await stageWith(() => ({ text: "never asked" }));
  const bare = { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", GEMINI_API_KEY: "" };
  const editor = await startEditor(stage, { environment: bare });
  const missing = await refusal(editor.agent.request(methods.agent.authenticate, { methodId: "environment-key" }));
  expect(missing).toMatchObject({ code: -32000, message: expect.stringContaining("ANTHROPIC_API_KEY") });
  expect(await editor.agent.request(methods.agent.authenticate, { methodId: "scout" })).toEqual({});
  const unknown = await refusal(editor.agent.request(methods.agent.authenticate, { methodId: "other" }));
  expect(unknown.code).toBe(-32602);
  const { sessionId, modes } = await editor.newSession();
  expect(modes!.currentModeId).toBe("plan");
  const asking = editor.prompt(sessionId, "add a function b to a.ts");
  await until("scout's plan", () => editor.asked.length > 0);
  expect(await asking).toMatchObject({ stopReason: "end_turn" });
  expect(editor.asked[0]!.toolCall).toMatchObject({ kind: "switch_mode" });
  expect(stage.server.requests).toHaveLength(0);
  const setup = await stage.run(["acp", "--setup"], { environment: bare });
  expect([setup.code, setup.stdout]).toEqual([0, expect.stringMatching(/ANTHROPIC_API_KEY +not set[^]*Model: scout/)]);
});

test("B12.2 modes by both ways, model and effort: the session has them, what cannot be had is refused", async () => {
  const stage = await stageWith(() => ({ text: "Hi." }));
  const editor = await startEditor(stage);
  const { sessionId } = await editor.newSession();
  const option = (configId: string, value: string) =>
    editor.agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
  const mode = (modeId: string) => editor.agent.request(methods.agent.session.setMode, { sessionId, modeId });
  await mode("plan");
  expect(currents(await option("mode", "acceptEdits"))[0]).toBe("acceptEdits");
  expect(only(editor.updates(), "current_mode_update").map(({ currentModeId }) => currentModeId)).toEqual([
    "plan",
    "acceptEdits",
  ]);
  for (const wrong of [
    mode("bypassPermissions"),
    mode("root"),
    option("mode", "auto"),
    option("model", "x/y"),
    option("no", "such"),
  ])
    expect((await refusal(wrong)).code).toBe(-32602);
  await editor.prompt(sessionId, "one");
  expect(currents(await option("model", "openai/gpt-6-luna"))).toEqual(["acceptEdits", "openai/gpt-6-luna", "default"]);
  expect(currents(await option("effort", "high"))).toEqual(["acceptEdits", "openai/gpt-6-luna", "high"]);
  await editor.prompt(sessionId, "two");
  const [first, second] = stage.server.requests.map(({ body }) => body as unknown as Record<string, unknown>);
  expect([first!["model"], second!["model"]]).toEqual(["claude-sonnet-5-5", "gpt-6-luna"]);
  expect(JSON.stringify(second)).toMatch(/"effort":"high"|reasoning_effort":"high"/);
  expect(JSON.stringify(second)).toContain("one");
});

test("B12.1 garbage, unknown methods, the wrong order and lines too long are answered by errors; the session goes on", async () => {
  /** The library of the other side says of each answer to no request that it got one. */
  const quiet = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => quiet.mockRestore());
  const stage = await stageWith(() => ({ text: "Still here." }));
  const early = stage.start(["acp"]);
  let out = "";
  early.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const answers = (): readonly { id: unknown; error?: { code: number } }[] =>
    out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const send = (line: string): void => void early.stdin.write(`${line}\n`);
  send('{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}');
  for (const line of [
    "{ not json",
    "[]",
    "5",
    '"x"',
    '{"jsonrpc":"1.0"}',
    '{"jsonrpc":"2.0","id":{},"method":"x"}',
    "",
  ])
    send(line);
  send(`{"jsonrpc":"2.0","id":2,"method":"x","params":"${"x".repeat(17 * 1024 * 1024)}"}`);
  send('{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":1}}');
  send('{"jsonrpc":"2.0","id":4,"method":"no/such","params":{}}');
  send('{"jsonrpc":"2.0","id":5,"method":"session/new","params":{"cwd":5}}');
  send('{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"none"}}');
  send('{"jsonrpc":"2.0","id":6,"result":{}}');
  await until("every answer", () => answers().filter(({ id }) => typeof id === "number").length === 4);
  const codes = answers().map(({ id, error }) => [id, error?.code ?? 0]);
  expect(codes.filter(([id]) => id === null)).toEqual([
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [null, -32600],
    [null, -32600],
  ]);
  expect(Object.fromEntries(codes.filter(([id]) => id !== null))).toEqual({ 1: -32600, 3: 0, 4: -32601, 5: -32602 });
  early.stdin.end();
  expect(await new Promise((resolve) => early.on("close", resolve))).toBe(0);

  const editor = await startEditor(stage);
  const { sessionId } = await editor.newSession();
  editor.child.stdin.write("garbage\n");
  const blocks = (...prompt: object[]) =>
    refusal(editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: prompt as never }));
  expect((await blocks({ type: "image", data: "", mimeType: "image/png" })).code).toBe(-32602);
  expect((await blocks({ type: "text", text: "  " })).code).toBe(-32602);
  expect((await blocks()).code).toBe(-32602);
  expect((await refusal(editor.prompt("none", "hi"))).code).toBe(-32002);
  expect(await editor.prompt(sessionId, `long ${"words ".repeat(300_000)}`)).toEqual({ stopReason: "end_turn" });
  expect(saidIn(editor.updates(sessionId))).toBe("Still here.");
  expect(editor.lines().every(isMessage)).toBe(true);
});

test("B12.1 two sessions at once do not hear of each other; one is closed, the other goes on", async () => {
  const gate = new AbortController();
  const held = untilAborted(gate.signal);
  const stage = await stageWith(async (request) => {
    const isFirst = JSON.stringify(request.body).includes("FIRST");
    if (isFirst) await held;
    return { text: isFirst ? "First." : "Second." };
  });
  const editor = await startEditor(stage);
  const [one, two] = [(await editor.newSession()).sessionId, (await editor.newSession()).sessionId];
  const first = editor.prompt(one, "FIRST");
  expect(await editor.prompt(two, "other")).toEqual({ stopReason: "end_turn" });
  await editor.agent.request(methods.agent.session.close, { sessionId: two });
  expect((await refusal(editor.prompt(two, "again"))).code).toBe(-32002);
  gate.abort();
  expect(await first).toEqual({ stopReason: "end_turn" });
  expect([saidIn(editor.updates(one)), saidIn(editor.updates(two))]).toEqual(["First.", "Second."]);
  const { sessions } = await editor.agent.request(methods.agent.session.list, { cwd: stage.repository });
  expect(sessions.map(({ sessionId, title, cwd }) => [sessionId, title, cwd])).toEqual(
    expect.arrayContaining([
      [one, "FIRST", stage.repository],
      [two, "other", stage.repository],
    ]),
  );
});

test("B12.1 cancelled in every state: while the model speaks, while it asks, while a plan waits, after a no; the prompt ends as cancelled and the next one is heard", async () => {
  const gate = new AbortController();
  const stage = await openStage({
    script: async (request) => {
      const body = JSON.stringify(request.body);
      if (body.includes("LAST")) return { text: "Heard." };
      if (body.includes("SLOW") && !body.includes("ASK")) {
        await untilAborted(gate.signal);
        return { text: "Too late." };
      }
      if (body.includes("ASK") && !body.includes("PLAN IT")) return call("Write", { file_path: "b.ts", content: "x" });
      if (body.includes("tool_result") && body.includes("# Add b")) return call("ExitPlanMode");
      return call("Write", { file_path: planFileIn(body), content: plan });
    },
  });
  const editor = await startEditor(stage, {
    choose: ({ options }) =>
      options.some(({ optionId }) => optionId === "revise") && editor.asked.length > 2 ? "revise" : null,
  });
  const { sessionId } = await editor.newSession();
  const cancel = () => editor.agent.notify(methods.agent.session.cancel, { sessionId });
  const slow = editor.prompt(sessionId, "SLOW");
  await until("the request", () => stage.server.requests.length === 1);
  await cancel();
  expect(await slow).toEqual({ stopReason: "cancelled" });
  gate.abort();
  const asking = editor.prompt(sessionId, "ASK");
  await until("the question", () => editor.asked.length === 1);
  await cancel();
  expect(await asking).toEqual({ stopReason: "cancelled" });
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
  await editor.agent.request(methods.agent.session.setMode, { sessionId, modeId: "plan" });
  const reviewing = editor.prompt(sessionId, "PLAN IT");
  await until("the plan", () => editor.asked.length === 2);
  await cancel();
  expect(await reviewing).toEqual({ stopReason: "cancelled" });
  expect(await editor.prompt(sessionId, "PLAN IT again")).toEqual({ stopReason: "end_turn" });
  expect(saidIn(editor.updates())).toContain("Write what should change as the next prompt");
  await cancel();
  expect(await editor.prompt(sessionId, "LAST")).toEqual({ stopReason: "end_turn" });
  expect(saidIn(editor.updates()).endsWith("Heard.")).toBe(true);
  const state = await editor.agent.request(methods.agent.session.load, {
    sessionId,
    cwd: stage.repository,
    mcpServers: [],
  });
  expect(state.modes!.currentModeId).toBe("plan");
});

test("B12.1 killed with -9 while a plan waits: loaded, what was said is told again and the plan is asked for again, the same text", async () => {
  const stage = await stageWith(planner(call("Write", { file_path: "b.ts", content: "export {};\n" })));
  const first = await startEditor(stage, { ...inPlan, choose: () => null });
  const { sessionId } = await first.newSession();
  void first.prompt(sessionId, "add b").catch(() => undefined);
  await until("the plan", () => first.asked.length === 1);
  first.child.kill("SIGKILL");
  await first.ended;

  const second = await startEditor(stage, { choose: () => "approve-acceptEdits" });
  const where = { cwd: stage.repository, mcpServers: [] };
  const unknown = second.agent.request(methods.agent.session.load, { sessionId: "0".repeat(8), ...where });
  expect((await refusal(unknown)).code).toBe(-32002);
  const loaded = await second.agent.request(methods.agent.session.load, { sessionId, ...where });
  expect(loaded.modes!.currentModeId).toBe("plan");
  const told = second.updates(sessionId).map(({ sessionUpdate }) => sessionUpdate);
  expect(told.slice(0, 2)).toEqual(["user_message_chunk", "tool_call"]);
  await until("the plan again", () => second.asked.length === 1);
  expect(second.asked[0]!.toolCall.rawInput).toMatchObject({ plan });
  await until("the work", () => existsSync(join(stage.repository, "b.ts")));
  await second.until("the end", (update) => saidIn([update]) === "Done.");
  const third = await startEditor(stage);
  const taken = third.agent.request(methods.agent.session.resume, { sessionId, ...where });
  expect((await refusal(taken)).code).toBe(-32602);
  await second.agent.request(methods.agent.session.close, { sessionId });
  await third.agent.request(methods.agent.session.resume, { sessionId, ...where });
  expect(third.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")).toEqual([]);
  expect(await third.prompt(sessionId, "and now?")).toEqual({ stopReason: "end_turn" });
});

test("B12.1 an editor that is gone in the middle, with its end of stdin or of stdout: the process ends, nothing is approved, the session is kept", async () => {
  const stage = await stageWith(planner());
  const editor = await startEditor(stage, { ...inPlan, choose: () => null });
  const { sessionId } = await editor.newSession();
  void editor.prompt(sessionId, "add b").catch(() => undefined);
  await until("the plan", () => editor.asked.length === 1);
  editor.child.stdin.end();
  expect(await editor.ended).toBe(0);

  const child = stage.start(["acp"]);
  const send = (id: number, method: string, params: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  child.stdin.on("error", () => undefined);
  send(1, "initialize", { protocolVersion: 1 });
  send(2, "session/load", { sessionId, cwd: stage.repository, mcpServers: [] });
  const asks = new Promise((resolve) =>
    child.stdout.on("data", (text: Buffer) => text.includes("request_permission") && resolve(null)),
  );
  await asks;
  const requests = stage.server.requests.length;
  child.stdout.destroy();
  send(3, "session/prompt", { sessionId, prompt: [{ type: "text", text: "go on" }] });
  expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(0);
  expect(stage.server.requests.length - requests).toBeLessThanOrEqual(1);
  const { stdout } = await stage.run(["sessions", "show", sessionId, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ id: sessionId, mode: "plan" });
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
});

test("B12.1 whatever anybody prints goes to stderr: stdout has messages alone", async () => {
  const stage = await stageWith(planner());
  const noise = join(stage.home, "noise.cjs");
  const editor = await startEditor(stage, {
    ...inPlan,
    choose: yesToAll,
    environment: { NODE_OPTIONS: `--require ${await noisy(stage, noise)}` },
  });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "add b");
  await until("noise", () => editor.stderr().includes("printed by a library"));
  expect(editor.lines().every(isMessage)).toBe(true);
});

async function noisy(stage: Stage, path: string): Promise<string> {
  const { mkdirSync, writeFileSync } = await import("node:fs");
  mkdirSync(stage.home, { recursive: true });
  writeFileSync(
    path,
    `setInterval(() => { if (process.argv.includes("acp") && process.stdout.write.name.startsWith("bound")) {
       console.log("printed by a library"); console.info("more"); process.stdout.write("and more\\n"); } }, 1).unref();`,
  );
  readFileSync(path);
  return path;
}
