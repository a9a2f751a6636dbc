/** The permission loop as a person types it: each answer, what is asked again, and what is not (B18). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { answered, keys, press, setTerminalStage } from "./stage.ts";

const write = (path: string): ScriptedTurn => ({
  calls: [{ tool: "Write", input: { file_path: path, content: "export const it = 1;\n" } }],
});
const run = (command: string): ScriptedTurn => ({ calls: [{ tool: "Bash", input: { command } }] });

const turns: readonly ScriptedTurn[] = [
  write("src/b.ts"),
  write("src/c.ts"),
  run("node make.mjs 2>&1 | tail -2"),
  run("cd src && node make.mjs --again"),
  run("node other.mjs"),
  { text: "As you like." },
  run("node other.mjs"),
  write("src/planned.ts"),
  { text: "I only plan." },
  write("src/d.ts"),
];

const files = {
  "make.mjs": 'console.log("made");\n',
  "src/make.mjs": 'console.log("made below");\n',
  "other.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("ran", "");\n',
};

test.each([60, 80, 120])(
  "B18.1 B18.2 B18.3 once, for the session, always, no with words, stop, plan mode, resumed: at %i columns",
  async (columns) => {
    const bodies: string[] = [];
    const staged = await setTerminalStage({
      files,
      script: ({ turn, body }) => {
        bodies.push(body);
        return turns[turn - 1] ?? { text: "Nothing more." };
      },
    });
    const has = (name: string): boolean => existsSync(join(staged.stage.repository, name));
    const terminal = await staged.open([], { columns, rows: 40 });
    await terminal.until("for the modes");
    terminal.type(`go${keys.enter}`);
    const edit = await terminal.until("Write this new file?");
    expect(edit).toMatch(/1\. Yes, once[^]*2\. Yes, for this session: edits in this project[^]*5\. No, and stop/);
    const command = await press(terminal, "s", "Run this command?");
    expect([has("src/b.ts"), has("src/c.ts")]).toEqual([true, true]);
    expect(command).toContain("for this session: node make.mjs …");

    const rule = await press(terminal, "a", "goes into your local settings");
    expect(rule.replaceAll(/\s+/g, " ")).toContain("Covers every command that begins with `node make.mjs`");
    terminal.type(keys.enter);
    const other = await terminal.until((screen) => /other\.mjs[^]*1\. Yes, once/.test(screen));
    expect(other.replaceAll(/\s+/g, " ")).toContain("git leaves out from now on");
    expect(other).not.toMatch(/\? Bash cd src/);

    await press(terminal, "n", "What should be done instead?");
    terminal.type(`use make.mjs${keys.enter}`);
    const told = await terminal.until(answered("As you like."));
    expect(told).toContain("❯ use make.mjs");
    expect(bodies.at(-1)).toContain("says what to do instead. Take it as their instruction:\\nuse make.mjs");

    terminal.type(`again${keys.enter}`);
    await terminal.until((screen) => /again[^]*Run this command\?/.test(screen));
    const asked = bodies.length;
    const stopped = await press(terminal, keys.escape, "Stopped. Say what to do instead.");
    expect(stopped).toContain("✗ Bash node other.mjs · denied");
    expect([bodies.length, has("ran")]).toEqual([asked, false]);

    terminal.type(keys.shiftTab);
    await terminal.until("accept edits on");
    terminal.type(keys.shiftTab);
    await terminal.until("plan mode on");
    terminal.type(`plan it${keys.enter}`);
    await terminal.until(answered("I only plan."));
    expect(has("src/planned.ts")).toBe(false);
    terminal.type(keys.shiftTab);
    await terminal.until((screen) => !screen.includes("plan mode on"));
    terminal.type(keys.ctrlD);
    expect(await terminal.exited).toBe(0);

    const again = await staged.open(["--continue"], { columns, rows: 40 });
    await again.until("for the modes");
    expect(again.screen()).not.toMatch(/trust this|not trusted/i);
    again.type(`once more${keys.enter}`);
    await again.until("Write this new file?");
    const { permissions } = JSON.parse(
      readFileSync(join(staged.stage.repository, ".groundplan/settings.local.json"), "utf8"),
    ) as {
      permissions: object;
    };
    expect(permissions).toEqual({ allow: ["Bash(node make.mjs:*)"] });
    expect(readFileSync(join(staged.stage.repository, ".git/info/exclude"), "utf8")).toContain(
      "/.groundplan/settings.local.json",
    );
  },
);

test("B18.1 Ctrl-C in a dialog stops the turn, in a question of the model's too; the next words are heard", async () => {
  const questions = [
    {
      question: "Which one?",
      header: "Which",
      options: [
        { label: "This", description: "" },
        { label: "That", description: "" },
      ],
      multiSelect: false,
    },
  ];
  const script: readonly ScriptedTurn[] = [
    run("node other.mjs"),
    { calls: [{ tool: "AskUserQuestion", input: { questions } }] },
    { text: "Then so." },
  ];
  const staged = await setTerminalStage({ files, script: ({ turn }) => script[turn - 1]! });
  const terminal = await staged.open([], { rows: 40 });
  await terminal.until("for the modes");
  terminal.type(`go${keys.enter}`);
  await terminal.until("Run this command?");
  await press(terminal, keys.ctrlC, "Stopped. Say what to do instead.");
  expect(staged.stage.server.requests).toHaveLength(1);
  terminal.type(`ask me${keys.enter}`);
  await terminal.until("Which one?");
  await press(terminal, keys.escape, (screen) => screen.split("Stopped. Say what to do").length === 3);
  expect(staged.stage.server.requests).toHaveLength(2);
  terminal.type(`this one${keys.enter}`);
  await terminal.until(answered("Then so."));
  expect(existsSync(join(staged.stage.repository, "ran"))).toBe(false);
});

test("B18.4 B18.5 acceptEdits asks before it removes a folder, not before it moves a file; what commands changed is named", async () => {
  const script: readonly ScriptedTurn[] = [run("mv make.mjs moved.mjs"), run("rm -rf src"), { text: "Kept." }];
  const staged = await setTerminalStage({ files, script: ({ turn }) => script[turn - 1]! });
  const terminal = await staged.open(["--permission-mode", "acceptEdits"], { rows: 40 });
  await terminal.until("accept edits on");
  terminal.type(`go${keys.enter}`);
  const dialog = await terminal.until("rm -rf src");
  await terminal.until("changed: make.mjs, moved.mjs");
  await press(terminal, "n", "What should be done instead?");
  expect(dialog).not.toContain("? Bash mv");
  terminal.type(keys.enter);
  await terminal.until(answered("Kept."));
  expect(existsSync(join(staged.stage.repository, "moved.mjs"))).toBe(true);
  expect(existsSync(join(staged.stage.repository, "src/make.mjs"))).toBe(true);
});
