/** Scout through the real program: no key, no network, a plan. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { openStage, treeHashes, type Ran, type RunOptions, type Stage, type StageOptions } from "./program.ts";

async function stageWith(options: Omit<StageOptions, "script">): Promise<Stage> {
  return openStage({ script: () => ({ text: "A model was here." }), ...options });
}

const noKeys: RunOptions = {
  environment: {
    ANTHROPIC_API_KEY: undefined,
    ANTHROPIC_BASE_URL: undefined,
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: undefined,
    GEMINI_API_KEY: undefined,
    GOOGLE_GEMINI_BASE_URL: undefined,
  },
};

function run(stage: Stage, ...args: string[]): Promise<Ran> {
  return stage.run(args, noKeys);
}

const script: Record<string, string> = {
  "package.json": '{"type":"module","scripts":{"test":"node --test","lint":"eslint ."}}',
  "src/cart.js": [
    'import { priceOf } from "./price.js";',
    "/** Adds the prices of a cart, less its discount. */",
    "export function totalOf(cart) {",
    "  return cart.items.reduce((sum, item) => sum + priceOf(item), 0) - discountOf(cart);",
    "}",
    "export function discountOf(cart) {",
    "  return cart.coupon ? 5 : 0;",
    "}",
    "",
  ].join("\n"),
  "src/price.js": "export function priceOf(item) {\n  return item.price * item.count;\n}\n",
  "src/mail.js": 'export function sendMail(to) {\n  return "mail to " + to;\n}\n',
  "src/server.js": 'import { totalOf } from "./cart.js";\nexport const serve = (cart) => totalOf(cart);\n',
  "test/cart.test.js":
    'import test from "node:test";\nimport { totalOf } from "../src/cart.js";\ntest("a coupon gives a discount", () => totalOf);\n',
};

const python: Record<string, string> = {
  "pyproject.toml": '[project]\nname = "shop"\n[tool.pytest.ini_options]\n[tool.ruff]\n',
  "shop/__init__.py": "",
  "shop/stock.py":
    'from shop.store import load\n\n\ndef reserve(item, count):\n    """Reserves stock of an item."""\n    return load(item) - count\n',
  "shop/store.py": "def load(item):\n    return 7\n",
  "shop/report.py": "def monthly_report():\n    return []\n",
  "tests/test_stock.py":
    "from shop.stock import reserve\n\n\ndef test_reserve_takes_from_stock():\n    assert reserve('a', 1) == 6\n",
};

const discount = "Let the discount of a cart never exceed its total";

test("B10.2 a folder that is no project (a home, /) is looked at within bounds, the nearest files first, and it says so", async () => {
  const stage = await stageWith({ git: false, files: { "lantern.ts": "export const lantern = 1;\n" } });
  const deep = join(stage.repository, "a", "b");
  mkdirSync(deep, { recursive: true });
  for (let at = 0; at < 20_100; at += 1) writeFileSync(join(deep, `lantern${at}.txt`), "");
  const { code, stdout, stderr } = await run(stage, "scout", "change lantern.ts");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1\.000 {2}lantern\.ts\n/);
  expect(stderr).toContain(
    "too much to look at: only 20000 files, the nearest, are used; go to the project's own folder (cd, --cwd)",
  );
});

test("B10.1 without a key and a mode, a JavaScript project gets a plan: exit code 3, its files, its commands", async () => {
  const stage = await stageWith({ files: script });
  const before = treeHashes(stage.repository);
  const { code, stdout, stderr } = await run(stage, discount);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^groundplan: No model key found: using scout/);
  expect(stderr).toMatch(/^groundplan: searching, reading cart\.js/m);
  expect(stderr).toMatch(/^groundplan: writing the plan$/m);
  expect(stdout).toMatch(/^# Let the discount of a cart never exceed its total\n/);
  expect(stdout).toContain("not a language model");
  expect(stdout).toMatch(/^- `src\/cart\.js`: has .*`discountOf` \(line 6\)/m);
  expect(stdout).toMatch(/^- \[ \] Make the change in `src\/cart\.js` at `(?:discountOf|totalOf)`/m);
  expect(stdout).toContain("`test/cart.test.js`");
  expect(stdout).toMatch(/^- `npm test`\n- `npm run lint`$/m);
  expect(stdout).not.toContain("mail.js`:");
  const path = /^Plan: (.+)$/m.exec(stdout)![1]!;
  expect(stdout).toContain(readFileSync(path, "utf8").trimEnd());
  expect(treeHashes(stage.repository)).toEqual(before);
  expect(stage.server.requests).toEqual([]);
});

test("B10.1 a Python project gets a plan with its own commands", async () => {
  const stage = await stageWith({ files: python });
  const { code, stdout } = await run(stage, "Refuse to reserve more than the stock", "--output-format", "json");
  const { plan, denials, status } = JSON.parse(stdout);
  expect({ code, status, denials }).toEqual({ code: 3, status: "plan_ready", denials: [] });
  expect(plan.text).toMatch(/^- `shop\/stock\.py`: has `reserve` \(line 4\)/m);
  expect(plan.text).toContain("`tests/test_stock.py`");
  expect(plan.text).toMatch(/^- `pytest`\n- `ruff check \.`$/m);
});

test("B10.1 an empty folder without git still gets a plan that says so", async () => {
  const stage = await stageWith({ files: {}, git: false });
  const { code, stdout } = await run(stage, "Write a parser for INI files");
  expect(code).toBe(3);
  expect(stdout).toContain("There are no files here yet");
  expect(stdout).toContain("- [ ] Make the first file of the change: Write a parser for INI files");
  expect(stdout).toContain("No commands to verify were found");
});

