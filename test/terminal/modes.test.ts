/** The modes as a person goes through them on the real program. */
import { expect, test } from "vitest";
import { keys, setTerminalStage } from "./stage.ts";

test("R2.2 R2.6 shift+tab goes from default to accept edits, to plan and back to default; what is said meanwhile is asked in that mode", async () => {
  const stage = await setTerminalStage({ script: ({ turn }) => ({ text: `Turn ${turn}.` }) });
  const terminal = await stage.open();
  await terminal.until("shift+tab for the modes");
  terminal.type(keys.shiftTab);
  await terminal.until("accept edits on");
  terminal.type(keys.shiftTab);
  await terminal.until("plan mode on");
  terminal.type(`look${keys.enter}`);
  await terminal.until("Turn 1.");
  expect(JSON.stringify(stage.stage.server.requests[0]!.body)).toMatch(/\/plans\/[^"\s]+\.md/);
  terminal.type(keys.shiftTab);
  await terminal.until("shift+tab for the modes");
  terminal.type(`work${keys.enter}`);
  await terminal.until("Turn 2.");
  expect(terminal.screen()).not.toContain("plan mode on");
});

test("R2.2 keys that are pressed at the first frame, before there is a session, count once it is there", async () => {
  const stage = await setTerminalStage({ script: () => ({ text: "Heard." }) });
  const terminal = await stage.open();
  await terminal.until("❯");
  terminal.type(`${keys.shiftTab}${keys.shiftTab}`);
  terminal.type(`look${keys.enter}`);
  await terminal.until("Heard.");
  await terminal.until("plan mode on");
  expect(JSON.stringify(stage.stage.server.requests[0]!.body)).toMatch(/\/plans\/[^"\s]+\.md/);
});

test.each([
  ["is offered while auto mode can be had", 0],
  ["is not offered after its breaker tripped", 3],
])("R7.6 R11.1 approving into auto mode %s", async (_, denials) => {
  const make = { tool: "Bash", input: { command: "make all" } };
  const turns = { main: 0 };
  const stage = await setTerminalStage({
    settings: { autoMode: { enabled: true } },
    script({ body, planFile }) {
      if (body.includes("You judge one tool call"))
        return { text: '{"verdict":"deny","reason":"not part of the task"}' };
      turns.main += 1;
      if (turns.main <= denials) return { calls: [make] };
      if (turns.main === denials + 1) return { text: "That was the build." };
      if (turns.main === denials + 2)
        return { calls: [{ tool: "Write", input: { file_path: planFile(), content: "# Build\n\n1. Build it\n" } }] };
      return { calls: [{ tool: "ExitPlanMode", input: {} }] };
    },
  });
  const terminal = await stage.open(["--permission-mode", "auto"]);
  await terminal.until("auto mode on");
  terminal.type(`build${keys.enter}`);
  await terminal.until("That was the build.");
  terminal.type(`/plan build it${keys.enter}`);
  const dialog = await terminal.until(/Approve this plan\?[^]*enter answer/);
  expect(dialog).toContain("1. Approve");
  expect(/^.*\d\. Approve.*auto\b.*$/m.test(dialog)).toBe(denials === 0);
});
