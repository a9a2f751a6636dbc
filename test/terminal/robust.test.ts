/** What a terminal can do to a program: resize, suspend, go away, be none at all; and what a crash must leave behind. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { finish } from "../headless/program.ts";
import { until } from "../support/until.ts";
import type { Pty } from "./pty.ts";
import { answered, keys, press, setTerminalStage, type TerminalStage, type TerminalStageOptions } from "./stage.ts";

async function stageWith(script: TerminalStageOptions["script"] = () => ({ text: "Hello." })): Promise<TerminalStage> {
  const stage = await setTerminalStage({ script });
  return stage;
}

/** Paste marks, news of focus, other keys and synchronised output are off, the cursor is visible, the line is as it was. */
function expectRestored(terminal: Pty): void {
  const raw = terminal.raw();
  for (const name of ["?2004", "?1004", "?2026"]) {
    expect(raw.lastIndexOf(`\u001B[${name}l`), `${name} is off`).toBeGreaterThan(raw.lastIndexOf(`\u001B[${name}h`));
  }
  expect(raw.lastIndexOf("\u001B[?25h")).toBeGreaterThan(raw.lastIndexOf("\u001B[?25l"));
  if (raw.includes("\u001B[>4;2m"))
    expect(raw.lastIndexOf("\u001B[>4;0m")).toBeGreaterThan(raw.lastIndexOf("\u001B[>4;2m"));
  if (raw.includes("\u001B[>5u")) expect(raw.lastIndexOf("\u001B[<u")).toBeGreaterThan(raw.lastIndexOf("\u001B[>5u"));
  expect(raw).not.toMatch(/\u001B\[[23]J/);
}

const afterwards =
  '"$@"; code=$?; stty -a | tr " " "\\n" | grep -E "^-?(icanon|echo);?$"; echo "code $code"; exec sleep 600';

test("typing while the model works waits its turn, Esc stops, Ctrl-C clears and twice leaves, the line is given back", async () => {
  const stage = await stageWith(({ turn }) =>
    turn === 1 ? { text: "Slow", hang: true } : { text: `Answer ${turn}.` },
  );
  const terminal = await stage.open([], { through: afterwards });
  await terminal.until("claude");
  terminal.type(`one${keys.enter}`);
  await terminal.until("Slow");
  terminal.type(`two${keys.enter}`);
  await terminal.until("queued: two");
  terminal.type(keys.escape);
  await terminal.until("goes with your next message");
  terminal.type(`three${keys.enter}`);
  await terminal.until(answered("Answer 2."));
  expect(stage.stage.server.requests.at(-1)!.bytes.toString()).toMatch(/two[^]*three/);
  terminal.type("half a thought");
  await terminal.until("❯ half a thought");
  terminal.type(keys.ctrlC);
  await terminal.until((screen) => !screen.includes("half a thought"));
  await until("it was pressed twice within moments, and leaves", async () => {
    terminal.type(keys.ctrlC);
    await terminal.until(/ctrl\+c again to leave|code 0/);
    terminal.type(keys.ctrlC);
    return terminal.until("code 0", 10_000).catch(() => null);
  });
  expect(terminal.screen()).toMatch(/^icanon;?$/m);
  expect(terminal.screen()).toMatch(/^echo;?$/m);
  expect(terminal.screen()).toContain("To go on: groundplan --resume");
  expectRestored(terminal);
});

test("a session left is gone on with: --continue shows it again, /resume lists and changes to another", async () => {
  const stage = await stageWith(({ turn }) => ({ text: `Answer ${turn}.` }));
  const before = await stage.open();
  await before.until("claude");
  before.type(`the first session${keys.enter}`);
  await before.until(answered("Answer 1."));
  before.type(`/exit${keys.enter}`);
  expect(await before.exited).toBe(0);
  const again = await stage.open(["--continue"]);
  await again.until(answered("Answer 1."));
  expect(again.screen()).toContain("❯ the first session");
  again.type(keys.ctrlD);
  await again.exited;
  const other = await stage.open();
  await other.until("claude");
  other.type(`/resume${keys.enter}`);
  await other.until("Go on with");
  other.type(keys.enter);
  await other.until(answered("Answer 1."));
  other.type(`and on${keys.enter}`);
  await other.until(answered("Answer 2."));
  expect(stage.stage.server.requests.at(-1)!.bytes.toString()).toContain("the first session");
});

test("resizing keeps one input and one status line, at every width, and clears nothing", async () => {
  const stage = await stageWith(() => ({
    text: "A sentence that is long enough to be broken at forty columns for certain.",
  }));
  const terminal = await stage.open();
  await terminal.until("claude");
  terminal.type(`hello${keys.enter}`);
  await terminal.until("for certain.");
  for (const [columns, rows] of [
    [40, 12],
    [100, 30],
    [61, 9],
    [80, 24],
  ] as const) {
    terminal.resize(columns, rows);
    await terminal.until((screen) =>
      screen.includes(`\n${"─".repeat(columns)}\n❯\n${"─".repeat(columns)}\n  ? for help`),
    );
    expect(terminal.screen().match(/^❯$/gm)).toHaveLength(1);
    expect(terminal.screen().match(/\? for help/g)).toHaveLength(1);
  }
  expect(terminal.raw()).not.toMatch(/\u001B\[[23]J/);
});

test("Ctrl-Z gives the terminal to the shell, and fg brings the screen back", async () => {
  const stage = await stageWith();
  const terminal = await stage.open([], {
    through: 'set -m; "$@"; echo STOPPED; stty -a | grep -c " icanon"; fg > /dev/null; echo BACK',
  });
  await terminal.until("claude");
  terminal.type("draft");
  await terminal.until("❯ draft");
  terminal.type(keys.ctrlZ);
  await terminal.until((screen) => /STOPPED\n1\n[^]*─+\n❯ draft\n─+\n/.test(screen));
  terminal.type(` goes on${keys.enter}`);
  await terminal.until(answered("Hello."));
  terminal.type(keys.ctrlD);
  await terminal.until("BACK");
  expectRestored(terminal);
});

test("where nobody could continue it, Ctrl-Z does not strand the program", async () => {
  const stage = await stageWith();
  const terminal = await stage.open();
  await terminal.until("claude");
  terminal.type(keys.ctrlZ);
  terminal.type(`hello${keys.enter}`);
  await terminal.until("Hello.");
});

test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)(
  "%s ends it, the terminal is restored and the session can be resumed",
  async (signal) => {
    const stage = await stageWith(({ turn }) => (turn === 1 ? { text: "Before." } : { text: "Half", hang: true }));
    const terminal = await stage.open();
    await terminal.until("claude");
    terminal.type(`one${keys.enter}`);
    await terminal.until(answered("Before."));
    terminal.type(`two${keys.enter}`);
    await terminal.until("Half");
    terminal.kill(signal);
    await terminal.exited;
    expectRestored(terminal);
    const again = await stage.open(["--continue"]);
    await again.until("Before.");
  },
);

test("a terminal that closes ends the process, and the session can be resumed", async () => {
  const stage = await stageWith();
  const terminal = await stage.open();
  await terminal.until("claude");
  terminal.type(`one${keys.enter}`);
  await terminal.until(answered("Hello."));
  const pid = terminal.pid();
  terminal.hangUp();
  await terminal.exited;
  await expect.poll(() => spawnSync("kill", ["-0", String(pid)]).status).not.toBe(0);
  const again = await stage.open(["--continue"]);
  await again.until("Hello.");
});

test("an exception that nobody caught restores the terminal, and says what happened and how to go on", async () => {
  const stage = await stageWith();
  const crash = join(dirname(stage.stage.repository), "crash.cjs");
  const pid = `${crash}.pid`;
  const note = `require("node:fs").writeFileSync(${JSON.stringify(pid)}, String(process.pid), { flag: "wx" });`;
  writeFileSync(
    crash,
    `try { ${note} } catch {}\nprocess.on("SIGUSR2", () => { throw new Error("broken on purpose"); });\n`,
  );
  const terminal = await stage.open([], { environment: { NODE_OPTIONS: `--require ${crash}` }, through: afterwards });
  await terminal.until("claude");
  terminal.type(`one${keys.enter}`);
  await terminal.until(answered("Hello."));
  process.kill(Number(readFileSync(pid, "utf8")), "SIGUSR2");
  await terminal.until("code 1");
  expect(terminal.everything()).toContain("broken on purpose");
  expect(terminal.everything()).toContain("groundplan --resume");
  expect(terminal.screen()).toMatch(/^icanon;?$/m);
  expectRestored(terminal);
});

test("output into a file: the headless way, and not one escape sequence", async () => {
  const stage = await stageWith();
  const piped = await finish(stage.stage.start(["hello"]), "");
  expect(piped).toMatchObject({ code: 0, stdout: "Hello.\n" });
  const file = join(dirname(stage.stage.repository), "out.txt");
  const terminal = await stage.open(["hello"], { through: `"$@" > '${file}'; echo "code $?"; exec sleep 600` });
  await terminal.until("code 0");
  expect(readFileSync(file, "utf8")).toBe("Hello.\n");
  expect(terminal.raw()).not.toContain("\u001B");
});

test("TERM=dumb: plain lines, with questions and approvals, and not one escape sequence", async () => {
  const stage = await stageWith(({ turn, planFile }) => {
    if (turn === 1) return { calls: [{ tool: "Write", input: { file_path: planFile(), content: "# A plan\n" } }] };
    return turn === 2 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "Approved, then." };
  });
  const dumb = await stage.open(["--permission-mode", "plan", "plan it"], { environment: { TERM: "dumb" } });
  await dumb.until("Your choice:");
  await press(dumb, "2\n", (screen) => screen.includes("Approved, then."));
  dumb.type("/exit\n");
  expect(await dumb.exited).toBe(0);
  expect(dumb.raw()).toContain("accept edits on");
  expect(dumb.raw()).not.toContain("\u001B");
});

