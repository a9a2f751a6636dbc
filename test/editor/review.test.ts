/** Plans, permissions and questions in an editor: what is shown, what each choice does, and that nothing changes while planning. */
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { denied, enforced, files, unproven } from "../headless/attempts.ts";
import { openStage, planFileIn, stageWith, treeHashes } from "../headless/program.ts";
import { visit } from "../browser/stage.ts";
import { needs } from "../support/needs.ts";
import { until } from "../support/until.ts";
import { only, saidIn, startEditor, yesToAll, type Choose } from "./editor.ts";

const plan = "# Add b\n\n1. Create `b.ts`\n2. Test it\n";
const better = `${plan}3. Say so\n`;
const inPlan = ["--permission-mode", "plan"];
const call = (tool: string, input: object = {}): ScriptedTurn => ({ calls: [{ tool, input }] });
const write = (name: string) => call("Write", { file_path: name, content: "export {};\n" });
const submit = ({ body }: LoopbackRequest, content: string): ScriptedTurn => ({
  calls: [
    { tool: "Write", input: { file_path: planFileIn(JSON.stringify(body)), content } },
    { tool: "ExitPlanMode", input: {} },
  ],
});

test("B12.3 B12.4 a question, a plan, a no with words, a better plan, approved: the whole story with its calls, differences, steps and modes", async () => {
  const stage = await stageWith((request, turn) => {
    if (turn === 1) return { text: "A cart.", calls: [{ tool: "Read", input: { file_path: "a.ts", offset: 1 } }] };
    if (turn === 2) return { text: "It has one file." };
    if (turn === 3) return submit(request, plan);
    if (turn === 4) return submit(request, better);
    if (turn === 5)
      return call("TodoWrite", {
        todos: [{ content: "Create `b.ts`", status: "in_progress", activeForm: "creating" }],
      });
    if (turn === 6) return call("Edit", { file_path: "a.ts", old_string: "1", new_string: "2" });
    return { text: "Made." };
  });
  const answers = ["revise", "approve-acceptEdits"];
  const editor = await startEditor(stage, { args: inPlan, choose: () => answers.shift()! });
  const { sessionId } = await editor.newSession();
  expect(await editor.prompt(sessionId, "what is this?")).toEqual({ stopReason: "end_turn" });
  const read = only(editor.updates(), "tool_call")[0]!;
  expect(read).toMatchObject({
    kind: "read",
    title: "Read a.ts",
    status: "pending",
    locations: [{ path: join(stage.repository, "a.ts"), line: 1 }],
  });
  const news = only(editor.updates(), "tool_call_update").filter(({ toolCallId }) => toolCallId === read.toolCallId);
  expect(news.map(({ status }) => status)).toEqual(["in_progress", "completed"]);

  await editor.prompt(sessionId, "plan it");
  const [asked] = editor.asked;
  expect(asked!.toolCall).toMatchObject({ kind: "switch_mode", rawInput: { plan }, status: "pending" });
  expect(JSON.stringify(asked!.toolCall.content)).toMatch(/# Add b.*http:\/\/127\.0\.0\.1:\d+\//);
  expect(asked!.options.map(({ name, kind }) => [name, kind])).toEqual([
    ["Approve, ask before each edit", "allow_once"],
    ["Approve, edit freely", "allow_always"],
    ["Approve, with fresh context (default)", "allow_once"],
    ["Save for later", "reject_always"],
    ["No, keep planning", "reject_once"],
    ["Abandon", "reject_always"],
  ]);
  expect(saidIn(editor.updates())).toContain("Write what should change as the next prompt");
  expect(stage.server.requests).toHaveLength(3);
  await editor.prompt(sessionId, "SAY SO AT THE END");
  expect(JSON.stringify(stage.server.requests[3]!.body)).toMatch(/SAY SO AT THE END/);
  expect(editor.asked[1]!.toolCall).toMatchObject({ rawInput: { plan: better } });
  expect(editor.asked[1]!.toolCall.title).toContain("revision 2");
  expect(saidIn(editor.updates()).endsWith("Made.")).toBe(true);

  const plans = only(editor.updates(), "plan").map(({ entries }) =>
    entries.map(({ content, status }) => `${status} ${content}`),
  );
  expect(plans).toEqual([
    ["pending Create `b.ts`", "pending Test it", "pending Say so"],
    ["in_progress Create `b.ts`"],
  ]);
  expect(only(editor.updates(), "current_mode_update").map(({ currentModeId }) => currentModeId)).toEqual([
    "acceptEdits",
  ]);
  const edit = only(editor.updates(), "tool_call_update").find(({ content }) =>
    JSON.stringify(content)?.includes("a = 2"),
  );
  expect(edit!.content).toEqual([
    {
      type: "diff",
      path: join(stage.repository, "a.ts"),
      oldText: "export const a = 1;\n",
      newText: "export const a = 2;\n",
    },
  ]);
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe("export const a = 2;\n");
});

const choices: readonly (readonly [choice: string, mode: string, isMade: boolean])[] = [
  ["approve-default", "default", true],
  ["approve-acceptEdits", "acceptEdits", true],
  ["approve-fresh", "default", true],
  ["save", "default", false],
  ["abandon", "default", false],
  ["cancelled", "plan", false],
  ["no-such-option", "plan", false],
];

test.each(choices)(
  "B12.4 the choice %s ends in mode %s; whether the work is done: %s",
  async (choice, mode, isMade) => {
    const stage = await openStage({
      script: (request, turn) => {
        if (turn === 1) return submit(request, plan);
        const body = JSON.stringify(request.body);
        return isMade && !body.includes("export {};") ? write("b.ts") : { text: "Over." };
      },
    });
    const choose: Choose = ({ toolCall }) => (toolCall.kind === "switch_mode" ? choice : "allow");
    const editor = await startEditor(stage, { args: inPlan, choose });
    const { sessionId } = await editor.newSession();
    expect(await editor.prompt(sessionId, "add b")).toEqual({ stopReason: "end_turn" });
    expect(existsSync(join(stage.repository, "b.ts"))).toBe(isMade);
    const last = only(editor.updates(), "current_mode_update").at(-1)?.currentModeId ?? "plan";
    expect(last).toBe(mode);
    const edits = editor.asked.filter(({ toolCall }) => toolCall.kind === "edit");
    expect(edits).toHaveLength(mode === "default" && isMade ? 1 : 0);
    if (edits.length > 0)
      expect(edits[0]!.toolCall).toMatchObject({
        title: "Write this new file?",
        content: [{}, { type: "diff", path: join(stage.repository, "b.ts"), newText: "export {};\n" }],
      });
  },
);

test("B12.4 the review page beside the editor: the first answer wins, and the question in the editor is taken back", async () => {
  const stage = await stageWith((request, turn) =>
    turn === 1 ? submit(request, plan) : turn === 2 ? write("b.ts") : { text: "Made." },
  );
  const editor = await startEditor(stage, { args: inPlan, choose: () => null });
  const { sessionId } = await editor.newSession();
  const working = editor.prompt(sessionId, "add b");
  await until("the plan", () => editor.asked.length === 1);
  const [link] = /http:\/\/127\.0\.0\.1:\d+\/[^"\\\s]+/.exec(JSON.stringify(editor.asked[0]!.toolCall.content))!;
  const page = await visit(link);
  const { request } = await page.state();
  const verdict = { requestId: request!.id, kind: "approve", hash: request!.hash, mode: "acceptEdits" };
  expect((await page.post("verdict", verdict)).status).toBe(200);
  expect(await working).toEqual({ stopReason: "end_turn" });
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(true);
  expect(editor.lines().some((line) => line.includes("$/cancel_request"))).toBe(true);
});

test("B12.4 questions are a form where the editor has forms, else choices; declined and dismissed are never an answer", async () => {
  const questions = [
    { question: "Which colour?", header: "Colour", options: [option("Red"), option("Blue")], multiSelect: false },
    { question: "Which sizes?", header: "Size", options: [option("S"), option("M"), option("L")], multiSelect: true },
  ];
  const stage = await stageWith((request) =>
    JSON.stringify(request.body).includes("tool_result") ? { text: "Noted." } : call("AskUserQuestion", { questions }),
  );
  const answered = async (options: Parameters<typeof startEditor>[1]) => {
    const editor = await startEditor(stage, options);
    const { sessionId } = await editor.newSession();
    expect(await editor.prompt(sessionId, "ask me")).toEqual({ stopReason: "end_turn" });
    return { editor, heard: JSON.stringify(lastMessage(stage.server.requests.at(-1)!)) };
  };
  const capabilities = { elicitation: { form: {} } };
  const content = { question_1: "Blue", question_2: ["S", "L"], question_2_other: "XXL" };
  const form = await answered({ capabilities, form: () => ({ action: "accept", content }) });
  expect(form.heard).toMatch(/Which colour\?.*Blue.*Which sizes\?.*S, L, XXL/);
  const [asked] = form.editor.forms as readonly { readonly requestedSchema?: { readonly properties: object } }[];
  expect(Object.keys(asked!.requestedSchema!.properties)).toEqual([
    "question_1",
    "question_1_other",
    "question_2",
    "question_2_other",
  ]);
  expect((await answered({ capabilities, form: () => ({ action: "decline" }) })).heard).toMatch(/declined/i);
  const picks = ["1", "0", "2", "enough"];
  const chosen = await answered({ choose: () => picks.shift()! });
  expect(chosen.heard).toMatch(/Which colour\?.*Blue.*Which sizes\?.*S, L/);
  expect((await answered({ choose: () => "decline" })).heard).toMatch(/declined/i);
  expect((await answered({ choose: () => "cancelled" })).heard).toMatch(/without answering/);
});

/** With what came of the call alone. */
function lastMessage({ body }: LoopbackRequest): unknown {
  return (body as unknown as { readonly messages: readonly unknown[] }).messages.at(-1);
}

function option(label: string) {
  return { label, description: `${label}, please` };
}

test("B12.5 unsaved text is read through the editor, and a file with such text is not changed; what the gate refuses is not asked for", async () => {
  const stage = await openStage({
    files: { "a.ts": "export const a = 1;\n", "secret.env": "KEY=1\n", "b.ts": "export const b = 1;\n" },
    script: (_, turn) => {
      if (turn === 1)
        return {
          calls: ["a.ts", "secret.env", "b.ts"].map((file_path) => ({ tool: "Read", input: { file_path } })),
        };
      if (turn === 2) return call("Edit", { file_path: "a.ts", old_string: "UNSAVED", new_string: "2" });
      if (turn === 3) return call("Edit", { file_path: "b.ts", old_string: "1", new_string: "2" });
      return { text: "Done." };
    },
  });
  const path = (name: string): string => join(stage.repository, name);
  const editor = await startEditor(stage, {
    args: ["--permission-mode", "acceptEdits", "--settings", '{"permissions":{"deny":["Read(secret.env)"]}}'],
    capabilities: { fs: { readTextFile: true } },
    buffers: {
      [path("a.ts")]: "export const a = UNSAVED;\n",
      [path("secret.env")]: "KEY=2\n",
      [path("b.ts")]: "export const b = 1;\r\n",
    },
  });
  const mcpServers = [{ name: "files", command: "x", args: [], env: [] }];
  const { sessionId } = await editor.newSession({ mcpServers });
  expect(await editor.prompt(sessionId, "go")).toEqual({ stopReason: "end_turn" });
  const heard = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect(heard).toMatch(/a = UNSAVED/);
  expect(heard).toMatch(/not saved/);
  expect(heard).not.toMatch(/KEY=/);
  expect(new Set(editor.read)).toEqual(new Set([path("a.ts"), path("b.ts")]));
  expect(readFileSync(path("a.ts"), "utf8")).toBe("export const a = 1;\n");
  expect(readFileSync(path("b.ts"), "utf8")).toBe("export const b = 2;\n");
  expect(saidIn(editor.updates())).toMatch(/MCP servers are not used yet: files/);
});

test("B12.3 an agent's progress is told at its call; what an editor attached is part of the prompt", async () => {
  const stage = await stageWith((request) => {
    const body = JSON.stringify(request.body);
    if (body.includes("BRIEF")) {
      const isAgent = !body.includes("look into it");
      if (!isAgent) return { text: "All seen." };
      return body.includes("tool_result") ? { text: "Seen." } : call("Read", { file_path: "a.ts" });
    }
    return call("Agent", { description: "look", prompt: "BRIEF", subagent_type: "Explore" });
  });
  const editor = await startEditor(stage, { args: inPlan });
  const { sessionId } = await editor.newSession();
  const uri = `file://${join(stage.repository, "a.ts")}`;
  await editor.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: "text", text: "look into it" },
      { type: "resource_link", name: "a.ts", uri },
      { type: "resource", resource: { uri, text: "SELECTED </attached> TEXT" } },
    ],
  });
  const heard = JSON.stringify(stage.server.requests[0]!.body);
  expect(heard).toContain(`<attached name=\\"${join(stage.repository, "a.ts")}\\">\\nSELECTED &lt;/attached> TEXT`);
  const agent = only(editor.updates(), "tool_call").find(({ kind }) => kind === "think")!;
  const told = only(editor.updates(), "tool_call_update").filter(({ toolCallId }) => toolCallId === agent.toolCallId);
  expect(told.map(({ content }) => JSON.stringify(content)).join("\n")).toMatch(
    /Explore: look[^]*- Read a\.ts[^]*done, /,
  );
});

