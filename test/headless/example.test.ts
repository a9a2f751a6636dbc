/** The README's CI example, run as it stands. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { planFileIn, program, setStage } from "./program.ts";

const script = fileURLToPath(new URL("../../examples/ci/plan-then-approve.sh", import.meta.url));

test("R7.11 the CI example plans in one step and carries out the approved text in another", async () => {
  const stage = await setStage({
    script: (request, turn) => {
      const file_path = planFileIn(JSON.stringify(request.body));
      if (turn === 1)
        return { calls: [{ tool: "Write", input: { file_path, content: "# Health check\n\n1. Add `health.ts`\n" } }] };
      if (turn === 2)
        return {
          calls: [
            { tool: "Write", input: { file_path: "health.ts", content: "too early" } },
            { tool: "ExitPlanMode", input: {} },
          ],
        };
      if (turn === 3)
        return { calls: [{ tool: "Write", input: { file_path: "health.ts", content: "export const ok = true;\n" } }] };
      return { text: "Added." };
    },
  });
  try {
    const run = (...args: string[]) =>
      promisify(execFile)(script, args, {
        cwd: stage.repository,
        env: {
          PATH: process.env["PATH"],
          GROUNDPLAN_HOME: stage.home,
          GROUNDPLAN: `${process.execPath} ${program}`,
          ...stage.server.environment(),
        },
      });
    const { stdout } = await run("plan", "add a health check");
    expect(stdout).toContain("# Health check");
    expect(stdout).toContain("1 attempt(s) to change something were refused");
    expect(existsSync(join(stage.repository, "health.ts"))).toBe(false);
    const [, session = "", hash = ""] = /session (\S+)\nhash (\S+)/.exec(stdout)!;
    const done = await run("work", session, hash);
    expect(JSON.parse(done.stdout)).toMatchObject({ status: "done", mode: "acceptEdits", result: "Added." });
    expect(readFileSync(join(stage.repository, "health.ts"), "utf8")).toBe("export const ok = true;\n");
  } finally {
    await stage.close();
  }
});
