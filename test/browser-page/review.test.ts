/** The review in a real browser, against the real server: reading, commenting, sending back, comparing, editing, approving. */
import { describe, expect, test } from "vitest";
import { nobody } from "../../src/agent/answers/persons.ts";
import type { Person } from "../../src/agent/ports/ports.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import { openTab, useChromium } from "./chromium.ts";
import { firstPlan, secondPlan } from "./plans.ts";
import { useStages } from "./stage.ts";
import { until } from "../support/until.ts";
import { needs } from "../support/needs.ts";

describe("the review page in Chromium", needs("chromium"), () => {
  const browser = useChromium();
  const stage = useStages();

  test("B3.6 B3.1 B3.2 a plan is read, commented, sent back, seen again with its difference, edited and approved", async () => {
    const { link, harness, heard } = await stage(
      [firstPlan, { says: "Half up is what `a.ts` does today.", plan: secondPlan }],
      { thinksMs: 300 },
    );
    const { page, complaints, asked } = await openTab(browser(), await link());
    await page.getByRole("heading", { name: "Round the discount" }).waitFor();
    expect(
      await page.getByRole("checkbox").evaluateAll((boxes) => boxes.map((box) => "checked" in box && box.checked)),
    ).toEqual([false, true]);
    await page.locator(".hl-keyword", { hasText: "export" }).waitFor();

    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Comment on line 5" }).click();
    await page.getByRole("textbox", { name: "What should change?" }).fill("Half to even, please.");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.getByText("wrong", { exact: true }).dblclick();
    await page.getByRole("button", { name: "Comment on the selection" }).click();
    await page.getByRole("radio", { name: "Question" }).check();
    await page.getByRole("textbox", { name: /What do you want to know/ }).fill("By how much?");
    await page.getByRole("textbox", { name: "Notes or feedback" }).fill("Nearly there.");
    await page.getByText("Goes along: 2 comments").waitFor();
    await page.getByRole("button", { name: "Send back" }).click();

    await page.getByRole("combobox", { name: "From" }).waitFor();
    expect(heard()).toContain("Nearly there.");
    expect(heard()).toContain("Change, line 5:\\n> - [ ] Round half up\\nHalf to even, please.");
    expect(heard()).toMatch(/Question, line 3[^>]*> wrong/);
    await page.getByRole("region", { name: "The model's answer" }).getByText("Half up is what").waitFor();
    const change = page.getByRole("group", { name: "Reworded" });
    await expect.poll(() => change.locator("ins, del").allTextContents()).toEqual(["up", "to even"]);
    await page.getByText("2 comments: 1 changed, 1 answered.").waitFor();
    const heeded = page.getByRole("article", { name: "Change on line 5" });
    await expect.poll(() => heeded.locator(".old-new :is(ins, del)").allTextContents()).toEqual(["up", "to even"]);
    await page.getByRole("button", { name: "Source" }).click();
    await expect.poll(() => page.locator(".source-diff tr.add").count()).toBe(5);

    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.getByRole("region", { name: "The model's answer" }).getByText("Half up is what").waitFor();
    const question = page.getByRole("article", { name: "Question on line 3" });
    await question.getByRole("button", { name: "Settle" }).click();
    await question.getByText("settled").waitFor();

    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Source of the plan" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nAnd a *changelog* line.\n");
    await page.getByRole("region", { name: "Preview" }).getByText("And a changelog line.").waitFor();
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await page.getByText("You edited this plan (+2 −0 lines)").waitFor();
    await page.getByRole("button", { name: "Approve, ask before each edit" }).click();
    await page.getByText("You approved the plan. Mode: default.").waitFor();

    const approved = harness.session.state.plan.approved;
    const edited = `${secondPlan}\nAnd a *changelog* line.\n`;
    expect(approved?.text).toBe(edited);
    expect(approved?.hash).toBe(hashText(edited));
    expect(harness.files.contents.get(approved!.file)).toBe(edited);
    expect(complaints).toEqual([]);
    expect(asked.filter((address) => !address.startsWith(`${new URL(page.url()).origin}/`))).toEqual([]);
  });

  test("B3.4 B3.3 the choices stand in R7.4's order, the first is selected, and notes go with a yes", async () => {
    const { link, harness, heard } = await stage([firstPlan]);
    const { page } = await openTab(browser(), await link());
    await page.locator("h1").focus();
    await page.keyboard.press("a");
    const choices = page.getByRole("group", { name: "Your decision" }).getByRole("radio");
    expect(
      await choices.evaluateAll((list) =>
        list.map(
          ({ parentElement }) =>
            parentElement?.querySelector("span")?.firstChild?.nextSibling?.nextSibling?.textContent,
        ),
      ),
    ).toEqual([
      "Approve, ask before each edit",
      "Approve, edit freely",
      "Approve, with fresh context (default)",
      "Save for later",
      "No, keep planning",
      "Abandon",
    ]);
    expect(await choices.first().isChecked()).toBe(true);
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Notes or feedback" }).fill("Mind the yen.");
    const answer = page.getByRole("button", { name: "Approve, edit freely" });
    await until("it can be answered", () => answer.isEnabled());
    await answer.press("Enter");
    await page.getByText("You approved the plan. Mode: acceptEdits.").waitFor();
    await until("the model goes on", () => heard().includes("Mind the yen."));
    expect(harness.session.state.permissions.mode.current).toBe("acceptEdits");
  });

  test("B3.6 everything goes by keyboard alone", async () => {
    const { link, heard } = await stage([firstPlan, secondPlan]);
    const { page } = await openTab(browser(), await link());
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    for (const key of ["j", "j", "j", "c"]) await page.keyboard.press(key);
    await page.keyboard.type("Why up?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article", { name: "Change on line 5" }).waitFor();
    await page.keyboard.press("m");
    await page.keyboard.type("By keys 123 rjk.");
    await until("it can be answered", () => page.getByRole("button", { name: "Send back" }).isEnabled());
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "From" }).waitFor();
    expect(heard()).toContain("By keys 123 rjk.");
    await page.getByRole("article", { name: "Rendered difference" }).waitFor();
    for (const key of ["j", "c"]) await page.keyboard.press(key);
    await page.keyboard.type("Said of the difference.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article", { name: "Change on line 1" }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Source of the plan" }).waitFor();
  });

  test("B3.2 comments on several blocks, on a line of code and on lost words: the next revision shows what moved and what went", async () => {
    const next = `New first words.\n\n${firstPlan.replace("- [x] Read the code\n", "")}`;
    const { link, heard } = await stage([firstPlan, next]);
    const { page } = await openTab(browser(), await link());
    await page.evaluate(`{
      const [from, to] = [document.querySelector("#plan p"), document.querySelector("#plan li")];
      getSelection().setBaseAndExtent(from.firstChild, 3, to.lastChild, 4);
    }`);
    await page.getByRole("button", { name: "Comment on the selection" }).click();
    await page.getByRole("form", { name: "Comment on lines 3–5" }).waitFor();
    await page.keyboard.type("Both of it.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".line", { hasText: "Math.round" }).hover();
    await page.getByRole("button", { name: "Comment on line 9" }).click();
    await page.keyboard.type("Use Math.trunc.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Read the code").hover();
    await page.getByRole("button", { name: "Comment on line 6" }).click();
    await page.keyboard.type("Done already?");
    await page.getByRole("button", { name: "Send back" }).click();
    await page.getByRole("combobox", { name: "From" }).waitFor();
    expect(heard()).toContain(
      "Change, lines 3-5:\\n> Totals are **wrong** by fractions of a cent in `src/a.ts`.\\n> \\n> - [ ] Round half up\\nBoth of it.",
    );
    await page.getByRole("button", { name: "Read it whole" }).click();
    await page.getByRole("article", { name: "Change on line 10" }).waitFor();
    const cards = await page.locator(".margin li .place").allTextContents();
    expect(cards).toEqual(["Changelines 5–7untouched", "Changeline 10untouched", "Changeits words are gone"]);
    await page.getByRole("link", { name: "line 10" }).click();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("Math.round");
  });

  test("B3.6 the preview shows what is being typed, at the end of a long plan too", async () => {
    const { link } = await stage([
      `# Long\n\n${Array.from({ length: 120 }, (_, line) => `Line ${line}.\n\n`).join("")}`,
    ]);
    const { page } = await openTab(browser(), await link());
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Source of the plan" }).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n## The very end\n\n- one\n- two\n\nlast words");
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("last words").waitFor();
    await until("it is in sight", async () => {
      const [words, box] = [await preview.getByText("last words").boundingBox(), await preview.boundingBox()];
      return words!.y + words!.height <= box!.y + box!.height;
    });
  });

  test("B3.2 while nothing is asked, words for the model can still be left", async () => {
    const { link, said } = await stage([firstPlan]);
    const { page } = await openTab(browser(), await link());
    await page.getByRole("button", { name: "Send back" }).click();
    await page.getByText("Nothing to decide now").waitFor();
    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Comment on line 5" }).click();
    await page.keyboard.type("One more thing.");
    await page.getByRole("button", { name: "Send to the model" }).click();
    await until("the words came", () => said.length === 1);
    expect(said[0]).toMatchObject({
      comments: [{ kind: "change", from: 5, to: 5, quote: "- [ ] Round half up", text: "One more thing." }],
    });
    await until("the box is empty", async () => (await page.getByText("Goes along").count()) === 0);
  });

  test("B5.5 B1.6 what the plan rests on is beside it: files with their staleness, changes while planning, answered questions", async () => {
    const question = { question: "Which currency?", header: "Currency", options: [], multiSelect: false };
    const options = ["Euro", "Yen"].map((label) => ({ label, description: label }));
    const asks = { tool: "AskUserQuestion", input: { questions: [{ ...question, options }] } };
    const person: Person = {
      ...nobody(),
      answer: async () => ({
        answer: { status: "answered", answers: { "Which currency?": "Euro" } },
        by: { user: "ada", surface: "terminal" },
      }),
    };
    const { link, harness } = await stage([firstPlan], { others: [person], before: [asks] });
    harness.files.contents.set("/repo/src/a.ts", "export const other = 1;\n");
    const { page } = await openTab(browser(), await link());
    await page.getByText("Changed since the plan was submitted: src/a.ts").waitFor();
    await expect.poll(() => page.locator(".side .files li").first().textContent()).toBe("src/a.ts changed since");
    await expect.poll(() => page.locator(".side dl").textContent()).toBe("Which currency?Euro");

    await page.route("**/api/state", async (route) => {
      const response = await route.fetch();
      const state = { ...((await response.json()) as object), changed: ["package-lock.json"] };
      await route.fulfill({ response, json: state });
    });
    await page.reload();
    await page.getByText("Changed in the work tree while planning: package-lock.json").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });
});
