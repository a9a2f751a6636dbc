/** The whole story on a terminal, typed by keys: from a task to the approved change, by every way in and out. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import type { Pty } from "./pty.ts";
import {
  answered,
  keys,
  press,
  setTerminalStage,
  type OpenOptions,
  type TerminalStage,
  type TerminalStageOptions,
} from "./stage.ts";

async function begin(
  options: TerminalStageOptions,
  args: readonly string[] = [],
  open: OpenOptions = {},
): Promise<{ readonly stage: TerminalStage; readonly terminal: Pty }> {
  const stage = await setTerminalStage({ files: { "src/cart.js": "export const total = 1;\n" }, ...options });
  const terminal = await stage.open(args, open);
  await terminal.until("claude");
  return { stage, terminal };
}

const first = "# Round totals\n\nWhole cents only.\n\n1. Round in `src/cart.js`\n";
const second = `${first}2. Add a test\n`;
const edit = { tool: "Edit", input: { file_path: "src/cart.js", old_string: "total = 1", new_string: "total = 2" } };
const question = {
  question: "Round half up or half even?",
  header: "Rounding",
  multiSelect: false,
  options: [
    { label: "Half up", description: "as people do" },
    { label: "Half even", description: "as banks do" },
  ],
};

/** Explores, tries to change something, asks, writes the plan, changes it when told to, carries it out. */
const wholeStory: TerminalStageOptions["script"] = ({ turn, planFile }): ScriptedTurn => {
  const turns: readonly (() => ScriptedTurn)[] = [
    () => ({ text: "I look first.", calls: [{ tool: "Read", input: { file_path: "src/cart.js" } }, edit] }),
    () => ({ calls: [{ tool: "AskUserQuestion", input: { questions: [question] } }] }),
    () => ({ calls: [{ tool: "Write", input: { file_path: planFile(), content: first } }] }),
    () => ({ calls: [{ tool: "ExitPlanMode", input: {} }] }),
    () => ({ calls: [{ tool: "Write", input: { file_path: planFile(), content: second } }] }),
    () => ({ calls: [{ tool: "ExitPlanMode", input: {} }] }),
    () => ({ calls: [edit] }),
  ];
  return turns[turn - 1]?.() ?? { text: "Totals are **rounded** now." };
};

/** Writes a plan and submits it; whatever comes of it, it says so. */
const shortStory: TerminalStageOptions["script"] = ({ turn, planFile, body }): ScriptedTurn => {
  if (turn === 1) return { calls: [{ tool: "Write", input: { file_path: planFile(), content: first } }] };
  if (turn === 2) return { calls: [{ tool: "ExitPlanMode", input: {} }] };
  if (turn === 3 && body.includes("## Approved Plan"))
    return { calls: [{ tool: "Write", input: { file_path: "src/new.js", content: "export {};\n" } }] };
  return { text: "That was turn three." };
};

function isChanged({ stage }: TerminalStage): boolean {
  return existsSync(join(stage.repository, "src/new.js"));
}

function cart({ stage }: TerminalStage): string {
  return readFileSync(join(stage.repository, "src/cart.js"), "utf8");
}

