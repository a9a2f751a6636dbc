/** The terminal while a plan is carried out: how far it is, what leaves it, and `/verify` (B16.3). */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesBelow } from "../support/walk.ts";
import { keys, press, setTerminalStage } from "./stage.ts";

const plan = "# Round the totals\n\n- [ ] Round in `cart.js`\n  Verify: `grep -q round cart.js`\n- [ ] Look again\n";

const write = (file_path: string, content: string) => ({ calls: [{ tool: "Write", input: { file_path, content } }] });

test("B16.3 the status line tells steps and edits outside of the plan; /verify gives what it finds to the model", async () => {
  const bodies: string[] = [];
  const stage = await setTerminalStage({
    files: { "cart.js": "export const total = 1.5;\n" },
    script: ({ turn, body, planFile }) => {
      bodies.push(body);
      const todos = ["completed", "pending"].map((status, at) => ({
        content: ["Round in `cart.js`", "Look again"][at],
        status,
      }));
      if (turn === 1) return write(planFile(), plan);
      if (turn === 2) return { calls: [{ tool: "ExitPlanMode", input: {} }] };
      if (turn === 3) return write("other.js", "export {};\n");
      if (turn === 4) return { calls: [{ tool: "TodoWrite", input: { todos } }] };
      if (turn === 6) return { calls: [{ tool: "Read", input: { file_path: "cart.js" } }] };
      if (turn === 7) return write("cart.js", "export const total = Math.round(1.5);\n");
      return { text: turn === 5 ? "All done." : "Put right." };
    },
  });
  const terminal = await stage.open(["--permission-mode", "acceptEdits"]);
  await terminal.until("claude");
  terminal.type(`/verify${keys.enter}`);
  await terminal.until("No approved plan is being carried out here");
  terminal.type(`/plan round${keys.enter}`);
  await terminal.until("Approve this plan?");
  await press(terminal, "2", (screen) => !screen.includes("Approve this plan?"));
  const worked = await terminal.until((screen) => screen.includes("All done.") && screen.includes("1/2 steps"));
  expect(worked).toContain("accept edits on (shift+tab to cycle) · 1/2 steps · 1 outside of the plan");
  expect(bodies[3]).toContain("You edited what the approved plan does not name: ");
  expect(bodies[3]).toContain(join(stage.stage.repository, "other.js"));
  terminal.type(`/verify${keys.enter}`);
  await terminal.until("Put right.");
  expect(terminal.everything()).toMatch(/breaks the plan: checks that failed:\s+grep -q round cart\.js failed/);
  expect(terminal.everything()).toContain("Given to the model.");
  expect(bodies[5]).toContain("The finished work was checked against the approved plan");
  expect(bodies[5]).toContain("not done:\\n- cart.js is named in the plan, and was not changed.");
  expect(readFileSync(join(stage.stage.repository, "cart.js"), "utf8")).toContain("round");
  terminal.type(`/exit${keys.enter}`);
  expect(await terminal.exited).toBe(0);
});

test("B1.15 B16.3 /verify in a session whose log was changed by something else says so: no approval in it counts", async () => {
  const stage = await setTerminalStage({
    files: { "cart.js": "export const total = 1.5;\n" },
    script: ({ turn, planFile }) => {
      if (turn === 1) return write(planFile(), plan);
      return turn === 2 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "All done." };
    },
  });
  const terminal = await stage.open(["--permission-mode", "plan", "round"], { columns: 160 });
  await terminal.until("Approve this plan?");
  await press(terminal, "2", (screen) => !screen.includes("Approve this plan?"));
  await terminal.until("All done.");
  terminal.type(`/exit${keys.enter}`);
  expect(await terminal.exited).toBe(0);
  const sessions = join(stage.stage.home, "sessions");
  const log = filesBelow(sessions).find((name) => name.endsWith(".jsonl"));
  const path = join(sessions, log!);
  writeFileSync(path, readFileSync(path, "utf8").replace('"text":"round"', '"text":"sound"'));
  const again = await stage.open(["--continue"], { columns: 160 });
  await again.until("resumed in plan mode");
  again.type(`/verify${keys.enter}`);
  await again.until("no approval in it counts");
  await again.until("does not bear its seal");
  await again.until("Have the plan approved again");
  await press(again, keys.shiftTab, (screen) => !screen.includes("plan mode on"));
  again.type(`/verify${keys.enter}`);
  await again.until((screen) => screen.split("no approval in it counts").length === 3);
  again.type(`/exit${keys.enter}`);
  expect(await again.exited).toBe(0);
});
