/** Plan mode through the whole stack, in a real repository: nothing changes, whatever a model tries and whatever rules say. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { denied, enforced, files, unproven } from "./attempts.ts";
import { planFileIn, setStage, treeHashes } from "./program.ts";

describe.each(Object.entries(enforced))("with %s", (name, options) => {
  test("B1.1 B1.2 R5.1 B1.8 R11.4 no file but the plan changes, and each call has a typed denial", async () => {
    const stage = await setStage({
      script: (request, turn): ScriptedTurn => {
        if (turn === 1) return { calls: denied };
        if (turn === 2) return { calls: unproven };
        if (turn === 3)
          return {
            calls: [
              { tool: "Write", input: { file_path: planFileIn(JSON.stringify(request.body)), content: "# Plan" } },
            ],
          };
        return turn === 4 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "never reached" };
      },
      files,
    });
    try {
      symlinkSync("a.ts", join(stage.repository, "link-to-a.ts"));
      symlinkSync(join(stage.home, "plans"), join(stage.repository, "plans-link"));
      const before = treeHashes(stage.repository);
      const run = await stage.run([
        "-p",
        "change it",
        "--permission-mode",
        "plan",
        "--output-format",
        "json",
        ...options,
      ]);
      expect(treeHashes(stage.repository)).toEqual(before);
      const result = JSON.parse(run.stdout);
      expect(run.code).toBe(3);
      expect(result).toMatchObject({ status: "plan_ready", mode: "plan", changed: [], plan: { text: "# Plan" } });
      const codes = result.denials.map(({ tool, code }: { tool: string; code: string }) => `${tool} ${code}`);
      expect(codes.slice(0, denied.length)).toEqual(denied.map(expectedCode));
      const uncaged = name.endsWith("no sandbox") ? unproven.length : null;
      if (uncaged !== null) expect(result.denials).toHaveLength(denied.length + uncaged);
    } finally {
      await stage.close();
    }
  });
});

test("B1.9 a mode change by the driving program in the middle of a turn applies to every call that has not begun", async () => {
  const stage = await setStage({
    script: (_, turn) =>
      turn === 1
        ? { calls: [1, 2, 3].map((part) => ({ tool: "Write", input: { file_path: `new-${part}.ts`, content: "x" } })) }
        : { text: "Ok." },
    files,
  });
  try {
    const child = stage.start(["-p", "--output-format", "stream-json", "--input-format", "stream-json"]);
    let asked = 0;
    let rest = "";
    const say = (line: object) => child.stdin.write(`${JSON.stringify(line)}\n`);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const event = JSON.parse(line);
        if (event.type === "permission.requested" && (asked += 1) === 1) {
          say({ type: "permission", id: event.id, allow: true });
        } else if (event.type === "permission.requested") {
          say({ type: "mode", mode: "plan" });
          say({ type: "permission", id: event.id, allow: true });
        }
        if (event.type === "message" && event.text === "Ok.") child.stdin.end();
      }
    });
    say({ type: "user", text: "write" });
    await new Promise((resolve) => child.on("close", resolve));
    expect(Object.keys(treeHashes(stage.repository)).filter((path) => path.startsWith("new-"))).toEqual(["new-1.ts"]);
  } finally {
    await stage.close();
  }
});

function expectedCode({ tool }: (typeof denied)[number]): string {
  if (tool === "Bash") return `${tool} plan-command-writes`;
  if (tool === "EnterPlanMode" || tool === "ReadOnlyHelper" || tool.startsWith("mcp__")) return `${tool} invalid`;
  return `${tool} plan-write`;
}
