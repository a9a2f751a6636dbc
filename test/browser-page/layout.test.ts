/** How the page stands: right to left, in Chinese, at 200 %, on paper, and with a decision bar that never moves. */
import { describe, expect, test } from "vitest";
import { issuesOf } from "./axe.ts";
import { expectBoxes } from "./boxes.ts";
import { openTab, useChromium } from "./chromium.ts";
import { firstPlan } from "./plans.ts";
import { useStages } from "./stage.ts";
import { needs } from "../support/needs.ts";

const hebrew = `# תוכנית לעיגול ההנחה

קודם \`npm test -- --all\` ואז לבדוק את הסכום בקובץ \`src/cart.ts\`, כי כל שורה מעוגלת לבדה והסכום שגוי באגורה.

- [ ] לקרוא את הקוד
- [x] לבדוק
- פריט רגיל
  1. ראשון
  2. שני

> ציטוט קצר

| קובץ | שינוי |
|---|---|
| \`src/a.ts\` | חדש |

\`\`\`ts
export const a = 1;
\`\`\`
`;

const chinese = `# 折扣四舍六入五成双

购物车对每一行单独取整，因此跨多行的折扣每行最多相差一分钱；先把未取整的各行相加，再对总和取整一次，见 \`src/cart.ts\`。

## 步骤

1. 在 \`src/cart.ts\` 中先求和再取整
2. 新增 \`src/money.ts\`
   - [ ] 表格测试
   - [x] 阅读代码

> 银行也是这样取整的。

| 文件 | 改动 |
|---|---|
| \`src/cart.ts\` | 只取整一次 |

\`\`\`ts
export const 分 = 100;
\`\`\`
`;

describe("how the page stands", needs("chromium"), () => {
  const browser = useChromium();
  const stage = useStages();

  test.each([
    ["wide", { width: 1440, height: 900 }],
    ["narrow", { width: 390, height: 844 }],
  ])("B3.6 a plan from right to left stands as it was looked at, %s", async (size, viewport) => {
    const { link } = await stage([hebrew]);
    const { page } = await openTab(browser(), await link(), { viewport });
    await expectBoxes(page, `hebrew-${size}`);
    expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
  });

  test.each([
    ["wide", { width: 1440, height: 900 }],
    ["narrow", { width: 390, height: 844 }],
  ])(
    "B3.6 a plan in Chinese stands as it was looked at, %s, each sign with a letter of its own",
    needs("cjk font"),
    async (size, viewport) => {
      const { link } = await stage([chinese]);
      const { page } = await openTab(browser(), await link(), { viewport });
      const pictures = await page.evaluate<readonly string[]>(`["折", "扣", "舍"].map((sign) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
      const drawing = canvas.getContext("2d");
      drawing.font = "32px " + getComputedStyle(document.body).fontFamily;
      drawing.fillText(sign, 4, 32);
      return canvas.toDataURL();
    })`);
      expect(new Set(pictures).size).toBe(3);
      await expectBoxes(page, `chinese-${size}`);
      expect(await page.evaluate("document.documentElement.scrollWidth > innerWidth")).toBe(false);
    },
  );

  test("B3.6 at 200 % nothing is cut off, covered or to be scrolled for sideways, and axe finds nothing", async () => {
    const { link } = await stage([`${firstPlan}\n${"Words.\n\n".repeat(30)}`]);
    const viewport = { width: 720, height: 450 };
    const { page } = await openTab(browser(), await link(), { viewport, deviceScaleFactor: 2 });
    const state = await page.evaluate<Record<string, unknown>>(`(() => {
      const bar = document.querySelector(".decision").getBoundingClientRect();
      const seen = [...document.querySelectorAll(".decision button, .views button")].map((button) => {
        const box = button.getBoundingClientRect();
        return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
      });
      return { wide: document.documentElement.scrollWidth > innerWidth, room: bar.top > innerHeight / 2, seen: seen.every(Boolean) };
    })()`);
    expect(state).toEqual({ wide: false, room: true, seen: true });
    await page.keyboard.press("End");
    const last = page.getByText("Words.").last();
    await last.scrollIntoViewIfNeeded();
    const [box, bar] = [await last.boundingBox(), await page.locator(".decision").boundingBox()];
    expect(box!.y + box!.height).toBeLessThanOrEqual(bar!.y);
    expect(await issuesOf(page)).toEqual([]);
  });

  test("B3.6 on paper: the whole text and what was said of it, and no bar", async () => {
    const { link } = await stage([`${firstPlan}\n${"Words.\n\n".repeat(200)}The end.\n`]);
    const { page } = await openTab(browser(), await link());
    await page.getByText("The end.").waitFor({ state: "attached" });
    await page.getByText("Round half up").hover();
    await page.getByRole("button", { name: "Comment on line 5" }).click();
    await page.keyboard.type("On paper, too.");
    await page.keyboard.press("Control+Enter");
    await page.emulateMedia({ media: "print" });
    for (const name of [".decision", ".views", ".side", ".comment-here", ".permalink", ".copy", ".margin .row"])
      expect([name, await page.locator(name).filter({ visible: true }).count()]).toEqual([name, 0]);
    const paper = page.locator("article.plan, .margin");
    for (const words of ["Round half up", "export const round", "On paper, too.", "The end."])
      expect([words, await paper.getByText(words).last().isVisible()]).toEqual([words, true]);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b/g)!.length).toBeGreaterThan(3);
  });

  test.each([
    ["wide", { width: 1440, height: 900 }],
    ["a tablet's", { width: 900, height: 900 }],
    ["a telephone's", { width: 390, height: 844 }],
  ])("B3.6 the decision bar stays where it is, %s: with comments, other choices and an answer", async (_, viewport) => {
    const { link } = await stage([firstPlan, `${firstPlan}\nMore.\n`], { thinksMs: 50 });
    const { page } = await openTab(browser(), await link(), { viewport });
    const tops: number[] = [];
    const look = async (): Promise<void> => {
      tops.push((await page.locator(".decision").boundingBox())!.y);
    };
    await look();
    await page.getByText("Round half up").click();
    await page.keyboard.press("c");
    await page.keyboard.type("Why?");
    await look();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Send back, 1 comment" }).waitFor();
    await look();
    await page.keyboard.press("2");
    await page.getByRole("button", { name: "Approve, edit freely" }).waitFor();
    await look();
    await page.getByRole("button", { name: "Send back, 1 comment" }).click();
    await page.getByRole("combobox", { name: "From" }).waitFor();
    await look();
    expect([...new Set(tops)]).toHaveLength(1);
  });
});