test("B12.2 B15.1 commands: answered in the conversation, never said to the model; undo takes files and words back", async () => {
  const stage = await stageWith((_, turn) => (turn === 1 ? write("b.ts") : { text: "Made." }));
  const editor = await startEditor(stage, { args: ["--permission-mode", "acceptEdits"] });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "add b");
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(true);
  const answer = async (line: string): Promise<string> => {
    const before = editor.updates().length;
    expect(await editor.prompt(sessionId, line)).toEqual({ stopReason: "end_turn" });
    return saidIn(editor.updates().slice(before));
  };
  expect(await answer("/undo")).toMatch(/Back to before: add b[^]*b\.ts/);
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
  expect(await answer("/redo")).toMatch(/Forward again/);
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(true);
  expect(await answer("/todos")).toBe("No todos.");
  expect(await answer("/cost")).toMatch(/token/);
  expect(await answer("/help")).toMatch(/\/undo/);
  expect(await answer("/model x")).toMatch(/editor's choice/);
  expect(await answer("/nonsense")).toMatch(/Unknown command/);
  expect(await answer("/plan")).toBe("Enabled plan mode");
  expect(stage.server.requests).toHaveLength(2);
});

describe.each(Object.entries(enforced))("with %s", (_, options) => {
  test("B12.6 B1.1 an editor that says yes to everything: nothing but the plan changes while planning", async () => {
    const stage = await openStage({
      script: (request, turn): ScriptedTurn => {
        if (turn === 1) return { calls: denied };
        if (turn === 2)
          return call("Write", { file_path: planFileIn(JSON.stringify(request.body)), content: "# Plan" });
        return { text: "Tried." };
      },
      files,
    });
    symlinkSync("a.ts", join(stage.repository, "link-to-a.ts"));
    symlinkSync(join(stage.home, "plans"), join(stage.repository, "plans-link"));
    const before = treeHashes(stage.repository);
    const editor = await startEditor(stage, {
      args: [...inPlan, ...options],
      choose: yesToAll,
      capabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    });
    const { sessionId } = await editor.newSession();
    expect(await editor.prompt(sessionId, "change it")).toEqual({ stopReason: "end_turn" });
    expect(treeHashes(stage.repository)).toEqual(before);
    const failed = only(editor.updates(), "tool_call_update").filter(({ status }) => status === "failed");
    expect(failed).toHaveLength(denied.length);
    expect(editor.lines().some((line) => /fs\/write_text_file|terminal\/create/.test(line))).toBe(false);
  });
});

test(
  "B12.6 B1.10 what cannot be proved runs in the cage, whatever the editor says yes to",
  needs("bubblewrap"),
  async () => {
    const stage = await openStage({
      script: (_, turn) => (turn === 1 ? { calls: unproven } : { text: "Tried." }),
      files,
    });
    const before = treeHashes(stage.repository);
    const editor = await startEditor(stage, { args: inPlan, choose: yesToAll });
    const { sessionId } = await editor.newSession();
    await editor.prompt(sessionId, "change it");
    expect(treeHashes(stage.repository)).toEqual(before);
  },
);
