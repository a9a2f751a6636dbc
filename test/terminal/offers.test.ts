/** R11.3: an approval that is open when auto mode goes is offered anew, on the screen and by lines, for the session's plan and an agent's. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { keys, press, setTerminalStage, type TerminalStageOptions } from "./stage.ts";

/** Writes a plan and submits it: by an agent where the task says so. */
function planning(): TerminalStageOptions["script"] {
  const steps = { main: 0, planner: 0 };
  return ({ body, planFile }) => {
    const isAgent = !body.includes('"name":"Agent"');
    if (!isAgent && body.includes("by an agent")) {
      const input = { description: "round", prompt: "round", subagent_type: "general-purpose", mode: "plan" };
      return (steps.main += 1) === 1 ? { calls: [{ tool: "Agent", input }] } : { text: "All done." };
    }
    steps.planner += 1;
    if (steps.planner === 1)
      return { calls: [{ tool: "Write", input: { file_path: planFile(), content: "# Round\n\n1. Round\n" } }] };
    return steps.planner === 2 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "All done." };
  };
}

test.each([
  {
    name: "an agent's plan on the screen",
    task: "round by an agent",
    isPlain: false,
    asks: "Approve the plan of agent",
  },
  { name: "a plan by lines", task: "/plan round", isPlain: true, asks: "Plan for your approval" },
  { name: "an agent's plan by lines", task: "round by an agent", isPlain: true, asks: "Plan of agent" },
])("R11.3 auto mode that is switched off meanwhile is offered no more: $name", async ({ task, isPlain, asks }) => {
  const settings = { autoMode: { enabled: true }, sandbox: "off" };
  const stage = await setTerminalStage({ script: planning(), settings });
  const environment = isPlain ? { TERM: "dumb" } : {};
  const terminal = await stage.open(["--permission-mode", "auto"], { environment, rows: 60 });
  await terminal.until("auto mode on");
  terminal.type(`${task}${isPlain ? "\n" : keys.enter}`);
  await terminal.until(asks);
  await terminal.until(/Approve, .*auto/);
  if (isPlain) await terminal.until("Your choice:");
  const file = join(stage.stage.home, "settings.json");
  writeFileSync(`${file}.new`, JSON.stringify({ sandbox: "off" }));
  renameSync(`${file}.new`, file);
  const changed = "The modes to choose from changed.";
  await terminal.until((screen) => {
    const shown = isPlain ? screen.slice(screen.indexOf(changed)) : screen;
    return screen.includes(changed) && /\bNo, keep planning/.test(shown) && !/Approve, .*auto/.test(shown);
  });
  await press(terminal, isPlain ? "1\n" : "1", (screen) => screen.includes("All done."));
});