test("B7.5 a small task gets a plan under 1 KB", async () => {
  const stage = await stageWith({ files: script });
  const { stdout } = await run(stage, "Rename sendMail in src/mail.js", "--output-format", "json");
  const { plan } = JSON.parse(stdout);
  expect(Buffer.byteLength(plan.text)).toBeLessThan(1024);
  expect(plan.text).toContain("`src/mail.js`: has `sendMail` (line 1)");
});

test("B10.1 a task in another language works on the names in it", async () => {
  const stage = await stageWith({ files: script });
  const { stdout } = await run(stage, "Bitte `priceOf` auf ganze Cent runden", "--output-format", "json");
  expect(JSON.parse(stdout).plan.text).toMatch(/^- `src\/price\.js`: has `priceOf` \(line 1\)/m);
});

test("B10.1 feedback by another program changes the plan", async () => {
  const stage = await stageWith({ files: script });
  const child = stage.start(
    ["-p", "--permission-mode", "plan", "--input-format", "stream-json", "--output-format", "stream-json"],
    noKeys,
  );
  const plans: string[] = [];
  child.stdin.write(`${JSON.stringify({ type: "user", text: discount })}\n`);
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line);
    if (event.type !== "plan.submitted") continue;
    plans.push(event.text);
    const verdict = { type: "verdict", id: event.id, hash: event.hash };
    const feedback = "add src/mail.js, without tests";
    const comments = [{ id: "c", kind: "change", from: 1, to: 1, quote: "`src/price.js`", text: "leave this out" }];
    if (plans.length === 1)
      child.stdin.write(`${JSON.stringify({ ...verdict, kind: "revise", feedback, comments })}\n`);
    else child.stdin.end(`${JSON.stringify({ ...verdict, kind: "save" })}\n`);
  }
  expect(plans).toHaveLength(2);
  expect(plans[0]).toContain("test/cart.test.js");
  expect(plans[1]).toContain("- `src/mail.js`: named in the feedback");
  expect(plans[1]).toMatch(/^- \[ \] Make the change in `src\/cart\.js`/m);
  expect(plans[1]).not.toContain("test/cart.test.js");
  expect(plans[1]).not.toMatch(/^- `src\/price\.js`/m);
});

test("B10.1 words on a plan that waits revise it; approved, scout hands over and changes nothing", async () => {
  const stage = await stageWith({ files: script });
  const before = treeHashes(stage.repository);
  const first = JSON.parse((await run(stage, discount, "--output-format", "json")).stdout);
  const revised = await run(stage, "-p", "--resume", first.sessionId, "only src/cart.js", "--output-format", "json");
  const second = JSON.parse(revised.stdout);
  expect(revised.code).toBe(3);
  expect(second.plan.revision).toBe(2);
  expect(second.plan.text).toContain("“only src/cart.js”: only `src/cart.js` is left.");
  expect(second.plan.text).not.toMatch(/^- `src\/(?:price|server)\.js`/m);
  const approved = await run(stage, "-p", "--resume", first.sessionId, "--approve", second.plan.hash);
  expect(approved.code).toBe(0);
  expect(approved.stdout).toContain(`The plan is approved and stays at \`${second.plan.path}\``);
  expect(approved.stdout).toContain("ANTHROPIC_API_KEY=… groundplan -p --continue");
  expect(readFileSync(second.plan.path, "utf8")).toBe(second.plan.text);
  expect(treeHashes(stage.repository)).toEqual(before);
});

test("B10.1 headless outside of plan mode it says that it only plans, and where things are", async () => {
  const stage = await stageWith({ files: script });
  const { code, stdout } = await run(stage, "-p", "--model", "scout", "where is the discount computed?");
  expect(code).toBe(0);
  expect(stdout).toMatch(/not a language model/);
  expect(stdout).toContain("`src/cart.js");
  expect(stdout).toContain("--permission-mode plan");
});

test("R5.6 what a rule denies to be read is neither read nor described", async () => {
  const stage = await stageWith({
    files: { ...script, "src/discount-secrets.js": "export const cartDiscountTotal = 1;\n" },
  });
  const settings = JSON.stringify({ permissions: { deny: ["Read(src/discount-secrets.js)"] } });
  const { code, stdout } = await run(stage, discount, "--settings", settings, "--output-format", "json");
  const { plan } = JSON.parse(stdout);
  expect(code).toBe(3);
  expect(plan.text).not.toContain("cartDiscountTotal");
  expect(plan.text).not.toContain("discount-secrets");
  expect(plan.text).toContain("src/cart.js");
});

test("B10.1 started in a folder below the root it plans for the whole project", async () => {
  const stage = await stageWith({ files: script });
  const { stdout } = await stage.run([discount, "--cwd", "test", "--output-format", "json"], noKeys);
  expect(JSON.parse(stdout).plan.text).toMatch(/^- `src\/cart\.js`: has .*`discountOf` \(line 6\)/m);
});

test("B10.1 a model takes the session over where scout hands it over", async () => {
  const stage = await stageWith({ files: script });
  const first = JSON.parse((await run(stage, discount, "--output-format", "json")).stdout);
  const { code, stdout } = await stage.run(["-p", "--resume", first.sessionId, "--approve", first.plan.hash]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "A model was here.\n" });
  expect(JSON.stringify(stage.server.requests.at(-1)!.body)).toContain(
    "Let the discount of a cart never exceed its total",
  );
  const later = await stage.run(["-p", "--continue", "Carry out the approved plan"]);
  expect(later).toMatchObject({ code: 0, stdout: "A model was here.\n" });
});
