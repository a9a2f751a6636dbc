/** Speaking, steering, stopping: the turns of a whole session. */
import { expect, test } from "vitest";
import { items } from "../../src/core/chain.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession } from "../../src/core/session.ts";
import { defineTool } from "../../src/agent/tools/tool.ts";
import * as z from "zod";
import { scriptedModel, scriptedPerson, startHarness, type Harness } from "../../src/testing/index.ts";
import { until } from "../support/until.ts";

test("what the person says meanwhile is delivered before the next model call", async () => {
  const started: { harness?: Harness } = {};
  const model = scriptedModel(() => {
    void started.harness?.session.send({ type: "user-said", text: "and mind the tests" });
    return { tool: "Read", input: { file_path: "/repo/README.md" } };
  }, "Both done.");
  const harness = await startHarness({ model });
  started.harness = harness;
  await harness.say("do it");
  const kinds = items(harness.session.state.transcript).map((entry) =>
    entry.kind === "user" ? entry.text : entry.kind,
  );
  expect(kinds).toEqual(["do it", "assistant", "result", "and mind the tests", "assistant"]);
});

test("B2.2 a cancelled turn stops the stream and the running tools, and every call has its one result", async () => {
  const stopped: string[] = [];
  const slow = defineTool<{ readonly name: string }>({
    name: "Slow",
    claims: ["read"],
    input: z.strictObject({ name: z.string() }),
    claim: () => ({ access: { kind: "read", paths: [] }, subjects: [{ rule: "Slow" }] }),
    run: ({ name }, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          stopped.push(name);
          resolve({ content: [] });
        });
      }),
  });
  const calls = ["one", "two"].map((name) => ({ tool: "Slow", input: { name } }));
  const harness = await startHarness({ model: scriptedModel({ calls }, { hang: true }, "Again."), tools: [slow] });
  await harness.session.send({ type: "user-said", text: "go" });
  while (harness.session.state.turn.open.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await harness.session.send({ type: "turn-cancelled" });
  await harness.session.settled();
  expect(stopped).toEqual(["one", "two"]);
  const outcomes = items(harness.session.state.transcript).flatMap((entry) =>
    entry.kind === "result" ? [entry.outcome.kind] : [],
  );
  expect(outcomes).toEqual(["cancelled", "cancelled"]);
  await harness.session.send({ type: "user-said", text: "think" });
  await harness.session.send({ type: "turn-cancelled" });
  await harness.say("once more");
  expect(items(harness.session.state.transcript).at(-1)).toMatchObject({
    kind: "assistant",
    content: [{ text: "Again." }],
  });
  expect(replay(freshSession(), harness.log)).toEqual(harness.session.state);
});

test("readers of one turn run side by side; a writer waits for them", async () => {
  const running: string[] = [];
  const most = { readers: 0 };
  const reader = defineTool<Record<string, never>>({
    name: "Peek",
    claims: ["read"],
    input: z.looseObject({}) as never,
    claim: () => ({ access: { kind: "read", paths: [] }, subjects: [{ rule: "Peek" }] }),
    run: async () => {
      running.push("reader");
      most.readers = Math.max(most.readers, running.length);
      await until("three are running", () => most.readers === 3);
      running.pop();
      return { content: [{ type: "text", text: "seen" }] };
    },
  });
  const write = { tool: "Write", input: { file_path: "/repo/new.ts", content: "x" } };
  const calls = [{ tool: "Peek" }, { tool: "Peek" }, { tool: "Peek" }, write, { tool: "Peek" }];
  const harness = await startHarness({
    model: scriptedModel({ calls }, "Done."),
    tools: [reader],
    mode: "acceptEdits",
  });
  await harness.say("go");
  expect(most.readers).toBe(3);
  const order = items(harness.session.state.transcript).flatMap((entry) =>
    entry.kind === "result" ? [entry.tool] : [],
  );
  expect(order).toEqual(["Peek", "Peek", "Peek", "Write", "Peek"]);
});

test("R17.2 R1.4 always allow adds the rule that was shown, and a mode change is written nowhere", async () => {
  const saved: string[] = [];
  const write = { tool: "Write", input: { file_path: "/repo/a.ts", content: "x" } };
  const person = scriptedPerson({ permit: () => true });
  const remembering = {
    ...person,
    permit: async (...args: Parameters<typeof person.permit>) => ({
      ...(await person.permit(...args))!,
      remember: ["Edit(*.ts)"],
    }),
  };
  const harness = await startHarness({
    model: scriptedModel(write, { tool: "Write", input: { file_path: "/repo/b.ts", content: "y" } }, "Done."),
    person: remembering,
    saveRule: async (rule) => void saved.push(rule),
  });
  await harness.say("write both");
  expect(person.asked).toHaveLength(1);
  expect(saved).toEqual(["Edit(*.ts)"]);
  await harness.session.send({ type: "mode-chosen", mode: "acceptEdits" });
  expect(saved).toEqual(["Edit(*.ts)"]);
});

test("B1.3 an unproven command without a cage is one exact question; with one it runs there", async () => {
  const run = { tool: "Bash", input: { command: "make" } };
  const asked = await startHarness({
    model: scriptedModel(run, run, "Done."),
    mode: "plan",
    person: scriptedPerson({ permit: () => true }),
  });
  await asked.say("build");
  expect(asked.ran).toEqual(["make", "make"]);
  expect(asked.log.filter(({ type }) => type === "permission-answered")).toHaveLength(2);
  const alone = await startHarness({ model: scriptedModel(run, "Done."), mode: "plan" });
  await alone.say("build");
  expect(alone.ran).toEqual([]);
  const caged = await startHarness({ model: scriptedModel(run, "Done."), mode: "plan", sandboxed: true });
  await caged.say("build");
  expect(caged.ran).toEqual(["make"]);
  expect(caged.log.some(({ type }) => type === "permission-answered")).toBe(false);
});

test("a log that cannot be written stops the session before anything is done", async () => {
  const model = scriptedModel({ tool: "Write", input: { file_path: "/repo/a.ts", content: "x" } }, "Done.");
  const harness = await startHarness({
    model,
    mode: "acceptEdits",
    appendFails: (event) => event.type === "model-replied",
  });
  const heard: string[] = [];
  harness.session.subscribe((happening) => heard.push(happening.kind));
  await harness.say("write");
  expect(heard).toContain("halted");
  expect(harness.files.contents.has("/repo/a.ts")).toBe(false);
});
