/** The side question over the wire: whatever the server does wrong, the decision goes to a person, in time. */
import { afterEach, expect, test } from "vitest";
import { createClassifier } from "../../src/agent/auto/classifier.ts";
import { connectModel, type ConnectedModel } from "../../src/agent/models/index.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import { runs, withAuto, working } from "../../src/testing/core-fixtures.ts";
import { startLoopback, type Loopback, type ScriptedTurn } from "../../src/testing/loopback.ts";

const prompts = loadPrompts();
const opened: (Loopback | ConnectedModel)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const session = working({ mode: "auto", ...withAuto("not-during-plan") });
const yes = '{"verdict":"allow","reason":"part of the task"}';

async function classifyWith(server: Loopback, timeoutMs: number) {
  const retry = { firstWaitMs: 1, longestWaitMs: 1 };
  const model = await connectModel(
    { provider: "anthropic", model: "small" },
    { environment: server.environment(), retry },
  );
  if ("code" in model) throw new Error(model.message);
  opened.push(model);
  const classify = createClassifier({ sideModel: { model, name: "small" }, timeoutMs, prompts, roots: ["/repo"] });
  const question = { kind: "command", reason: "r", part: null } as const;
  return classify({ id: "q1", call: runs("c"), question }, session, new AbortController().signal);
}

test.each<[string, ScriptedTurn, "allow" | "unsure", RegExp]>([
  ["a clear answer in pieces", { text: [yes.slice(0, 9), yes.slice(9)], chunkBytes: 7 }, "allow", /part of the task/],
  ["an answer with thinking", { thinking: "hm", text: yes }, "allow", /part of the task/],
  ["an answer that comes too late", { text: yes, delayMs: 2000 }, "unsure", /no answer within 0\.5 s/],
  ["an answer that never ends", { text: yes, hang: true }, "unsure", /no answer within 0\.5 s/],
  ["an answer that is cut off", { text: yes, stop: "length" }, "unsure", /not the JSON/],
  ["a refusal", { text: "I cannot.", stop: "refused" }, "unsure", /refused to judge/],
  ["other words", { text: "It is allowed." }, "unsure", /not the JSON/],
  ["a tool call", { text: yes, calls: [{ tool: "Bash", input: {} }] }, "unsure", /not the JSON/],
  ["a wrong key", { refusal: "wrong-key" }, "unsure", /could not be asked/],
  ["an overloaded server", { refusal: "overloaded" }, "unsure", /could not be asked/],
])("R11.1 %s", async (_, turn, answer, reason) => {
  const server = await startLoopback({ script: () => turn });
  opened.push(server);
  const limit = reason.source.startsWith("no answer within") ? 500 : 60_000;
  expect(await classifyWith(server, limit)).toMatchObject({ answer, reason: expect.stringMatching(reason) });
});

test("R11.1 a server that is not there", async () => {
  const server = await startLoopback({ script: () => ({ text: yes }) });
  await server.close();
  const answer = await classifyWith(server, 60_000);
  expect(answer).toEqual({ answer: "unsure", reason: expect.stringMatching(/could not be asked/) });
});
