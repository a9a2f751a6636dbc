/** After the approval: the page follows the work, and says how it compared with the plan. */
import { describe, expect, test } from "vitest";
import { openTab, useChromium } from "./chromium.ts";
import { issuesOf } from "./axe.ts";
import { firstPlan } from "./plans.ts";
import { useStages } from "./stage.ts";
import { until } from "../support/until.ts";
import { needs } from "../support/needs.ts";

describe("after the approval", needs("chromium"), () => {
  const browser = useChromium();
  const stage = useStages();

  test("B5.3 B6.3 steps are ticked off, planned files turn green, and the result of the checks stands below them", async () => {
    const plan = firstPlan.replace("- [ ] Round half up", "- [ ] Round half up in `src/new.ts`");
    const { link, harness } = await stage([plan]);
    const { page, complaints } = await openTab(browser(), await link());
    await page.getByText("2 steps · 2 files, 1 new · 1 min").waitFor();
    await until(
      "it can be answered",
      async () => (await page.locator("#answer").getAttribute("aria-disabled")) === "false",
    );
    await page.keyboard.press("Control+Enter");
    await page.getByText("You approved the plan.").waitFor();
    const files = page.locator(".side .files li");
    const steps = page.locator(".side .progress li");
    await expect.poll(() => files.allTextContents()).toEqual(["src/a.ts to do", "src/new.ts to do"]);
    await expect
      .poll(() => steps.allTextContents())
      .toEqual(["to do: Round half up in src/new.ts", "done: Read the code"]);

    const { session } = harness;
    const todo = (status: "in_progress" | "completed") =>
      session.send({
        type: "todos-written",
        todos: session.state.todos.with(0, { ...session.state.todos[0]!, status }),
      });
    harness.files.contents.set("/repo/src/new.ts", "export {};\n");
    await todo("in_progress");
    await page.locator(".side .progress .in_progress").waitFor();
    await page.locator(".side .files .written").getByText("src/new.ts").waitFor();
    expect(await page.getByText("Changed since").count()).toBe(0);
    await todo("completed");
    await page.getByText("Steps, 2 of 2 done").waitFor();

    const [record] = session.state.plans;
    const verified = { type: "plan-verified", plan: record!.id, hash: record!.decisions.at(-1)!.hash } as const;
    await session.send({ ...verified, passed: false, found: ["npm test failed (exit 1)."], at: 2 });
    await page.getByText("✗ Not as planned yet").waitFor();
    await page.getByText("npm test failed (exit 1).").waitFor();
    expect(await issuesOf(page)).toEqual([]);
    await session.send({ ...verified, passed: true, at: 3 });
    await page.getByText("✓ Every check passed").waitFor();
    expect(await page.getByText("npm test failed").count()).toBe(0);
    await page.locator(".top .status").getByText("done").waitFor();
    expect(complaints).toEqual([]);
  });
});
