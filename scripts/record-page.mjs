// Records the README's picture of the review page: the real program and a real browser, a plan of scout's with one comment (docs/review.png).
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "groundplan-page-"));
const plan = join(folder, "plan.md");
copyFileSync(join(root, "examples/plans", process.argv[2] ?? "fetch-through-the-proxy.md"), plan);

const program = spawn(process.execPath, [join(root, "dist/bin/groundplan.js"), "review", plan, "--no-open"], {
  cwd: folder,
  env: { ...process.env, GROUNDPLAN_HOME: join(folder, "home") },
  stdio: ["ignore", "pipe", "ignore"],
});
try {
  const lines = createInterface({ input: program.stdout });
  const url = await new Promise((resolve) => lines.once("line", resolve));
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1180, height: 840 }, colorScheme: "light" });
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  for (let down = 0; down < 5; down += 1) await page.keyboard.press("j");
  await page.keyboard.press("c");
  await page.keyboard.type("Redirects have to go through it, too.");
  await page.keyboard.press("Control+Enter");
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(root, "docs/review.png") });
  await browser.close();
} finally {
  program.kill();
  rmSync(folder, { recursive: true, force: true });
}
