/** Approved bytes of a client that reads its plan from a file. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gemini } from "../../src/clients/gemini.ts";
import { approvedName } from "../../src/clients/gemini-marks.ts";
import { layDown } from "../../src/clients/hook/approved-file.ts";
import { opencode } from "../../src/clients/opencode.ts";
import { realFolder } from "../support/folder.ts";

describe("B11.5 what was approved lies where the client reads it", () => {
  test("exactly those bytes, in the file that Gemini is told and in the agent's own", async () => {
    const folder = realFolder();
    const planFile = join(folder, "plan.md");
    const plan = "# Plan\r\n\nEdited, ä.\n\n";
    writeFileSync(planFile, "# Plan\n");
    expect(await layDown(plan, planFile, gemini)).toBeNull();
    const { stdout } = gemini.say(
      "BeforeTool",
      { kind: "approve", plan, mode: null, notes: null },
      { tool_name: "exit_plan_mode" },
    );
    const told = (JSON.parse(stdout) as { hookSpecificOutput: { tool_input: { plan_filename: string } } })
      .hookSpecificOutput.tool_input.plan_filename;
    expect(told).toBe(approvedName(plan));
    expect(readFileSync(join(folder, told), "utf8")).toBe(plan);
    expect(readFileSync(planFile, "utf8")).toBe(plan);
    expect(readdirSync(folder).toSorted()).toEqual([told, "plan.md"]);
  });

  test("where it cannot be written nothing is approved", async () => {
    const folder = realFolder();
    mkdirSync(join(folder, approvedName("x")));
    expect(await layDown("x", join(folder, "plan.md"), gemini)).toMatch(/could not be written/);
    expect(await layDown("x", join(folder, "gone/plan.md"), gemini)).toMatch(/could not be written/);
    expect(await layDown("x", null, gemini)).toMatch(/not known/);
  });

  test("opencode needs no file", async () => {
    expect(await layDown("x", null, opencode)).toBeNull();
  });
});
