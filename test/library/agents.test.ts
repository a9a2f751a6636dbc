/** Plans of agents and of sessions that are removed: what the library says of them. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { PlanEntry } from "../../src/agent/library/entry.ts";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { setStage, type Stage } from "../headless/program.ts";
import { libraryStage } from "./stage.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

test("B5.3 R2.5 the plan of an agent that plans for itself is in the library too, and comes back from its log", async () => {
  const stage = await setStage({
    script: (request, turn): ScriptedTurn => {
      const body = JSON.stringify(request.body);
      const file_path = /\/[^"\s\\]*\/plans\/[\p{L}\p{N}-]+-agent-[\w-]+\.md/u.exec(body)?.[0];
      if (file_path !== undefined && body.includes("the agent plans")) {
        if (body.includes("wrote") || body.includes("Wrote") || turn > 2) return { text: "The agent is done." };
        return { calls: [{ tool: "Write", input: { file_path, content: "# Of an agent\n" } }] };
      }
      if (turn > 1) return { text: "Done." };
      const input = { description: "plan", prompt: "the agent plans", subagent_type: "general-purpose", mode: "plan" };
      return { calls: [{ tool: "Agent", input }] };
    },
  });
  stages.push(stage);
  await stage.run(["-p", "go", "--permission-mode", "acceptEdits", "--output-format", "json"]);
  const list = async (): Promise<PlanEntry[]> =>
    JSON.parse((await stage.run(["plans", "--json"])).stdout) as PlanEntry[];
  const kept = await list();
  expect(kept).toMatchObject([{ title: "Of an agent", status: "draft", project: stage.repository }]);
  expect(kept[0]!.session).toMatch(/-agent-/);
  for (const name of readdirSync(join(stage.home, "plans")).filter((one) => one.startsWith("index"))) {
    rmSync(join(stage.home, "plans", name));
  }
  expect(await list()).toEqual(kept);
});

test("R14.7 B5.3 a session that is removed takes its drafts out of the library when asked, and nothing that was approved", async () => {
  const stage = await libraryStage();
  stages.push(stage);
  const draft = await stage.submit("# Draft\n");
  const approved = await stage.submit("# Approved\n");
  await stage.approve(approved);
  await stage.run(["sessions", "rm", draft.sessionId, "--plans"]);
  await stage.run(["sessions", "rm", approved.sessionId, "--plans"]);
  expect(await stage.json<PlanEntry[]>("plans")).toMatchObject([{ title: "Approved", status: "approved" }]);
  expect(await stage.run(["plans", "export", approved.sessionId])).toEqual({
    code: 0,
    stdout: "# Approved\n",
    stderr: "",
  });
});
