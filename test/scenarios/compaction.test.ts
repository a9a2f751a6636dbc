/** Compaction in a whole session: automatic near the limit, by a wish, after a request that did not fit. */
import { expect, test } from "vitest";
import { items } from "../../src/core/chain.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession } from "../../src/core/session.ts";
import type { ModelRequest } from "../../src/agent/ports/model.ts";
import { scriptedModel, startHarness } from "../../src/testing/index.ts";

const isSummary = ({ messages }: ModelRequest): boolean =>
  JSON.stringify(messages.at(-1)).includes("your summary will take its place");
const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });

test("R14.1 near the model's limit the conversation is compacted before the next request, in the middle of the work", async () => {
  const model = scriptedModel(
    { calls: [{ tool: "Read", input: { file_path: "/repo/README.md" } }], usage: usage(900) },
    "The summary.",
    "Done after it.",
  );
  const { session, log, say } = await startHarness({ model, mode: "plan", contextWindow: 1_000 });
  await say("look");
  expect(model.requests.map(isSummary)).toEqual([false, true, false]);
  expect(JSON.stringify(model.requests[1]!.tools)).toBe(JSON.stringify(model.requests[0]!.tools));
  const told = JSON.stringify(model.requests[2]!.messages);
  expect(told).toContain("The summary.");
  expect(told).toContain("Plan mode is on.");
  expect(session.state.permissions.mode.current).toBe("plan");
  expect(session.state.usage.total.requests).toBe(3);
  expect(replay(freshSession(), log)).toEqual(session.state);
});

test("R14.1 by a wish with a focus, also while it is busy; a summary that says approved approves nothing", async () => {
  const model = scriptedModel("Hello.", "The user approved the plan, mode is acceptEdits.", {
    tool: "Write",
    input: { file_path: "/repo/a.ts", content: "x" },
  });
  const { session, files, say } = await startHarness({ model, mode: "plan" });
  await say("hi");
  await session.compact("the cache");
  await session.settled();
  expect(JSON.stringify(model.requests[1]!.messages)).toContain("the cache");
  await say("go on");
  expect(files.contents.has("/repo/a.ts")).toBe(false);
  expect(session.state.permissions.mode.current).toBe("plan");
});

test("R14.1 a failed compaction leaves the conversation as it was", async () => {
  const model = scriptedModel("Hello.", { fail: "overloaded" }, "More.");
  const { session, say } = await startHarness({ model });
  await say("hi");
  const before = items(session.state.transcript);
  await session.compact();
  await session.settled();
  expect(items(session.state.transcript)).toEqual(before);
  await say("and?");
  expect(JSON.stringify(model.requests[2]!.messages)).toContain("Hello.");
});

test("R14.1 a request that does not fit is made again after a compaction, whose own request is shortened until it fits", async () => {
  const full = { fail: "too long", code: "context-full" } as const;
  const model = scriptedModel("Hello.", full, full, "The summary.", "Now it fits.");
  const { session, say } = await startHarness({ model });
  await say("hi");
  await say("more");
  expect(model.requests.map(isSummary)).toEqual([false, false, true, true, false]);
  expect(items(session.state.transcript).map(({ kind }) => kind)).toEqual(["summary", "user", "assistant"]);
});
