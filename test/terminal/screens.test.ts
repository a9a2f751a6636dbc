/** Screens of the whole program as golden text, at 80×24 and 40×12; and what settings change of them. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { linuxRungs, only } from "../edges/rungs.ts";
import { needs } from "../support/needs.ts";
import { until } from "../support/until.ts";
import type { Pty } from "./pty.ts";
import {
  keys,
  press,
  setTerminalStage,
  type OpenOptions,
  type TerminalStage,
  type TerminalStageOptions,
} from "./stage.ts";

const hello: TerminalStageOptions["script"] = () => ({ text: "Hello." });
const asking: TerminalStageOptions["script"] = ({ turn }) =>
  turn % 2 === 1 ? { calls: [{ tool: "EnterPlanMode", input: {} }] } : { text: `Turn ${turn}.` };

async function begin(
  options: Partial<TerminalStageOptions> = {},
  args: readonly string[] = [],
  open: OpenOptions = {},
): Promise<{ readonly stage: TerminalStage; readonly terminal: Pty }> {
  const stage = await setTerminalStage({
    files: { "src/cart.js": "export const total = 1;\n" },
    script: hello,
    ...options,
  });
  const terminal = await stage.open(args, open);
  await terminal.until(open.offline === true ? "scout" : "claude");
  return { stage, terminal };
}

/** Names that differ from run to run are made the same. */
function steady(screen: string): string {
  return screen
    .replaceAll(/Groundplan \d+\.\d+\.\d+/g, "Groundplan 0.0.0")
    .replaceAll(/^  ▸ Write ~\/home\/plans\/.* · /gm, "  ▸ Write <the plan> · ")
    .replaceAll(/Current Plan\n[^]*?\n\n/g, "Current Plan\n<its path>\n\n")
    .replaceAll(/[a-z]+-[a-z]+-[a-z]+ r\d/g, "<the plan> r1")
    .replaceAll(/ \d+s · esc/g, " 0s · esc")
    .replaceAll(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/gm, "⠋");
}

const plan = "# Round totals\n\nWhole cents **only**.\n\n1. Round in `src/cart.js`\n2. Add a test\n";
const script: TerminalStageOptions["script"] = ({ turn, planFile }) => {
  if (turn === 1)
    return {
      text: "I look at the cart first. It holds the *total*:\n\n```js\nexport const total = 1;\n```\n",
      calls: [
        { tool: "Read", input: { file_path: "src/cart.js" } },
        { tool: "Bash", input: { command: "rm -rf src" } },
        {
          tool: "TodoWrite",
          input: {
            todos: [
              { content: "Read", status: "completed" },
              { content: "Write the plan", status: "in_progress" },
            ],
          },
        },
        { tool: "Write", input: { file_path: planFile(), content: plan } },
      ],
    };
  return { text: "The plan is written." };
};

test.each([
  [80, 24],
  [40, 12],
])("the first screen, a transcript and the plan card at %d×%d", async (columns, rows) => {
  const { terminal } = await begin({ script, settings: { sandbox: "off" } }, ["--permission-mode", "plan"], {
    columns,
    rows,
  });
  await terminal.until((screen) => screen.includes("tip:") && screen.includes("plan mode on"));
  const size = `${columns}x${rows}`;
  await expectScreen(terminal, `first-${size}`, () => terminal.screen());
  terminal.type(`round the totals${keys.enter}`);
  await terminal.until(/The plan is written\.[^]*❯\n/);
  await terminal.until("still in plan mode");
  await expectScreen(terminal, `worked-${size}`, () => terminal.screen());
  terminal.type(`/plan${keys.enter}`);
  await terminal.until("/plan open");
  await expectScreen(terminal, `everything-${size}`, () => terminal.everything());
});

/** Waits until it looks as it should, however long the last pieces of a frame take; else shows the difference. */
async function expectScreen(terminal: Pty, name: string, read: () => string): Promise<void> {
  const golden = fileURLToPath(new URL(`../golden/screens/${name}.txt`, import.meta.url));
  const wanted = existsSync(golden) ? readFileSync(golden, "utf8") : "";
  await terminal.until(() => `${steady(read())}\n` === wanted).catch(() => undefined);
  await expect(`${steady(read())}\n`).toMatchFileSnapshot(golden);
}

