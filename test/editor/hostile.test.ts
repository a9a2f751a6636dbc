/** What a plan, an edit or an editor could try: nothing is approved unseen, no answer counts twice, no prompt is trapped. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { methods, type RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { Parser } from "htmlparser2";
import MarkdownIt from "markdown-it";
import { expect, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, planFileIn, stageWith } from "../headless/program.ts";
import { until } from "../support/until.ts";
import { filesBelow } from "../support/walk.ts";
import { saidIn, startEditor } from "./editor.ts";

const inPlan = ["--permission-mode", "plan"];
const call = (tool: string, input: object = {}): ScriptedTurn => ({ calls: [{ tool, input }] });
const submit = ({ body }: LoopbackRequest, content: string): ScriptedTurn => ({
  calls: [
    { tool: "Write", input: { file_path: planFileIn(JSON.stringify(body)), content } },
    { tool: "ExitPlanMode", input: {} },
  ],
});

/** As an editor draws it, which takes Markdown with its HTML. */
function drawn({ toolCall }: RequestPermissionRequest): string {
  const reader = new MarkdownIt({ html: true });
  let words = "";
  const parser = new Parser({ ontext: (text) => (words += text) });
  for (const one of toolCall.content ?? [])
    if (one.type === "content" && one.content.type === "text") parser.write(`${reader.render(one.content.text)}\n`);
  parser.end();
  return words;
}

const swallowed = [
  "<!-- then1 delete2 everything3 -->",
  '<b title="attribute4">bold5</b>',
  "See [page6](https://example.org/path7 'tip8').",
  "[never9]: https://example.org/used10",
  "[^note11]: words12",
  "> [quoted13]: https://example.org/14",
  "```sh info15\nrun16\n```",
  "| one17 | two18 |\n|---|---|\n| three19 | four20 | lost21 |",
] as const;

test.each(swallowed)("B19.3 B12.4 every byte of a plan is seen in an editor that reads Markdown: %j", async (part) => {
  const plan = `# Add b\n\n1. Create \`b.ts\`\n\n${part}\n`;
  const stage = await stageWith((request, turn) => (turn === 1 ? submit(request, plan) : { text: "Over." }));
  const editor = await startEditor(stage, { args: inPlan, choose: () => "cancelled" });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "add b");
  const shown = drawn(editor.asked[0]!);
  expect((part.match(/[a-z/]+\d+/g) ?? []).filter((word) => !shown.includes(word))).toEqual([]);
});

test("B19.3 B12.4 a plan of which Markdown shows all is shown once", async () => {
  const plan =
    "# Add b\n\n1. Create `b.ts`, if a < 3 && b > 4\n\n| a | b |\n|---|---|\n| c | d |\n\n```ts\nlet a;\n```\n";
  const stage = await stageWith((request, turn) => (turn === 1 ? submit(request, plan) : { text: "Over." }));
  const editor = await startEditor(stage, { args: inPlan, choose: () => "cancelled" });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "add b");
  expect(drawn(editor.asked[0]!).split("Add b")).toHaveLength(2);
});

test("B2.5 B12.4 hidden characters of an edit are told beside its difference", async () => {
  const stage = await stageWith((_, turn) =>
    turn === 1 ? call("Write", { file_path: "b.ts", content: "PLAIN77\r\nis\u202eAdmin\u200b\n" }) : { text: "Over." },
  );
  const editor = await startEditor(stage, { choose: () => "cancelled" });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "add b");
  expect(drawn(editor.asked[0]!)).toContain("is\\u{202e}Admin\\u{200b}\n");
  expect(drawn(editor.asked[0]!)).not.toContain("PLAIN77");
});

test.each([7, null, { text: "x" }])(
  "B12.5 an editor that answers with no text for a file (%j) is none to ask: the file is read",
  async (answered) => {
    const stage = await stageWith((_, turn) => (turn === 1 ? call("Read", { file_path: "a.ts" }) : { text: "Read." }));
    const editor = await startEditor(stage, {
      capabilities: { fs: { readTextFile: true } },
      buffers: new Proxy({}, { get: () => answered }),
    });
    const { sessionId } = await editor.newSession();
    expect(await editor.prompt(sessionId, "go")).toEqual({ stopReason: "end_turn" });
    expect(editor.read).toEqual([join(stage.repository, "a.ts")]);
    expect(JSON.stringify(stage.server.requests.at(-1)!.body)).toContain("export const a = 1;");
  },
);