test("R2.1 R15.1 R15.3 the whole story: /plan task, exploration, question, plan, comment, difference, approval, edit, done", async () => {
  const { stage, terminal } = await begin({ script: wholeStory });
  terminal.type(`/plan round the totals${keys.enter}`);
  await terminal.until("Round half up or half even?");
  expect(terminal.screen()).toContain("Denied by plan mode: src/cart.js is not the plan file, which is");
  expect(terminal.screen()).toContain("⏸ plan mode on (shift+tab to cycle)");
  await press(terminal, `${keys.down}${keys.enter}`, "Approve this plan?");
  expect(terminal.everything()).toContain("→ Half even");
  await press(terminal, "c", "shift+↑↓ select");
  terminal.type(`${keys.down}c`);
  await terminal.until("Say it in a few words");
  terminal.type(`add a test${keys.enter}`);
  await terminal.until((screen) => !screen.includes("Say it in a few words") && screen.includes("add a test"));
  terminal.type(keys.escape);
  await terminal.until("enter answer");
  terminal.type("n");
  await terminal.until("What should change?");
  terminal.type(keys.enter);
  await terminal.until("revision 2");
  expect(stage.stage.server.requests.at(-2)!.bytes.toString()).toContain("add a test");
  expect(terminal.screen()).toContain("+1 −0");
  await press(terminal, "d", "Approve this plan? · difference");
  expect(cart(stage)).toBe("export const total = 1;\n");
  terminal.type("a");
  await terminal.until(answered("Totals are rounded now."));
  expect(terminal.screen()).toContain("⏵⏵ accept edits on (shift+tab to cycle)");
  expect(terminal.everything()).toContain("● Plan approved");
  expect(terminal.everything()).toMatch(/Plan sent back; still in plan mode\n╭─+╮\n│ Round totals +│/);
  expect(cart(stage)).toBe("export const total = 2;\n");
  terminal.type(keys.ctrlD);
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toMatch(/To go on: groundplan --resume [0-9a-f-]{36}/);
});

test.each([
  ["R2.2 Shift+Tab twice", [], "", `${keys.shiftTab}|${keys.shiftTab}`],
  ["R2.2 Shift+Tab as CSI-u", [], "", "\u001B[9;2u|\u001B[9;2u"],
  ["R2.2 Shift+Tab as modifyOtherKeys", [], "", "\u001B[27;2;9~|\u001B[27;2;9~"],
  ["R2.4 --permission-mode plan", ["--permission-mode", "plan"], "", ""],
  ["R2.4 defaultMode", [], "plan", ""],
  ["R2.1 /plan alone", [], "", `/plan${keys.enter}`],
  ["R2.1 /mode plan", [], "", `/mode plan${keys.enter}`],
])("the same story, entered by %s", async (_, args, defaultMode, typed) => {
  const settings = defaultMode === "" ? {} : { settings: { defaultMode } };
  const { stage, terminal } = await begin({ script: shortStory, ...settings }, args);
  for (const [index, input] of typed
    .split("|")
    .filter((part) => part !== "")
    .entries()) {
    terminal.type(input);
    if (index === 0 && typed.includes("|")) await terminal.until("accept edits on");
  }
  await terminal.until("plan mode on");
  terminal.type(`round the totals${keys.enter}`);
  await terminal.until("Approve this plan?");
  await press(terminal, "a", "That was turn three.");
  expect(isChanged(stage)).toBe(true);
});

test("R2.3 R6.3 the model asks to plan, the person says yes, and the story goes on in plan mode", async () => {
  const { stage, terminal } = await begin({
    script: (facts) =>
      facts.turn === 1
        ? { calls: [{ tool: "EnterPlanMode", input: {} }] }
        : shortStory({ ...facts, turn: facts.turn - 1 }),
  });
  terminal.type(`round the totals${keys.enter}`);
  await terminal.until("Enter plan mode?");
  await press(terminal, "y", "Approve this plan?");
  expect(terminal.screen()).toContain("plan mode on");
  await press(terminal, "a", "That was turn three.");
  expect(isChanged(stage)).toBe(true);
});

test.each([
  ["R7.4 approving each edit asks for each", "y", "Write this new file?", "default"],
  ["R7.4 fresh context goes on in a linked session", "f", "fresh context", "default"],
  ["R7.4 saving for later starts nothing", "s", "Plan saved for later", "default"],
  ["R7.4 abandoning leaves plan mode", "x", "Plan abandoned", "default"],
  ["R7.4 B2.2 Esc dismisses, and plan mode stays", keys.escape, "dismissed; still in plan mode", "plan"],
])("%s", async (_, input, shown, mode) => {
  const { stage, terminal } = await begin({ script: shortStory }, ["--permission-mode", "plan"]);
  terminal.type(`round the totals${keys.enter}`);
  await terminal.until("Approve this plan?");
  await press(terminal, input, (screen) => terminal.everything().includes(shown) && screen !== "");
  await terminal.until((screen) => screen.includes("plan mode on") === (mode === "plan"));
  expect(isChanged(stage)).toBe(false);
});