test("a folder that brings settings is asked about once: words typed ahead go to the input, no is selected", async () => {
  const stage = await setTerminalStage({
    script: ({ turn }) => ({ text: `Answer ${turn}.` }),
    files: { ".groundplan/settings.json": '{"permissions": {"allow": ["Bash(npm test)"]}}' },
  });
  const terminal = await stage.open();
  terminal.type(`hello there${keys.enter}`);
  await terminal.until("Trust the settings of this folder?");
  expect(terminal.screen()).toContain("❯ No, go on without these settings");
  expect(stage.stage.server.requests).toHaveLength(0);
  await press(terminal, keys.enter, (screen) => screen.includes("Answer 1."));
  const again = await stage.open();
  await again.until("(--trust)");
  expect(again.screen()).not.toContain("Trust the settings");
});

test("another model goes on in the same session, and one that cannot be had changes nothing", async () => {
  const stage = await stageWith(({ turn }) => ({ text: `Answer ${turn}.` }));
  const terminal = await stage.open();
  await terminal.until("claude-sonnet");
  terminal.type(`one${keys.enter}`);
  await terminal.until(answered("Answer 1."));
  terminal.type(`/model nope/x${keys.enter}`);
  await terminal.until('"nope/x" is not a model name');
  await terminal.until("anthropic/claude-sonnet");
  terminal.type(`/model openai/gpt-6-luna${keys.enter}`);
  await terminal.until("openai/gpt-6-luna");
  terminal.type(`two${keys.enter}`);
  await terminal.until(answered("Answer 2."));
  expect(terminal.screen().match(/Answer 1\./g)).toHaveLength(1);
  expect(stage.stage.server.requests.at(-1)!.path).not.toContain("messages");
  expect(stage.stage.server.requests.at(-1)!.bytes.toString()).toContain("Answer 1.");
});

