import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { freshSession, type Session } from "../../core/session.ts";
import { scriptedModel, startHarness } from "../../testing/index.ts";
import { createTodoStore, todoFileName } from "./todo-store.ts";

const session: Session = {
  ...freshSession(),
  id: "s1",
  todos: [{ content: "one", status: "in_progress", activeForm: "doing one" }],
};

async function storeIn() {
  const problems: string[] = [];
  const folder = join(realFolder("-todos"), "todos");
  return { folder, problems, store: createTodoStore({ folder, report: (problem) => problems.push(problem) }) };
}

test("R13.1 R14.7 todos are kept per session and agent, for their owner alone, and read back", async () => {
  const { folder, store } = await storeIn();
  expect(await store.load(session)).toBe(null);
  await store.save(session);
  expect(await store.load(session)).toEqual(session.todos);
  expect(await readdir(folder)).toEqual(["s1-agent-s1.json"]);
  expect((await stat(join(folder, "s1-agent-s1.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const actor = { kind: "subagent", id: "a7", ownPlan: false, parent: "plan" } as const;
  expect(todoFileName({ id: "s1", actor })).toBe("s1-agent-a7.json");
  expect(() => todoFileName({ id: "s1", actor: { ...actor, id: "../x" } })).toThrow("cannot name a file");
});

test.each(["", "{", "{}", '[{"content":1,"status":"pending"}]', '[{"content":"a","status":"odd"}]'])(
  "R13.1 a bad file (%j) is an empty list, and is reported",
  async (text) => {
    const { folder, store, problems } = await storeIn();
    await store.save(session);
    await writeFile(join(folder, "s1-agent-s1.json"), text);
    expect(await store.load(session)).toEqual([]);
    expect(problems).toHaveLength(1);
  },
);

test("R13.1 R13.2 R13.3 TodoWrite in plan mode reaches the disk, leaving plan mode keeps it, a compaction gives it again from there", async () => {
  const { folder, store } = await storeIn();
  const todos = [{ content: "one", status: "pending" }];
  const model = scriptedModel({ tool: "TodoWrite", input: { todos } }, "Noted.", "The summary.", "On it.");
  const { session: handle, say } = await startHarness({ model, mode: "plan", todos: store });
  await say("note it");
  await handle.send({ type: "plan-left" });
  const file = join(folder, "session-agent-session.json");
  const kept = async () => JSON.parse(await readFile(file, "utf8")) as unknown;
  await expect.poll(kept).toEqual(todos);
  expect(handle.state.todos).toEqual(todos);
  await writeFile(file, JSON.stringify([{ content: "one, said better", status: "pending" }]));
  await handle.compact();
  await handle.settled();
  await say("go on");
  expect(JSON.stringify(model.requests.at(-1)!.messages)).toContain("- [ ] one, said better");
});