for (const rung of linuxRungs) {
  test(`B1.11 the status line names the rung ${rung}`, needs(rung), async () => {
    const { terminal } = await begin({}, [], { environment: only(rung) });
    await terminal.until(new RegExp(`${rung} · .*claude`));
  });
}

test("B1.11 the status line says that there is no cage", async () => {
  const { terminal } = await begin({}, [], { environment: only(null) });
  await terminal.until(/no sandbox · .*claude/);
});

const submitting: TerminalStageOptions["script"] = ({ turn, planFile }) => {
  if (turn === 1) return { calls: [{ tool: "Write", input: { file_path: planFile(), content: plan } }] };
  return turn === 2 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "Done." };
};

test("R11.3 an open approval loses auto when it is switched off in the settings", async () => {
  const settings = { autoMode: { enabled: true }, sandbox: "off" };
  const { stage, terminal } = await begin({ script: submitting, settings }, ["--permission-mode", "auto"]);
  await terminal.until("auto mode on");
  terminal.type(`/plan round the totals${keys.enter}`);
  await terminal.until("Approve this plan?");
  await terminal.until(/Approve, .*auto/);
  const file = join(stage.stage.home, "settings.json");
  writeFileSync(`${file}.new`, JSON.stringify({ sandbox: "off" }));
  renameSync(`${file}.new`, file);
  await terminal.until("The modes to choose from changed.");
  await terminal.until((screen) => screen.includes("Approve this plan?") && !/Approve, .*auto/.test(screen));
});

test("the first two minutes of a stranger without a key: scout says what it is, plans, and the plan waits for approval", async () => {
  const { terminal } = await begin({}, [], { offline: true });
  await terminal.until("model: scout, the built-in offline planner");
  await terminal.until("plan mode on");
  expect(terminal.screen()).toContain("No model key found");
  terminal.type(`round the total${keys.enter}`);
  await terminal.until("Approve this plan?");
  expect(terminal.screen()).toContain("Approve, ask before each edit");
});

test("R15.4 the tip on Shift+Tab is there in the first session and not in the second", async () => {
  const { stage, terminal } = await begin();
  await terminal.until("tip: shift+tab");
  const second = await stage.open();
  await second.until("shift+tab for the modes");
  second.type(`hello${keys.enter}`);
  await second.until("Hello.");
  expect(second.screen()).not.toContain("tip:");
});

test("B8.4 keys can be bound otherwise, cycleModes narrows the cycle, and an unknown action is reported", async () => {
  const settings = { keybindings: { cycleMode: "f2", cycleModes: "f3" }, cycleModes: ["plan", "default"] };
  const { terminal } = await begin({ settings });
  await terminal.until('keybindings: there is no action "cycleModes"');
  terminal.type(keys.shiftTab);
  terminal.type("\u001BOQ");
  await terminal.until("plan mode on");
  terminal.type("\u001BOQ");
  await terminal.until("shift+tab for the modes");
});

test("R15.5 a mode that cannot be had leaves the old one, and the person is told", async () => {
  const { terminal } = await begin();
  terminal.type(`/mode bypassPermissions${keys.enter}`);
  await terminal.until("mode stays as it is");
  expect(terminal.screen()).toContain("? for help");
});

test("B8.7 an answer awaited rings the bell only while the terminal is not in front", async () => {
  const { terminal } = await begin({ script: asking });
  const bells = (): number => terminal.raw().split("\u0007").length - 1;
  terminal.type("\u001B[I");
  terminal.type(`plan${keys.enter}`);
  await terminal.until("Enter plan mode?");
  expect(bells()).toBe(0);
  await press(terminal, "n", "Turn 2.");
  terminal.type("\u001B[O");
  terminal.type(`plan${keys.enter}`);
  await terminal.until("Enter plan mode?");
  await expect.poll(bells).toBe(1);
});

test("B7.3 the status line has the tokens of planning and the budget, and /cost says more", async () => {
  const reply = { text: "Planned.", usage: { inputTokens: 12_000, outputTokens: 345 } };
  const settings = { maxPlanningTokens: 50_000 };
  const { terminal } = await begin({ settings, script: () => reply }, ["--permission-mode", "plan"]);
  terminal.type(`plan${keys.enter}`);
  await terminal.until("planning 12.3k of 50.0k tokens $0.03");
  terminal.type(`/cost${keys.enter}`);
  await terminal.until("planning  12.3k tokens in 1 requests, $0.0274");
});

