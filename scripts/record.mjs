// Records the README's pictures: runs the real program in a small repository and draws what it printed (docs/tour.svg) and showed on
// a terminal (docs/terminal.svg).
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { animated, openTerminal } from "./terminal-picture.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist/bin/groundplan.js");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-tour-")));
const repository = join(folder, "shop");
const width = 104;

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

const tour = [
  ["check", "rg -n TODO src | sort | head -5"],
  ["check", "sort -o cart.js cart.js"],
  ["check", "git log -1 --format=%s; $(cat todo.sh)"],
  ["-p", "--permission-mode", "plan", "Round the discount to whole cents"],
];

try {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  const git = (...args) => execFileSync("git", args, { cwd: repository, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=ada", "-c", "user.email=ada@example.invalid", "commit", "-qm", "Begin the shop");
  const lines = tour.flatMap((args) => ["", `$ groundplan ${args.map(quoted).join(" ")}`].concat(run(args)));
  writeFileSync(join(root, "docs/tour.svg"), draw(lines.slice(1)));
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

function run(args) {
  const env = environment();
  const words = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const onTerminal = ["-qec", words.join(" "), "/dev/null"];
  const { stdout } = spawnSync("script", onTerminal, { cwd: repository, env, encoding: "utf8" });
  const text = stdout.replaceAll("\r", "").replaceAll(folder, "~").trimEnd();
  return text.split("\n").flatMap(wrapped);
}

function wrapped(line) {
  if (line.length <= width) return [line];
  const at = line.lastIndexOf(" ", width);
  const cut = at > 20 ? at : width;
  return [line.slice(0, cut), ...wrapped(`  ${line.slice(cut).trimStart()}`)];
}

function draw(lines) {
  const height = lines.length * 18 + 32;
  const rows = lines.map(
    (line, index) => `<text x="16" y="${index * 18 + 30}" fill="${colour(line)}">${escaped(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="860" height="${height}" role="img" aria-label="A recorded session of Groundplan">
<rect width="100%" height="100%" rx="8" fill="#16181d"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.4" xml:space="preserve">
${rows.join("\n")}
</g>
</svg>
`;
}

function colour(line) {
  if (line.startsWith("$ ")) return "#f5f5f5";
  if (line.startsWith("read-only")) return "#7ddf8f";
  if (line.startsWith("writes")) return "#ff8f8f";
  if (line.startsWith("unproven")) return "#ffd479";
  if (line.startsWith("groundplan:")) return "#8b93a1";
  return line.startsWith("#") ? "#7cc4ff" : "#cdd3de";
}

function quoted(word) {
  return /^[\w-]+$/.test(word) ? word : `'${word}'`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
