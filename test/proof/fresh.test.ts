/** A plan that was approved with fresh context: the approval is in one session, the work in another (B16.1). */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openStage, planFileIn } from "../headless/program.ts";
import { parsed } from "./proof-stage.ts";

const plan = "# Change a\n\n- [ ] Change `a.ts`\n  Verify: `grep -q 2 a.ts`\n- [ ] Look again\n";

test("B16.1 the receipt has the approval of the one session and the steps of the other; --fix goes to the other", async () => {
  let given = "";
  const stage = await openStage({
    script: (request, turn) => {
      const body = JSON.stringify(request.body);
      const todos = ["Change `a.ts`", "Look again"].map((content) => ({ content, status: "completed" }));
      if (turn === 1) {
        const write = { tool: "Write", input: { file_path: planFileIn(body), content: plan } };
        return { calls: [write, { tool: "ExitPlanMode", input: {} }] };
      }
      if (turn === 2) return { calls: [{ tool: "Read", input: { file_path: "a.ts" } }] };
      if (turn === 3)
        return { calls: [{ tool: "Edit", input: { file_path: "a.ts", old_string: "1", new_string: "2" } }] };
      if (turn === 4) return { calls: [{ tool: "TodoWrite", input: { todos } }] };
      if (turn > 5) given = body;
      return { text: "Carried out." };
    },
  });
  const streaming = ["--output-format", "stream-json", "--input-format", "stream-json"];
  const child = stage.start(["-p", ...streaming, "--permission-mode", "plan"]);
  const say = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`);
  let rest = "";
  let result = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const { type, id, hash, text: words, sessionId } = JSON.parse(line) as Record<string, string>;
      if (type === "plan.submitted")
        say({ type: "verdict", id, hash, kind: "approve", mode: "acceptEdits", fresh: true });
      if (type === "message" && words === "Carried out.") child.stdin.end();
      if (type === "result") result = sessionId!;
    }
  });
  say({ type: "user", text: "change a" });
  await new Promise((resolve) => child.on("close", resolve));

  const { stdout, stderr } = await stage.run(["receipt"]);
  expect(stderr).not.toContain("not all of the plan holds");
  const receipt = parsed(stdout);
  expect(receipt).toMatchObject({
    approval: { by: { surface: "stream-json" } },
    task: "change a",
    plan: { text: plan },
    steps: [
      { title: "Change `a.ts`", done: true, checks: [{ passed: true }] },
      { title: "Look again", done: true },
    ],
    work: { files: [{ path: "a.ts" }] },
  });
  expect(receipt.log.session).not.toBe(result);

  writeFileSync(`${stage.repository}/b.ts`, "more\n");
  const fix = await stage.run(["verify", "--fix"]);
  expect([fix.code, fix.stderr]).toEqual([1, expect.stringContaining(`given back to session ${result}`)]);
  expect(given).toContain("b.ts was changed, and the plan does not name it.");
});
