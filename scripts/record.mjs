// Records the README's picture of the terminal: runs the real program in a small repository and draws what it showed (docs/terminal.svg).
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { animated, openTerminal } from "./terminal-picture.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist/bin/groundplan.js");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-tour-")));
const repository = join(folder, "shop");

const files = {
  "package.json": '{ "name": "shop", "scripts": { "test": "node --test", "lint": "eslint ." } }\n',
  "src/cart.js":
    "export function addToCart(cart, item) {\n  return [...cart, item];\n}\n\nexport function total(cart) {\n  return cart.reduce((sum, { price }) => sum + price, 0);\n}\n",
  "src/discount.js":
    "import { total } from './cart.js';\n\nexport function applyDiscount(cart, percent) {\n  return total(cart) * (1 - percent / 100);\n}\n",
  "test/discount.test.js":
    "import { test } from 'node:test';\nimport { applyDiscount } from '../src/discount.js';\n\ntest('ten percent off', () => applyDiscount([], 10));\n",
  "README.md": "# Shop\n",
};

try {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  const git = (...args) => execFileSync("git", args, { cwd: repository, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=ada", "-c", "user.email=ada@example.invalid", "commit", "-qm", "Begin the shop");
  writeFileSync(join(root, "docs/terminal.svg"), await terminalPicture());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A stranger's first session: a task, scout's plan, a comment, the plan sent back, the difference, saved for later. */
async function terminalPicture() {
  const size = { columns: 88, rows: 27 };
  const terminal = openTerminal({ command: [process.execPath, program], cwd: repository, env: environment(), ...size });
  const frames = [];
  const shot = (seconds) => frames.push({ lines: terminal.rows(), seconds });
  try {
    await terminal.until("plan mode on");
    shot(1.5);
    for (const part of ["Round the", " discount to", " whole cents"]) {
      terminal.type(part);
      await terminal.until(part.trim());
      shot(0.5);
    }
    terminal.type("\r");
    await terminal.until("Approve this plan?");
    await calm();
    shot(4);
    terminal.type("n");
    await terminal.until("What should change?");
    terminal.type("without tests");
    await terminal.until("without tests");
    shot(2);
    terminal.type("\r");
    await terminal.until("revision 2");
    await calm();
    shot(2);
    terminal.type("d");
    await terminal.until("difference");
    shot(3);
    terminal.type("s");
    await terminal.until("saved for later");
    shot(4);
  } finally {
    terminal.close();
  }
  return animated(frames, {
    ...size,
    title: "A recorded session of Groundplan on a terminal: a plan, sent back once, then saved",
  });
}

function calm() {
  return new Promise((resolve) => setTimeout(resolve, 900));
}

function environment() {
  return { PATH: process.env.PATH, HOME: folder, GROUNDPLAN_HOME: join(folder, ".groundplan") };
}
