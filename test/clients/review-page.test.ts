/** Another agent's plan on the page in a real browser: who asks, what is offered, the answer, and an answer that was given elsewhere (B11.5). */
import { describe, expect, test } from "vitest";
import { openTab, useChromium } from "../browser-page/chromium.ts";
import { until } from "../support/until.ts";
import { needs } from "../support/needs.ts";
import { reviewStage } from "./review-stage.ts";

describe("B11.5 the page of another agent's plan in Chromium", needs("chromium"), () => {
  const browser = useChromium();

  test("is read, commented, sent back, edited in its next revision and approved", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan: "# Change a\r\n\r\n- Change `a.ts`\r\n" });
    const { page, complaints } = await openTab(browser(), (await first.link()).link);
    await page.getByText("by Claude Code").waitFor();
    await page.getByRole("heading", { name: "Change a" }).waitFor();
    await page.keyboard.press("a");
    expect(await page.getByRole("radio").count()).toBe(3);
    await page.keyboard.press("Escape");
    await page.getByText("Change a.ts").click();
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: "What should change?" }).fill("Both files, please.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("textbox", { name: "Notes or feedback" }).fill("Nearly.");
    await until("it can be answered", () => page.getByRole("button", { name: "Send back" }).isEnabled());
    await page.getByRole("button", { name: "Send back" }).click();
    const back = await first.answer;
    expect(back).toMatchObject({
      kind: "sent-back",
      feedback: expect.stringContaining("Both files, please.") as string,
    });
    expect(back).toMatchObject({ feedback: expect.stringContaining("Feedback from the user:\nNearly.") as string });
    await page.getByText("You sent the plan back.").waitFor();
    expect(await page.getByRole("textbox", { name: "Notes or feedback" }).count()).toBe(0);

    const second = stage.present({ plan: "# Change a\n\n- Change `a.ts`\n- Change `b.ts`\n" });
    await page.getByText("Revision 2: this is what changed").waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Source of the plan" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("And tests.");
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await until("it can be answered", () => page.getByRole("button", { name: "Send back" }).isEnabled());
    await page.getByRole("button", { name: "Approve, ask before each edit" }).click();
    expect(await second.answer).toEqual({
      kind: "approved",
      plan: "# Change a\n\n- Change `a.ts`\n- Change `b.ts`\nAnd tests.",
      mode: "default",
      notes: null,
      edited: true,
    });
    await page.getByText("You approved the plan. Mode: default.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("says that it was answered in the client, and offers nothing more", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan: "# One\n" });
    const { page } = await openTab(browser(), (await presented.link()).link);
    await page.getByRole("button", { name: "Send back" }).waitFor();
    await stage.tell("approved");
    await page.getByText("(Claude Code) approved the plan").waitFor();
    expect(await page.getByRole("button", { name: "Send back" }).count()).toBe(0);
    expect((await presented.answer).kind).toBe("over");
  });

  test("offers neither an edit nor notes nor a mode where the client cannot carry them", async () => {
    const stage = reviewStage();
    const offer = { modes: [{ ours: "default", theirs: null }], editable: false, notes: false } as const;
    const presented = stage.present({ plan: "# One\n", client: "codex", offer });
    const { page } = await openTab(browser(), (await presented.link()).link);
    await page.getByText("by Codex").waitFor();
    expect(await page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
    await page.keyboard.press("e");
    expect(await page.getByRole("textbox", { name: "Source of the plan" }).count()).toBe(0);
    await page.getByPlaceholder("Feedback with a no", { exact: true }).waitFor();
    await until("it can be answered", () => page.getByRole("button", { name: "Send back" }).isEnabled());
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    expect(await presented.answer).toMatchObject({ kind: "approved", plan: "# One\n" });
    await page.getByText("You approved the plan.", { exact: true }).waitFor();
  });
});
