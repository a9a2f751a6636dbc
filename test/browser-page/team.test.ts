/** A lead's page: the plans of two teammates one after the other, and what is said of one is said of that one alone. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { untilAborted } from "../../src/agent/answers/ask-surface.ts";
import { everyone, nobody } from "../../src/agent/answers/persons.ts";
import type { Person } from "../../src/agent/ports/ports.ts";
import { browserReview } from "../../src/faces/browser/desks/review.ts";
import { attachLead } from "../../src/program/team/lead.ts";
import { memoryFiles, scriptedModel, startHarness, type ScriptedStep } from "../../src/testing/index.ts";
import { linkOf } from "../browser/stage.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { needs } from "../support/needs.ts";
import { remove } from "../support/remove.ts";
import { until } from "../support/until.ts";
import { homeFolder, tellStory } from "../team/story.ts";
import { openTab, useChromium } from "./chromium.ts";

describe("a lead's review page", needs("chromium"), () => {
  const browser = useChromium();

  test("B2.6 B3.2 two teammates through one page: words belong to one plan, and the next one comes by itself", async () => {
    const mailHome = homeFolder();
    const [bo, cy] = [
      await tellStory({ name: "bo", home: mailHome, steps: submitting("# The plan of Bo\n\n- one\n") }),
      await tellStory({ name: "cy", home: mailHome, steps: submitting("# The plan of Cy\n\n- two\n") }),
    ];
    const home = mkdtempSync(join(tmpdir(), "groundplan-lead-"));
    const files = memoryFiles({ "/repo/README.md": "# Repo\n" });
    const review = browserReview({ home, files, user: "ada", tell: () => undefined, say: async () => true });
    const { session } = await startHarness({
      model: scriptedModel(),
      files,
      person: review.person,
      listen: review.listen,
    });
    const terminal: Person = { ...nobody(), review: (_request, signal) => untilAborted(signal) };
    const lead = attachLead({
      mailbox: bo.mailbox,
      team: "default",
      person: everyone(terminal, review.person),
      session,
      now: Date.now,
      tell: () => undefined,
      everyMs: 20,
    });
    onTestFinished(async () => {
      await lead.close();
      session.close();
      await review.close();
      bo.vanish();
      cy.vanish();
      remove(home);
    });
    await bo.harness.session.send({ type: "user-said", text: "plan it" });
    const { page, complaints } = await openTab(browser(), await linkOf(review));
    await page.getByRole("heading", { name: "The plan of Bo" }).waitFor();
    await cy.harness.session.send({ type: "user-said", text: "plan it" });
    await cy.incoming();
    const message = page.getByRole("textbox", { name: "Notes or feedback" });
    await message.fill("Only for Bo.");
    await until("it can be answered", () => page.getByRole("button", { name: "Send back" }).isEnabled());
    await page.getByRole("button", { name: "Send back" }).click();

    await page.getByRole("heading", { name: "The plan of Cy" }).waitFor();
    await page.locator(".top").getByText("by cy@default").waitFor();
    expect(await message.inputValue()).toBe("");
    expect(await page.getByText("The plan of Bo").count()).toBe(0);
    await until("Bo heard it", () => JSON.stringify(bo.harness.session.state.transcript).includes("Only for Bo."));

    await message.fill("For Cy.");
    await until("it can be answered", () => page.getByRole("button", { name: "Send back" }).isEnabled());
    await page.locator("#answer").click();
    await until("Cy heard it", () => JSON.stringify(cy.harness.session.state.transcript).includes("For Cy."));
    expect(JSON.stringify(cy.harness.session.state.transcript)).not.toContain("Only for Bo.");
    expect(cy.harness.session.state.plan.approved?.text).toBe("# The plan of Cy\n\n- two\n");
    await page.getByText("You approved the plan.").waitFor();
    await page.getByRole("heading", { name: "The plan of Cy" }).waitFor();
    expect(complaints).toEqual([]);
  });
});

function submitting(plan: string): readonly ScriptedStep[] {
  return [writePlan(plan), { text: "", calls: [{ tool: "ExitPlanMode" }] }, "Waiting.", "Heard.", "Heard again."];
}
