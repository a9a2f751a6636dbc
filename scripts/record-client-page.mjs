// Records the picture of the review of a Claude Code plan: the real hook, the real page process and a real browser (docs/review-claude.png).
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "groundplan-page-"));
const home = join(folder, "home");
const project = join(folder, "shop");
mkdirSync(join(project, "src"), { recursive: true });
writeFileSync(join(project, "src/cart.ts"), "export const total = 0;\n");
const noted = join(folder, "opened");
const opener = join(folder, "browser");
writeFileSync(opener, `#!/bin/sh\nprintf '%s' "$1" > '${noted}'\n`);
chmodSync(opener, 0o755);

const plan = `# Round the discount half to even

The cart rounds each line by itself, so a discount over several lines is off by up to a cent a line.

## Changes
- \`src/cart.ts\`: add the lines up unrounded, round the sum once, half to even
- \`src/money.ts\`: a new \`roundHalfEven(cents: number): number\`
- \`test/cart.test.ts\`: three lines at 33.335 each, and the empty cart

\`\`\`ts
export function total(lines: readonly Line[]): number {
  return roundHalfEven(lines.reduce((sum, { price, count }) => sum + price * count, 0));
}
\`\`\`

## Verify
- \`npm test\`
- \`npm run types\`
`;
const payload = {
  session_id: "0f7c2b1e-6a8e-4b7e-9d2c-3c1f5a7e9b10",
  transcript_path: join(folder, "transcript.jsonl"),
  cwd: project,
  permission_mode: "plan",
  hook_event_name: "PermissionRequest",
  tool_name: "ExitPlanMode",
  tool_input: { plan, planFilePath: join(folder, "plans/round.md") },
};
const program = join(root, "dist/bin/groundplan.js");
const environment = { PATH: process.env.PATH, HOME: folder, GROUNDPLAN_HOME: home, BROWSER: opener };
const hook = spawn(process.execPath, [program, "hook", "claude", "PermissionRequest"], {
  cwd: project,
  env: environment,
  stdio: ["pipe", "inherit", "inherit"],
});
hook.stdin.end(JSON.stringify(payload));
try {
  while (!existsSync(noted)) await pause(50);
  const entry = readFileSync(fileURLToPath(readFileSync(noted, "utf8")), "utf8");
  const [, url] = /content="0;url=([^"]+)"/.exec(entry);
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const page = await browser.newPage({ viewport: { width: 1180, height: 840 }, colorScheme: "light" });
  await page.goto(url);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.getByText("round the sum once").click();
  await page.keyboard.press("c");
  await page.keyboard.type("Keep the old rounding behind a flag until the reports agree.");
  await page.keyboard.press("Control+Enter");
  await page.waitForTimeout(900);
  await page.screenshot({ path: join(root, "docs/review-claude.png") });
  await browser.close();
} finally {
  hook.kill();
  const { pid } = JSON.parse(readFileSync(join(home, "reviews/page.json"), "utf8"));
  process.kill(pid);
  await pause(1000);
  rmSync(folder, { recursive: true, force: true });
}
