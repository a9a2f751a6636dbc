import { describe, expect, test } from "vitest";
import type { Call } from "../../core/decide/access.ts";
import type { Session } from "../../core/session.ts";
import { loadPrompts } from "../../prompts/index.ts";
import { externalAccess, call, planning, reads, runs, withAuto, working, writes } from "../../testing/core-fixtures.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import type { Model, ModelDelta, StopReason } from "../ports/model.ts";
import { createClassifier } from "./classifier.ts";

const prompts = loadPrompts();
const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const session = working({ mode: "auto", ...withAuto("not-during-plan") });

async function ask(...asked: Parameters<typeof classified>) {
  const { usage: _, ...answer } = await classified(...asked);
  return answer;
}

function classified(model: Model, one: Call = runs("c"), { timeoutMs = 60_000, now = session, signal = idle() } = {}) {
  const classify = createClassifier({ sideModel: { model, name: "small" }, timeoutMs, prompts, roots: ["/repo"] });
  const question = { kind: "command", reason: "r", part: null } as const;
  return classify({ id: "q1", call: one, question }, now, signal);
}

function idle(): AbortSignal {
  return new AbortController().signal;
}

function replies(text: string, stop: StopReason = "end"): Model {
  return streams({ type: "done", reply: [{ type: "text", text }], usage: noUsage, stop });
}

function streams(...deltas: readonly ModelDelta[]): Model {
  return {
    async *stream() {
      await Promise.resolve();
      yield* deltas;
    },
  };
}

describe("the side model's answer", () => {
  test.each(["allow", "deny", "unsure"] as const)("R11.1 a clear %s counts", async (verdict) => {
    const text = ` {"reason": "so it is", "verdict": "${verdict}"}\n`;
    expect(await ask(replies(text))).toEqual({ answer: verdict, reason: "so it is" });
  });

  test("what it used is told, also where its answer does not count", async () => {
    const usage = { ...noUsage, inputTokens: 70, outputTokens: 5 };
    const model = (text: string) => streams({ type: "done", reply: [{ type: "text", text }], usage, stop: "end" });
    expect(await classified(model('{"verdict":"allow","reason":"ok"}'))).toEqual({
      answer: "allow",
      reason: "ok",
      usage,
    });
    expect(await classified(model("nonsense"))).toMatchObject({ answer: "unsure", usage });
  });

  test("R11.1 its reason is made printable and short", async () => {
    const reason = `a\u001B[2Jb\u202Ec${"x".repeat(900)}`;
    const { reason: shown } = await ask(replies(JSON.stringify({ verdict: "deny", reason })));
    expect([shown.slice(0, 8), shown.length]).toEqual(["a [2Jb c", 300]);
  });

  const malformed = /not the JSON that was asked for/;
  test.each<[string, Model, RegExp]>([
    ["a bare word", replies("allow"), malformed],
    ["nothing", replies(""), malformed],
    ["a fence", replies('```json\n{"verdict":"allow","reason":"x"}\n```'), malformed],
    ["words around it", replies('Sure: {"verdict":"allow","reason":"x"}'), malformed],
    ["two objects", replies('{"verdict":"deny","reason":"x"}{"verdict":"allow","reason":"x"}'), malformed],
    ["a key given twice", replies('{"verdict":"deny","verdict":"allow","reason":"x"}'), malformed],
    ["one key too many", replies('{"verdict":"allow","reason":"x","sure":true}'), malformed],
    ["no reason", replies('{"verdict":"allow"}'), malformed],
    ["an unknown verdict", replies('{"verdict":"ALLOW","reason":"x"}'), malformed],
    ["a list", replies('[{"verdict":"allow","reason":"x"}]'), malformed],
    ["an answer that was cut", replies('{"verdict":"allow","reason":"x"}', "length"), malformed],
    ["a tool call", scriptedModel({ text: '{"verdict":"allow","reason":"x"}', calls: [{ tool: "x" }] }), malformed],
    ["a refusal", replies('{"verdict":"allow","reason":"x"}', "refused"), /refused to judge/],
    ["an unreachable model", scriptedModel({ fail: "Nobody listens." }), /could not be asked: Nobody listens\./],
    ["an answer that breaks off", streams({ type: "text", text: "{" }), /broke off/],
    ["silence", scriptedModel({ hang: true }), /no answer within 0\.03 s/],
    ["a model that ignores the abort", { stream: () => ({ [Symbol.asyncIterator]: forever }) }, /no answer within/],
    [
      "a model that throws",
      { stream: () => ({ [Symbol.asyncIterator]: broken }) },
      /could not be asked: Error: broken/,
    ],
    ["a model that is tried for again and again", streams(retry(2), retry(3)), /could not be asked: Busy\./],
  ])("R11.1 %s leaves it to the person", async (_, model, reason) => {
    const timeoutMs = reason.source.startsWith("no answer within") ? 30 : 60_000;
    expect(await ask(model, runs("c"), { timeoutMs })).toEqual({
      answer: "unsure",
      reason: expect.stringMatching(reason),
    });
  });

  test("B1.9 a question that is taken back ends at once", async () => {
    const controller = new AbortController();
    const answer = ask(scriptedModel({ hang: true }), runs("c"), { timeoutMs: 60_000, signal: controller.signal });
    controller.abort();
    expect((await answer).answer).toBe("unsure");
  });
});