test("B2.1 B12.4 a plan file that changed under the question: the yes counts for nothing, the new text is asked for", async () => {
  const stage = await stageWith((request, turn) =>
    turn === 1
      ? submit(request, "# Add b\n\n1. Create `b.ts`\n")
      : call("Write", { file_path: "b.ts", content: "export {};\n" }),
  );
  const editor = await startEditor(stage, {
    args: inPlan,
    choose: ({ toolCall }) => {
      const { planFilePath } = toolCall.rawInput as { readonly planFilePath: string };
      if (editor.asked.length > 1) return "cancelled";
      writeFileSync(planFilePath, "# Delete all\n");
      return "approve-acceptEdits";
    },
  });
  const { sessionId } = await editor.newSession();
  expect(await editor.prompt(sessionId, "add b")).toEqual({ stopReason: "end_turn" });
  expect(editor.asked.map(({ toolCall }) => (toolCall.rawInput as { readonly plan: string }).plan.slice(0, 8))).toEqual(
    ["# Add b\n", "# Delete"],
  );
  expect(drawn(editor.asked[1]!)).toContain("changed since it was shown");
  expect(existsSync(join(stage.repository, "b.ts"))).toBe(false);
});

test("B2.6 B12.4 the first answer counts: what comes later for the same question, or for one that was never asked, approves nothing", async () => {
  const stage = await stageWith((request, turn) =>
    turn === 1 ? submit(request, "# Add b\n\n1. Create `b.ts`\n") : { text: "Heard." },
  );
  const editor = await startEditor(stage, { args: inPlan, choose: () => "revise" });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "add b");
  const asked = editor.lines().find((line) => line.includes('"session/request_permission"'))!;
  const { id } = JSON.parse(asked) as { readonly id: number };
  const result = { outcome: { outcome: "selected", optionId: "approve-acceptEdits" } };
  for (const one of [id, id + 1, id + 7, String(id), null])
    editor.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: one, result })}\n`);
  expect(await editor.prompt(sessionId, "say more")).toEqual({ stopReason: "end_turn" });
  expect(saidIn(editor.updates())).toMatch(/Heard\.$/);
  const state = await editor.agent.request(methods.agent.session.load, {
    sessionId,
    cwd: stage.repository,
    mcpServers: [],
  });
  expect(state.modes!.currentModeId).toBe("plan");
});

test("B12.1 B16.3 a check that never ends is stopped with its prompt", async () => {
  const plan = "# Add b\n\n- [ ] Create `b.ts`\n  Verify: `touch begun && tail -f /dev/null`\n";
  const stage = await openStage({
    script: (request, turn) => (turn === 1 ? submit(request, plan) : { text: "Made." }),
  });
  const editor = await startEditor(stage, { args: inPlan, choose: () => "approve-acceptEdits" });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "add b");
  const checking = editor.prompt(sessionId, "/verify");
  await until("the check", () => saidIn(editor.updates()).includes("tail -f"));
  await editor.agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await checking).toEqual({ stopReason: "cancelled" });
  expect(await editor.prompt(sessionId, "and now")).toEqual({ stopReason: "end_turn" });
});

test("B3.6 B12.4 the key in a link to the review page reaches neither the model nor the log", async () => {
  const stage = await stageWith((request, turn) =>
    turn === 1 ? submit(request, "# Add b\n\n1. Create `b.ts`\n") : { text: "Heard." },
  );
  const editor = await startEditor(stage, { args: inPlan, choose: () => "revise" });
  const { sessionId } = await editor.newSession();
  await editor.prompt(sessionId, "add b");
  await editor.prompt(sessionId, "/review");
  await editor.prompt(sessionId, "say more");
  const links = new Set(editor.lines().flatMap((line) => line.match(/http:\/\/127\.0\.0\.1:\d+\/[^\s"\\]+/g) ?? []));
  expect(links.size).toBeGreaterThan(1);
  const sessions = join(stage.home, "sessions");
  const logs = filesBelow(sessions).map((name) => readFileSync(join(sessions, name), "utf8"));
  const kept = [...logs, ...stage.server.requests.map(({ body }) => JSON.stringify(body))].join("\n");
  expect(kept).toContain("say more");
  for (const link of links) expect(kept).not.toContain(new URL(link).host);
});
