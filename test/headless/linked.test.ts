/** An approved plan with fresh context, headless: the work goes on in a linked session of its own. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeLog } from "../../src/core/wire/log-format.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession } from "../../src/core/session.ts";
import { openStage, planFileIn } from "./program.ts";

const plan = "# Change a\n\n1. Change `a.ts`\n";
const question = {
  question: "Which number?",
  header: "Number",
  options: [
    { label: "2", description: "two" },
    { label: "3", description: "three" },
  ],
  multiSelect: false,
};

test("B6.4 B3.4 R14.7 a plan approved with fresh context is carried out in a linked session; files read while planning need no second read", async () => {
  const stage = await openStage({
    script: (request, turn) => {
      const body = JSON.stringify(request.body);
      if (turn === 1) return { calls: [{ tool: "Read", input: { file_path: "a.ts" } }] };
      if (turn === 2) return { calls: [{ tool: "AskUserQuestion", input: { questions: [question] } }] };
      if (turn === 3) {
        return {
          calls: [
            { tool: "Write", input: { file_path: planFileIn(body), content: plan } },
            { tool: "ExitPlanMode", input: {} },
          ],
        };
      }
      if (turn === 4) {
        return { calls: [{ tool: "Edit", input: { file_path: "a.ts", old_string: "1", new_string: "2" } }] };
      }
      return { text: "Carried out." };
    },
  });
  const streaming = ["--output-format", "stream-json", "--input-format", "stream-json"];
  const child = stage.start(["-p", ...streaming, "--permission-mode", "plan"]);
  const events: Record<string, unknown>[] = [];
  let rest = "";
  const say = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const event of lines.map((line) => JSON.parse(line) as Record<string, unknown>)) {
      events.push(event);
      const { type, id, hash } = event;
      if (type === "question.requested") say({ type: "question", id, answers: { "Which number?": "2" } });
      if (type === "plan.submitted") {
        say({ type: "verdict", id, hash, kind: "approve", mode: "acceptEdits", fresh: true, feedback: "Mind b." });
      }
      if (type === "message" && event["text"] === "Carried out.") child.stdin.end();
    }
  });
  say({ type: "user", text: "change a" });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code).toBe(0);
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe("export const a = 2;\n");

  const result = events.at(-1)!;
  const link = events.find(({ type }) => type === "session.linked")!;
  expect(result).toMatchObject({ type: "result", status: "done", sessionId: link["to"], mode: "acceptEdits" });
  const folder = join(stage.home, "sessions", readdirSync(join(stage.home, "sessions"))[0]!);
  const stateOf = (id: unknown) => {
    const { entries } = decodeLog(readFileSync(join(folder, `${String(id)}.jsonl`), "utf8"));
    return replay(
      freshSession(),
      entries.map(({ event }) => event),
    );
  };
  expect(stateOf(link["sessionId"]).links).toEqual({ from: null, to: link["to"], due: null });
  expect(stateOf(link["to"]).links).toEqual({ from: link["sessionId"], to: null, due: null });
  const first = JSON.stringify(stage.server.requests[3]!.body["messages"]);
  expect(first).toContain("## Approved Plan:");
  expect(first).toContain("Which number? 2");
  expect(first).toContain("Mind b.");
  expect(first).not.toContain("change a");
});
