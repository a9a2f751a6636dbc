/** The modes as a person goes through them on the real program. */
import { afterEach, expect, test } from "vitest";
import { keys, setTerminalStage, type TerminalStage } from "./stage.ts";

const stages: TerminalStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

test("R2.2 R2.6 shift+tab goes from default to accept edits, to plan and back to default; what is said meanwhile is asked in that mode", async () => {
  const stage = await setTerminalStage({ script: ({ turn }) => ({ text: `Turn ${turn}.` }) });
  stages.push(stage);
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
  stages.push(stage);
  const terminal = await stage.open();
  await terminal.until("❯");
  terminal.type(`${keys.shiftTab}${keys.shiftTab}`);
  terminal.type(`look${keys.enter}`);
  await terminal.until("Heard.");
  await terminal.until("plan mode on");
  expect(JSON.stringify(stage.stage.server.requests[0]!.body)).toMatch(/\/plans\/[^"\s]+\.md/);
});