test("NO_COLOR sends no colour, and the plain form for screen readers sends no escape sequence at all", async () => {
  const { stage, terminal } = await begin({ script }, [], { environment: { NO_COLOR: "1" } });
  terminal.type(`hello${keys.enter}`);
  await terminal.until("The plan is written.");
  expect(terminal.raw()).not.toMatch(/\u001B\[[\d;]*(3[0-8]|4[0-8])[\d;]*m/);
  const plain = await stage.open([], { environment: { GROUNDPLAN_SCREEN_READER: "1" } });
  await plain.until("model: anthropic");
  plain.type(`hello again${keys.enter}`);
  await plain.until("The plan is written.");
  plain.type(`/mode plan${keys.enter}`);
  await plain.until("plan mode on");
  plain.type(keys.ctrlD);
  expect(await plain.exited).toBe(0);
  expect(plain.raw()).not.toContain("\u001B");
});

test("files and commands are offered for the word at the cursor, also when it was typed at once", async () => {
  const { stage, terminal } = await begin();
  terminal.type("look at @ca");
  await terminal.until("→ src/cart.js");
  terminal.type(`${keys.enter}please`);
  await terminal.until("❯ look at @src/cart.js please");
  expect(stage.stage.server.requests).toHaveLength(0);
  terminal.type(keys.ctrlC);
  await terminal.until(/─\n❯\n─/);
  terminal.type("@ca\t");
  await terminal.until(/❯ @src\/cart\.js\n/);
  terminal.type(keys.ctrlC);
  await terminal.until(/─\n❯\n─/);
  terminal.type("/tod");
  await terminal.until("→ /todos");
  terminal.type(keys.enter);
  await terminal.until("❯ /todos");
});

test("a large paste is one line in the input and whole in the message; history brings it back in the next session", async () => {
  const { stage, terminal } = await begin();
  const text = Array.from({ length: 40 }, (_, index) => `pasted line ${index}`).join("\n");
  terminal.type(`\u001B[200~${text}\u001B[201~`);
  await terminal.until(/\[paste #1 \+40 lines\]/);
  terminal.type(keys.enter);
  await terminal.until("Hello.");
  expect(JSON.stringify(stage.stage.server.requests[0]!.body)).toContain("pasted line 39");
  terminal.type(`and a short one${keys.enter}`);
  await terminal.until((screen) => screen.split("Hello.").length === 3);
  const next = await stage.open();
  await next.until("claude");
  await until("the history is there", async () => {
    next.type(keys.up);
    return next.until(/❯ and a short one|pasted line/, 3_000).catch(() => null);
  });
  if (next.screen().includes("pasted line")) next.type(keys.down);
  await next.until("❯ and a short one");
  await expect.poll(() => readFileSync(join(stage.stage.home, "state.json"), "utf8")).toContain('"sessions": 2');
});

test("agents show their progress while they work, and ctrl+o opens what tools did and closes it again", async () => {
  const { promise: held, release } = gate();
  const { terminal } = await begin(
    {
      script: async ({ body }) => {
        if (body.includes("You are Explore")) {
          if (!body.includes("tool_result")) return { calls: [{ tool: "Read", input: { file_path: "src/cart.js" } }] };
          await held;
          return { text: "Found it in src/cart.js." };
        }
        if (body.includes("Found it")) return { text: "The agent is done." };
        const input = { description: "find the cart", prompt: "Look.", subagent_type: "Explore" };
        return { calls: [{ tool: "Agent", input }] };
      },
    },
    ["--permission-mode", "plan"],
  );
  terminal.type(`where is the cart?${keys.enter}`);
  await terminal.until(/◌ Agent find the cart\n    └ Explore · \S+ · 1 call · \S+ tokens · Read cart\.js/);
  await terminal.until(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] an agent is working \d+s · esc(ape)? to stop/);
  release();
  await terminal.until("The agent is done.");
  expect(terminal.screen()).toMatch(/▸ Agent find the cart\n    └ Explore · \S+ · 1 call · \S+ tokens\n/);
  terminal.type(keys.ctrlO);
  await terminal.until(/▾ Agent find the cart[^]*Found it in src\/cart\.js\./);
  terminal.type(keys.ctrlO);
  await terminal.until((screen) => screen.includes("▸ Agent find the cart") && !screen.includes("Found it in"));
});

function gate(): { readonly promise: Promise<void>; readonly release: () => void } {
  let open: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, release: () => open?.() };
}
