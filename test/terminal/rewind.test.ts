/** Going back on a terminal: the picker by /rewind and by Esc twice, what it shows, and what it does to files and conversation. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import type { Pty } from "./pty.ts";
import { until } from "../support/until.ts";
import { answered, keys, setTerminalStage, type TerminalStage } from "./stage.ts";

const turns: readonly ScriptedTurn[] = [
  { calls: [{ tool: "Write", input: { file_path: "one.js", content: "export const one = 1;\n" } }] },
  { text: "One is there." },
  { calls: [{ tool: "Bash", input: { command: "echo changed > a.ts && mv one.js two.js" } }] },
  { text: "Two is there." },
];

interface Begun {
  readonly stage: TerminalStage;
  readonly terminal: Pty;
  readonly bodies: string[];
}

async function begin(environment: (stage: TerminalStage) => Record<string, string> = () => ({})): Promise<Begun> {
  const bodies: string[] = [];
  const stage = await setTerminalStage({
    script: ({ turn, body }) => {
      bodies.push(body);
      return turns[turn - 1] ?? { text: "Something else, then." };
    },
  });
  const options = { columns: 100, rows: 40, environment: environment(stage) };
  const terminal = await stage.open(["--dangerously-skip-permissions", "--no-sandbox"], options);
  await terminal.until("claude");
  terminal.type(`make one${keys.enter}`);
  await terminal.until(answered("One is there."));
  terminal.type(`make two of it${keys.enter}`);
  await terminal.until(answered("Two is there."));
  return { stage, terminal, bodies };
}

const has = ({ stage }: TerminalStage, name: string): boolean => existsSync(join(stage.repository, name));
const textOf = ({ stage }: TerminalStage, name: string): string => readFileSync(join(stage.repository, name), "utf8");

test("B15.1 B15.3 /rewind shows prompts with files and lines, then the difference, and brings files and conversation back", async () => {
  const { stage, terminal, bodies } = await begin();
  terminal.type(`/rewind${keys.enter}`);
  const picker = await terminal.until("Go back to before");
  expect(picker).toMatch(/❯ make two of it +3 files, \+2 -2\n {2}make one +1 file, \+1 -0/);
  terminal.type(keys.enter);
  await terminal.until("Back to before: make two of it");
  terminal.type(`${keys.down}${keys.down}${keys.down}${keys.enter}`);
  await terminal.until("What would change");
  await terminal.until("+export const a = 1;");
  terminal.type(keys.enter);
  await terminal.until("Files brought back: 3.");
  expect([has(stage, "one.js"), has(stage, "two.js"), textOf(stage, "a.ts")]).toEqual([
    true,
    false,
    "export const a = 1;\n",
  ]);
  await terminal.until(/[❯>] make two of it/);
  terminal.type(`${keys.ctrlC}another way${keys.enter}`);
  await terminal.until(answered("Something else, then."));
  expect(bodies.at(-1)).toContain("make one");
  expect(bodies.at(-1)).not.toContain("make two of it");
  terminal.type(keys.ctrlD);
  expect(await terminal.exited).toBe(0);
});

test("B15.1 B15.3 Esc twice on an empty line opens the picker; a file of the person's is asked about, and left alone", async () => {
  const { stage, terminal } = await begin();
  writeFileSync(join(stage.stage.repository, "a.ts"), "mine\n");
  terminal.type(`${keys.escape}${keys.escape}`);
  await terminal.until("Go back to before");
  terminal.type(keys.escape);
  await terminal.until((screen) => !screen.includes("Go back to before"));
  terminal.type("\u001B[27u\u001B[27u");
  await terminal.until("Go back to before");
  terminal.type(`${keys.down}${keys.enter}`);
  await terminal.until("Back to before: make one");
  terminal.type(`${keys.down}${keys.enter}`);
  await terminal.until("Changed by you or others since: a.ts");
  terminal.type(keys.enter);
  await terminal.until("changed by somebody else: a.ts");
  expect([has(stage, "one.js"), has(stage, "two.js"), textOf(stage, "a.ts")]).toEqual([false, false, "mine\n"]);
  terminal.type(keys.ctrlD);
  expect(await terminal.exited).toBe(0);
  const redone = await stage.stage.run(["redo"]);
  expect(redone).toMatchObject({ code: 0 });
  expect([has(stage, "two.js"), textOf(stage, "a.ts")]).toEqual([true, "mine\n"]);
});

test("B15.3 undo is refused while the session is open elsewhere, and says where", async () => {
  const { stage, terminal } = await begin();
  const refused = await stage.stage.run(["undo"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`is open in process ${terminal.pid()}: close it there first`);
  expect(has(stage, "two.js")).toBe(true);
});

test("B15.3 at a terminal `groundplan undo` shows what it would do, asks, and overwrites a changed file only on a second yes", async () => {
  const { stage, terminal } = await begin();
  terminal.type(keys.ctrlD);
  await terminal.exited;
  writeFileSync(join(stage.stage.repository, "a.ts"), "mine\n");
  const declined = await stage.open(["undo"]);
  await declined.until("Go back? [y/N]");
  declined.type(keys.enter);
  expect(await declined.exited).toBe(1);
  expect(has(stage, "two.js")).toBe(true);
  const asked = await stage.open(["undo"]);
  const shown = await asked.until("Go back? [y/N]");
  expect(shown).toContain("Back to before: make two of it");
  expect(shown).toContain("changed by somebody else since:");
  asked.type(`y${keys.enter}`);
  await asked.until("Overwrite the 1 that you changed, too? [y/N]");
  asked.type(`y${keys.enter}`);
  expect(await asked.exited).toBe(0);
  expect([has(stage, "one.js"), has(stage, "two.js"), textOf(stage, "a.ts")]).toEqual([
    true,
    false,
    "export const a = 1;\n",
  ]);
});

/** Holds the first file that a rewind puts in its place until somebody writes to the pipe. */
const plant = `
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const real = fs.promises.rename;
let begun = false;
fs.promises.rename = async (...args) => {
  if (begun) {
    begun = false;
    fs.writeFileSync(process.env.HELD, "");
    await fs.promises.readFile(process.env.GO);
  } else begun = String(args[1]).endsWith("rewind.json");
  return real(...args);
};
syncBuiltinESMExports();
`;

