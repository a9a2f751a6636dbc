// How heavy is the review page? Bytes of the first load and of the editor; a plan of 5,000 lines: until it can be read, until it is whole, and the delay of a key.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(join(tmpdir(), "groundplan-bench-"));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
});
const bare = createServer((_, response) => response.end("<!doctype html><title>bare</title><article>text</article>"));
await new Promise((resolve) => bare.listen(0, "127.0.0.1", resolve));

try {
  const rows = [];
  const floor = await timed(() => openBare());
  const small = await withPlan(planOf(60), (link) => timed(() => openPlan(link())));
  const large = await withPlan(planOf(5000), async (link) => ({
    ...(await timed(() => openPlan(link()))),
    keys: await keyDelays(link()),
  }));
  rows.push(["a bare page (floor)", floor], ["a plan of 60 lines", small], ["a plan of 5,000 lines", large]);
  console.log("first load, as sent: " + kilobytes(small.first) + "   then colours for code: " + kilobytes(small.later));
  console.log("editor, as sent:     " + kilobytes(large.keys.editorBytes));
  console.log("\nmedian of " + rounds + " rounds, ms         readable   whole");
  for (const [name, { readable, whole }] of rows) {
    console.log(
      `${name.padEnd(28)} ${pad(readable)} ${pad(whole)}   ${(readable / floor.readable).toFixed(1)} × the floor`,
    );
  }
  console.log("\ndelay of a key on 5,000 lines, ms       median   95 %   worst");
  for (const [name, delays] of Object.entries(large.keys.delays)) {
    const sorted = delays.toSorted((a, b) => a - b);
    const at = (share) => pad(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
    console.log(`${name.padEnd(38)} ${at(0.5)} ${at(0.95)} ${at(1)}`);
  }
} finally {
  await browser.close();
  bare.close();
  rmSync(folder, { recursive: true, force: true });
}

async function timed(open) {
  const taken = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await open());
  const median = (name) => taken.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
  return { ...taken[0], readable: median("readable"), whole: median("whole") };
}

async function openBare() {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${bare.address().port}/`);
  const readable = await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))),
  );
  await page.close();
  return { readable, whole: readable };
}

/** From the beginning of the navigation, in the page's own clock. */
async function openPlan(link) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const bodies = watchBodies(page);
  await page.addInitScript(() => {
    const seen = (globalThis.seen = {});
    const look = () => {
      const last = document.querySelector("#plan .plan > :last-child > :last-child")?.textContent === "The last line.";
      if (document.querySelector("#plan h1") !== null) seen.readable ??= performance.now();
      if (last) seen.whole ??= performance.now();
      if (seen.whole === undefined) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(link);
  await page.waitForFunction(() => globalThis.seen.whole !== undefined);
  const seen = await page.evaluate(() => globalThis.seen);
  await page.waitForTimeout(300);
  const { first, later } = await bodies();
  await context.close();
  return { ...seen, first, later };
}

async function keyDelays(link) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByText("The last line.").waitFor({ state: "attached" });
  await page.getByText("Intro of the plan.").hover();
  await page.getByRole("button", { name: "Comment on line 3" }).click();
  const comment = await typing(page);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("textbox", { name: "Notes or feedback" }).focus();
  const message = await typing(page);
  const bodies = watchBodies(page);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Source of the plan" }).waitFor();
  await page.keyboard.press("Control+End");
  const editor = await typing(page);
  const { first } = await bodies();
  await context.close();
  return {
    editorBytes: first,
    delays: { "in a comment": comment, "in the message": message, "in the editor, preview beside": editor },
  };
}

/** From the key until the frame after it is done. */
async function typing(page) {
  await page.evaluate(() => {
    globalThis.delays = [];
    globalThis.listening ??=
      addEventListener(
        "keydown",
        () => {
          const start = performance.now();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener("message", () => globalThis.delays.push(performance.now() - start));
            port1.start();
            port2.postMessage(0);
          });
        },
        { capture: true },
      ) ?? true;
  });
  await page.keyboard.type("The quick brown fox jumps over the lazy dog, twice. ".repeat(2), { delay: 25 });
  await page.waitForTimeout(400);
  return page.evaluate(() => globalThis.delays);
}

/** What really came, headers included: what the document asks for itself, and what comes later. */
function watchBodies(page) {
  const answers = [];
  page.on("response", (response) => {
    if (!response.url().includes("/api/")) answers.push(response);
  });
  return async () => {
    const sizes = { first: 0, later: 0 };
    for (const response of answers) {
      if (response.status() !== 200) continue;
      const { responseBodySize, responseHeadersSize } = await response.request().sizes();
      const size = responseBodySize + responseHeadersSize;
      const isLate = /\/(colours|bash|typescript|json)-/.test(response.url());
      sizes[isLate ? "later" : "first"] += size;
    }
    return sizes;
  };
}

async function withPlan(text, use) {
  const file = join(folder, `plan-${text.length}.md`);
  writeFileSync(file, text);
  const env = { PATH: process.env.PATH, HOME: folder, GROUNDPLAN_HOME: join(folder, "home") };
  const links = [];
  const children = [];
  for (let round = 0; round <= rounds; round += 1) {
    const own = { ...env, GROUNDPLAN_HOME: join(folder, `home-${text.length}-${round}`) };
    const child = spawn(process.execPath, [join(root, "dist/bin/groundplan.js"), "review", file, "--no-open"], {
      env: own,
      cwd: folder,
    });
    children.push(child);
    links.push(
      await new Promise((resolve) => child.stdout.once("data", (line) => resolve(String(line).split("\n")[0]))),
    );
  }
  try {
    return await use(() => links.pop());
  } finally {
    for (const child of children) child.kill();
  }
}

function planOf(lines) {
  const parts = ["# A plan to measure", "", "Intro of the plan.", ""];
  for (let part = 1; parts.length < lines - 24; part += 1) {
    parts.push(
      `## Part ${part}: adjust module ${part}`,
      "",
      `The module \`src/mod${part}/index.ts\` holds **${part}** things that must change, so that the caller sees whole values.`,
      "",
      `- [ ] First step of ${part}`,
      "- [x] Second step",
      "  - nested one",
      "  - nested two",
      "",
      "```ts",
      `export function f${part}(a: number): string {`,
      `  return String(a + ${part}); // comment`,
      "}",
      "```",
      "",
      "| a | b |",
      "|---|---|",
      `| ${part} | two |`,
      "| three | four |",
      "",
    );
  }
  return [...parts, "The last line.", ""].join("\n");
}

function kilobytes(bytes) {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

function pad(milliseconds) {
  return milliseconds.toFixed(0).padStart(8);
}
