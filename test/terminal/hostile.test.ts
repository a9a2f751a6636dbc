/** Hostile text from the model, from files, tools and names: it is shown, and does nothing else. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, setTerminalStage } from "./stage.ts";

const attack = [
  "\u001B[2J\u001B[H\u001B[3Jcleared?",
  "\u001B]0;stolen title\u0007",
  "\u001B]52;c;c3RvbGVu\u0007",
  "\u001B[?1049h",
  "\u009B2J\u0090q\u009C",
  "\u202Egnp.exe\u202C and zero\u200Bwidth and \u2066isolated\u2069",
  "\rover the line",
  "\u0008\u0008\u0008back",
  "family 👨‍👩‍👧‍👦 wide 漢字漢字 flag 🇩🇪 marks Z\u0351\u036B\u0343\u036A\u0302",
  "a".repeat(5_000),
].join(" ");

/** The only sequences that the program itself has reason to send. */
const own =
  /\u001B(?:\[(?:[\d;]*m|\d*[ABCJLM]|2K|\?(?:2026|2004|1004|25)[hl]|\?u|>[\d;]+[um]|<u)|\](?:9|777);[^\u0007]*\u0007)/g;

function expectHarmless(raw: string): void {
  const rest = raw.replaceAll(own, "");
  expect(rest.match(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g) ?? []).toEqual([]);
  expect(rest.match(/[\u200B\u202A-\u202E\u2066-\u2069]/g) ?? []).toEqual([]);
  expect(raw).not.toMatch(/\u001B\[[23]J/);
}

test("escape sequences, bidi, zero width, emoji, CJK and long lines from model, files, tools and names stay text", async () => {
  const stage = await setTerminalStage({
    files: { "a.txt": `${attack}\n`, "long.txt": `${"x".repeat(10_000_000)}\n` },
    script: ({ turn }) => {
      if (turn === 1)
        return {
          text: `# ${attack}\n\n- ${attack}\n\n\`\`\`js\n${attack}\n\`\`\`\n\n| ${attack} | b |\n|---|---|\n| c | ${attack} |\n\n[${attack}](http://x/${attack})\n`,
          calls: [
            { tool: "Read", input: { file_path: "a.txt" } },
            { tool: "Read", input: { file_path: "long.txt" } },
            { tool: "Grep", input: { pattern: attack } },
            { tool: "Bash", input: { command: "cat a.txt" } },
            { tool: attack.slice(0, 40), input: {} },
            { tool: "TodoWrite", input: { todos: [{ content: attack, status: "pending" }] } },
          ],
        };
      return turn === 2 ? { text: `${"long ".repeat(600_000)}\n\nEnd of it.` } : { text: "Still here." };
    },
  });
  writeFileSync(join(stage.stage.repository, "evil\u001B[31m\u202Ename.txt"), "x");
  const terminal = await stage.open([], { columns: 60, rows: 20 });
  await terminal.until("claude");
  terminal.type(`read it all${keys.enter}`);
  await terminal.until("too long for the screen");
  terminal.type(`still there?${keys.enter}`);
  await terminal.until("Still here.");
  terminal.type(keys.ctrlO);
  terminal.type("look at @");
  await terminal.until(/→ (long|a).txt/);
  terminal.type(keys.escape);
  await terminal.until((screen) => !screen.includes("→"));
  terminal.type(keys.ctrlC);
  await terminal.until(/─+\n❯\n─+\n/);
  terminal.type(keys.pageUp);
  await terminal.until("reading back");
  terminal.type(keys.escape);
  await terminal.until(/─+\n❯\n─+\n/);
  expectHarmless(terminal.raw());
  expect(terminal.everything()).toContain("\\u{1b}[2J");
  expect(terminal.everything()).toContain("\\u{202e}");
  expect(terminal.everything()).toContain("漢字漢字");
  expect(terminal.broken()).toBe(0);
});

test("a title of a session cannot do anything in the list of /resume, nor a plan on its way to approval", async () => {
  const stage = await setTerminalStage({
    script: ({ turn, planFile }) => {
      if (turn === 1) return { text: "Heard." };
      if (turn === 2) return { calls: [{ tool: "Write", input: { file_path: planFile(), content: `# ${attack}\n` } }] };
      return { calls: [{ tool: "ExitPlanMode", input: {} }] };
    },
  });
  const first = await stage.stage.run(["-p", attack.slice(0, 60)]);
  expect(first.code).toBe(0);
  const terminal = await stage.open(["--permission-mode", "plan"]);
  await terminal.until("claude");
  terminal.type(`/resume${keys.enter}`);
  await terminal.until("Go on with");
  terminal.type(keys.escape);
  await terminal.until((screen) => !screen.includes("Go on with"));
  terminal.type(`plan it${keys.enter}`);
  await terminal.until("Approve this plan?");
  expect(terminal.screen()).toContain("\\u{1b}[2J");
  expectHarmless(terminal.raw());
});

test("settings of a hostile project are complained about in plain text, on the terminal and headless", async () => {
  const key = "evil\u001B[31m\u001B]0;t\u0007\u202E";
  const stage = await setTerminalStage({
    script: () => ({ text: "Hello." }),
    files: { ".groundplan/settings.json": JSON.stringify({ [key]: 1 }) },
  });
  const shown = 'unknown setting "evil\\u{1b}[31m\\u{1b}]0;t\\u{7}\\u{202e}"';
  const headless = await stage.stage.run(["-p", "hello"]);
  expect(headless).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(shown) });
  expectHarmless(headless.stderr);
  const terminal = await stage.open([], { columns: 200 });
  expect(await terminal.exited).toBe(2);
  expect(terminal.everything()).toContain(shown);
  expectHarmless(terminal.raw());
});

test("B2.5 -p on a terminal: the answer is shown and does nothing, as text and as JSON; a pipe gets its bytes", async () => {
  const text = `hi \u001B]52;c;QUFB\u0007\u001B]0;evil\u0007\u001B[2J \u009B2J \u202Ex`;
  const stage = await setTerminalStage({ script: () => ({ text }) });
  for (const output of ["text", "json", "stream-json"]) {
    const terminal = await stage.open(["-p", "hello", "--output-format", output]);
    expect(await terminal.exited).toBe(0);
    expect(terminal.everything()).toContain("52;c;QUFB");
    expectHarmless(terminal.raw());
  }
  expect((await stage.stage.run(["-p", "hello"])).stdout).toBe(`${text}\n`);
});