test.each([
  ["/plan off", `/plan off${keys.enter}`, "? for help"],
  ["Shift+Tab", keys.shiftTab, "? for help"],
  ["/mode acceptEdits", `/mode acceptEdits${keys.enter}`, "accept edits on"],
])("B4.1 %s leaves plan mode without an approval, and says so", async (_, input, status) => {
  const { stage, terminal } = await begin({ script: () => ({ text: "Hello." }) }, ["--permission-mode", "plan"]);
  await terminal.until("plan mode on");
  terminal.type(`hello${keys.enter}`);
  await terminal.until("Hello.");
  terminal.type(input);
  await terminal.until("nothing was approved");
  await terminal.until(status);
  terminal.type(`once more${keys.enter}`);
  await terminal.until((screen) => screen.split("Hello.").length === 3);
  expect(stage.stage.server.requests.at(-1)!.bytes.toString()).toMatch(
    /not approved|nothing was approved|without an approval/i,
  );
});

test("R15.2 R15.6 R17.2 dialogs by Esc, number and arrow keys, the phase on the status line, and a rule that is shown before it is kept", async () => {
  const enter: ScriptedTurn = { calls: [{ tool: "EnterPlanMode", input: {} }] };
  const { stage, terminal } = await begin(
    {
      script: ({ turn, planFile }) => {
        const turns: readonly (() => ScriptedTurn)[] = [
          () => enter,
          () => enter,
          () => ({ text: "I explore." }),
          () => ({ calls: [{ tool: "Write", input: { file_path: planFile(), content: first } }] }),
          () => ({ text: "It is written." }),
          () => ({ calls: [{ tool: "ExitPlanMode", input: {} }] }),
          () => ({ calls: [{ tool: "Write", input: { file_path: "src/new.js", content: "export {};\n" } }] }),
        ];
        return turns[turn - 1]?.() ?? { text: "That was all." };
      },
    },
    [],
    { columns: 100 },
  );
  terminal.type(`round the totals${keys.enter}`);
  await terminal.until("Enter plan mode?");
  await press(terminal, keys.escape, "Stopped. Say what to do instead.");
  expect(terminal.screen()).not.toContain("plan mode on");
  terminal.type(`do plan it${keys.enter}`);
  await terminal.until("Enter plan mode?");
  await press(terminal, "1", "I explore.");
  await terminal.until(/plan mode on[^]*\n +explore ·/);
  terminal.type(`write it down${keys.enter}`);
  await terminal.until("It is written.");
  await terminal.until(/plan mode on[^]*\n +finalize ·/);
  terminal.type(`submit it${keys.enter}`);
  await terminal.until("Approve this plan?");
  await press(terminal, keys.down, /❯ 2\. /);
  terminal.type(keys.up);
  await terminal.until(/❯ 1\. Approve, ask before each edit/);
  terminal.type(keys.enter);
  await terminal.until("Write this new file?");
  const local = join(stage.stage.repository, ".groundplan/settings.local.json");
  await press(terminal, "a", /goes into your local settings[^]*Edit\(src\/new\.js\)/);
  expect(existsSync(local)).toBe(false);
  terminal.type(keys.enter);
  await terminal.until("That was all.");
  expect(isChanged(stage)).toBe(true);
  await expect.poll(() => existsSync(local)).toBe(true);
  expect(JSON.parse(readFileSync(local, "utf8"))).toMatchObject({
    permissions: { allow: [expect.stringContaining("src/new.js")] },
  });
});