test("B15.3 B15.4 a prompt that is sent while a rewind writes files waits for it: files, log and conversation agree", async () => {
  const places = { held: "", go: "" };
  const { stage, terminal, bodies } = await begin(({ stage: { home } }) => {
    const place = (name: string): string => join(home, "..", name);
    Object.assign(places, { held: place("held"), go: place("go") });
    writeFileSync(place("plant.cjs"), plant);
    execFileSync("mkfifo", [places.go]);
    return { NODE_OPTIONS: `--require=${place("plant.cjs")}`, HELD: places.held, GO: places.go };
  });
  const asked = bodies.length;
  terminal.type(`/rewind${keys.enter}`);
  await terminal.until("Go back to before");
  terminal.type(keys.enter);
  await terminal.until("Back to before: make two of it");
  terminal.type(keys.enter);
  await terminal.until("Going back; what you send meanwhile waits for it.");
  await until("the rewind to be held", () => existsSync(places.held));
  terminal.type("another way");
  await terminal.until("another way");
  terminal.type(keys.enter);
  await terminal.until((screen) => !screen.includes("another way"));
  expect(bodies.length).toBe(asked);
  writeFileSync(places.go, "");
  await terminal.until(answered("Something else, then."));
  expect(bodies.at(-1)).toContain("another way");
  expect(bodies.at(-1)).not.toContain("make two of it");
  expect([has(stage, "one.js"), has(stage, "two.js"), textOf(stage, "a.ts")]).toEqual([
    true,
    false,
    "export const a = 1;\n",
  ]);
  terminal.type(`${keys.ctrlC}${keys.ctrlD}`);
  expect(await terminal.exited).toBe(0);
  const list = JSON.parse((await stage.stage.run(["undo", "--list", "--json"])).stdout) as { readonly label: string }[];
  expect(list.map(({ label }) => label)).toEqual(["make one", "another way"]);
});