test("while an editor has the terminal nothing is drawn over it, what happened meanwhile is there afterwards, and only one opens", async () => {
  const words = Array.from({ length: 40 }, (_, index) => `Sentence ${index + 1}.\n\n`);
  const stage = await stageWith(() => ({ text: words, eventDelayMs: 50 }));
  const editor = join(dirname(stage.stage.repository), "editor.sh");
  writeFileSync(editor, 'echo EDITOR BEGINS; sleep 1; echo EDITOR ENDS; printf "written there" > "$1"\n');
  const terminal = await stage.open([], { environment: { VISUAL: `sh ${editor}` } });
  await terminal.until("claude");
  terminal.type(`go${keys.enter}`);
  await terminal.until("Sentence 3.");
  terminal.type(keys.ctrlG + keys.ctrlG);
  await terminal.until("❯ written there");
  await terminal.until("Sentence 40.");
  const raw = terminal.raw();
  expect(raw.match(/EDITOR BEGINS/g)).toHaveLength(1);
  expect(raw.slice(raw.indexOf("EDITOR BEGINS"), raw.indexOf("EDITOR ENDS"))).toMatch(/^EDITOR BEGINS\s+$/);
  for (const word of words) expect(terminal.everything().split(word.trim())).toHaveLength(2);
});

test("who reads back while something is asked is told so, and finds the question behind it", async () => {
  let ask: (() => void) | undefined;
  const isRead = new Promise<void>((resolve) => (ask = resolve));
  const stage = await stageWith(async ({ turn }) => {
    await isRead;
    return turn === 1
      ? { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "export {};\n" } }] }
      : { text: "Done." };
  });
  const terminal = await stage.open();
  await terminal.until("claude");
  terminal.type(`write it${keys.enter}`);
  await terminal.until("esc to stop");
  terminal.type(keys.pageUp);
  await terminal.until("reading back");
  ask?.();
  await terminal.until("you are asked something else");
  terminal.type(keys.escape);
  await terminal.until("Write this new file?");
  expect(terminal.screen()).not.toContain("you are asked something else");
});
