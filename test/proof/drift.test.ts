/** Drift while a plan is carried out: in the result of a headless run, and in the model's ear (B16.3). */
import { join } from "node:path";
import { onTestFinished, expect, test } from "vitest";
import { libraryStage } from "../library/stage.ts";

const write = (file_path: string) => ({ calls: [{ tool: "Write", input: { file_path, content: "new\n" } }] });

test("B16.3 a headless run tells steps done of all and edits outside of the plan, and the model hears of these", async () => {
  const stage = await libraryStage();
  onTestFinished(() => stage.close());
  const first = await stage.submit("# Two\n\n- [ ] Make `new.ts`\n- [x] Look around\n");
  expect(first).not.toHaveProperty("progress");
  const sent = stage.server.requests.length;
  const { result } = await stage.approve(first, [write("new.ts"), write("one.ts"), write("two.ts"), write("three.ts")]);
  expect(result).toMatchObject({ progress: { done: 1, steps: 2, outside: ["one.ts", "two.ts", "three.ts"] } });
  const words = "You edited what the approved plan does not name: ";
  const heard = stage.server.requests.slice(sent).map(({ body }) => JSON.stringify(body).split(words).length - 1);
  expect(heard).toEqual([0, 0, 1, 2, 2]);
  const last = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect(last).toContain(`${words}${join(stage.repository, "two.ts")}. Keep to the plan`);
});
