/** The program dies with the page open, comes back, and the page goes on where it was. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hashText } from "../../src/core/plan/hash.ts";
import { setStage, type Stage } from "../headless/program.ts";
import { openTab, useChromium } from "./chromium.ts";
import { needs } from "../support/needs.ts";

const plan = "# Change a\n\n- Change `a.ts`\n- Test it\n";

describe("a crash with the page open", needs("chromium"), () => {
  const browser = useChromium();
  let stage: Stage;
  const children: ChildProcessWithoutNullStreams[] = [];
  beforeAll(async () => {
    stage = await setStage({ script: () => ({ text: "" }) });
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  afterAll(async () => {
    await stage.close();
  });

  async function review(file: string): Promise<Running> {
    const child = stage.start(["review", file, "--no-open"]);
    children.push(child);
    const closed = new Promise((resolve) => child.once("close", resolve));
    let said = "";
    child.stdout.setEncoding("utf8");
    const link = await new Promise<string>((resolve) => {
      child.stdout.on("data", (text: string) => {
        said += text;
        if (said.includes("\n")) resolve(said.split("\n")[0]!);
      });
    });
    return { child, closed, link, said: () => said };
  }

  test("B3.6 B2.2 nothing is approved by it, nothing typed is lost, and the page finds the program again", async () => {
    const file = join(stage.repository, "plan.md");
    writeFileSync(file, plan);
    const before = await review(file);
    const { page } = await openTab(browser(), before.link);
    await page.getByText("Test it").hover();
    await page.getByRole("button", { name: "Comment on line 4" }).click();
    await page.keyboard.type("With real data.");
    await page.keyboard.press("Control+Enter");
    before.child.kill("SIGKILL");

    await page.getByText("The program does not answer.").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).isEnabled()).toBe(false);
    await page.getByRole("textbox", { name: "Notes or feedback" }).fill("Typed while it was gone.");
    expect(before.said().trim().split("\n")).toHaveLength(1);

    const after = await review(file);
    await page.getByText("The program does not answer.").waitFor({ state: "hidden" });
    await page.reload();
    await page.getByText("With real data.").waitFor();
    await expect
      .poll(() => page.getByRole("textbox", { name: "Notes or feedback" }).inputValue())
      .toBe("Typed while it was gone.");
    await page.getByRole("button", { name: "Send back" }).click();
    await page.getByText("You sent the plan back.").waitFor();
    await after.closed;
    const [decision] = after.said().trim().split("\n").slice(-1);
    expect(JSON.parse(decision!)).toMatchObject({
      kind: "revise",
      hash: hashText(plan),
      feedback: "Typed while it was gone.",
      comments: [{ kind: "change", from: 4, to: 4, quote: "- Test it", text: "With real data." }],
    });
  });
});

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly closed: Promise<unknown>;
  readonly link: string;
  readonly said: () => string;
}