test("R4 /plan shows the plan, /plan open gives the terminal to the editor and takes it back, unknown commands go nowhere", async () => {
  const editor = 'sh -c \'stty -a | grep -q " icanon" && echo "by hand" >> "$1"; echo EDITOR WAS HERE\' editor';
  const { stage, terminal } = await begin({ script: shortStory }, ["--permission-mode", "plan"], {
    environment: { VISUAL: editor },
  });
  terminal.type(`/plan${keys.enter}`);
  await terminal.until("Already in plan mode. No plan written yet.");
  terminal.type(`/plna${keys.enter}`);
  await terminal.until("Unknown command: /plna");
  expect(stage.stage.server.requests).toHaveLength(0);
  terminal.type(`round the totals${keys.enter}`);
  await terminal.until("Approve this plan?");
  await press(terminal, keys.escape, "dismissed");
  terminal.type(`/plan${keys.enter}`);
  await terminal.until("Current Plan");
  await terminal.until('"/plan open" to edit this plan in sh');
  const name = readdirSync(join(stage.stage.home, "plans")).find((file) => file.endsWith(".md"));
  expect(terminal.screen()).toContain(name);
  const file = join(stage.stage.home, "plans", name!);
  expect(readFileSync(file, "utf8")).toBe(first);
  terminal.type(`/plan open${keys.enter}`);
  await terminal.until("Opened plan in editor:");
  expect(terminal.everything()).toContain("EDITOR WAS HERE");
  expect(readFileSync(file, "utf8")).toBe(`${first}by hand\n`);
  terminal.type(`go on${keys.enter}`);
  await terminal.until("That was turn three.");
  expect(stage.stage.server.requests.at(-1)!.bytes.toString()).toContain("+by hand");
});

test("B3.6 ctrl+r in a dialog that fills the screen shows the review page's address, whole, with the choices still in view", async () => {
  const long = `# Round totals\n\n${Array.from({ length: 60 }, (_, index) => `${index + 1}. Step\n`).join("")}`;
  const { terminal } = await begin(
    {
      script: ({ turn, planFile }) =>
        turn === 1
          ? { calls: [{ tool: "Write", input: { file_path: planFile(), content: long } }] }
          : { calls: [{ tool: "ExitPlanMode", input: {} }] },
    },
    ["--permission-mode", "plan"],
    { environment: { BROWSER: "true" } },
  );
  terminal.type(`round the totals${keys.enter}`);
  await terminal.until("Approve this plan?");
  const screen = await press(terminal, "\u0012", /^http:\/\/127\.0\.0\.1:\d+\/\S+token=\S+$/m);
  for (const part of ["Approve this plan?", "❯ 1. Approve, ask before each edit", "plan mode on"])
    expect(screen).toContain(part);
  expect(screen.split("\n").length).toBeLessThanOrEqual(24);
  terminal.type(keys.escape);
  await terminal.until("dismissed");
  expect((await terminal.still()).match(/http:\/\/127/g)).toHaveLength(1);
});

test("R4 an editor that fails is told, and ctrl+g writes a message in the editor", async () => {
  const { stage, terminal } = await begin({ script: shortStory }, ["--permission-mode", "plan"], {
    environment: { VISUAL: "sh ./editor.sh" },
  });
  const editor = join(stage.stage.repository, "editor.sh");
  writeFileSync(editor, 'printf "written outside\\nin two lines\\n" > "$1"\n');
  terminal.type(keys.ctrlG);
  await terminal.until(/❯ written outside\n {2}in two lines/);
  terminal.type(keys.enter);
  await terminal.until("Approve this plan?");
  expect(JSON.stringify(stage.stage.server.requests[0]!.body)).toContain("written outside\\nin two lines");
  await press(terminal, keys.escape, "dismissed");
  writeFileSync(editor, "exit 3\n");
  terminal.type(`/plan open${keys.enter}`);
  await terminal.until("Failed to open plan in editor: sh ended with exit code 3");
});

test.each([
  ["back to the earlier mode", ["--dangerously-skip-permissions"], /(\d)\. Approve, back to/, "bypass permissions on"],
  [
    "skip permissions",
    ["--allow-dangerously-skip-permissions"],
    /(\d)\. Approve, ask nothing at all/,
    "bypass permissions on",
  ],
])("R7.4 approving with %s is offered where the start allowed it", async (_, args, choice, status) => {
  const { stage, terminal } = await begin({ script: shortStory }, ["--permission-mode", "plan", ...args]);
  terminal.type(`round the totals${keys.enter}`);
  const screen = await terminal.until(choice);
  await press(terminal, choice.exec(screen)![1]!, status);
  await terminal.until("That was turn three.");
  expect(isChanged(stage)).toBe(true);
});