describe("what the side model is asked", () => {
  test.each<[string, Call, "allow" | "deny" | "unsure"]>([
    ["an edit of the project", writes("c"), "allow"],
    ["secrets", writes("c", "/repo/.env"), "unsure"],
    ["a path outside of the project", writes("c", "/etc/hosts", "elsewhere"), "unsure"],
    ["keys", reads("c", "/home/me/.ssh/id_rsa"), "deny"],
    ["the end of everything", runs("c", { command: "rm -rf /" }), "deny"],
    ["work sent away", runs("c", { command: "git push" }), "unsure"],
    ["a foreign tool that destroys", call("c", externalAccess({ destructiveHint: true })), "unsure"],
    ["a call too long to be shown", { ...runs("c"), input: { command: "x".repeat(20_000) } }, "unsure"],
  ])("R11.1 the rules decide alone on %s", async (_, one, answer) => {
    const model = scriptedModel('{"verdict":"allow","reason":"the side model says so"}');
    expect((await ask(model, one)).answer).toBe(answer);
    expect(model.requests).toEqual([]);
  });

  test("R11.1 one question, without tools, in quotation", async () => {
    const model = scriptedModel('{"verdict":"allow","reason":"ok"}');
    await ask(model);
    expect(model.requests).toHaveLength(1);
    const { tools, system, messages, model: name, effort } = model.requests[0]!;
    expect({ tools, system, name, effort }).toEqual({
      tools: [],
      system: prompts("auto/classifier"),
      name: "small",
      effort: "low",
    });
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).toContain("Refactor auth");
  });

  test("R11.1 without a side model what the rules leave open is the person's", async () => {
    const classify = createClassifier({ prompts, roots: ["/repo"] });
    const question = { kind: "command", reason: "r", part: null } as const;
    const answer = await classify({ id: "q1", call: runs("c"), question }, session, idle());
    expect(answer).toEqual({ answer: "unsure", reason: "make runs what the project says" });
  });

  test.each<[string, Call]>([
    ["a write", writes("c")],
    ["a command", runs("c")],
    ["a foreign tool", call("c", externalAccess())],
    ["the end of planning", call("c", { kind: "exit-plan" })],
  ])("R11.4 B1.1 in plan mode it would not answer even if it were asked about %s", async (_, one) => {
    const now: Session = planning(withAuto("during-plan"));
    const model = scriptedModel('{"verdict":"allow","reason":"ok"}');
    expect(await ask(model, one, { now })).toEqual({ answer: "unsure", reason: "plan mode decides this" });
    expect(model.requests).toEqual([]);
  });
});

function retry(attempt: number): ModelDelta {
  return { type: "retrying", attempt, waitMs: 1, error: { code: "overloaded", message: "Busy." } };
}

function forever(): AsyncIterator<ModelDelta> {
  return { next: () => new Promise(() => undefined) };
}

function broken(): AsyncIterator<ModelDelta> {
  return { next: () => Promise.reject(new Error("broken")) };
}
