/** The permission loop without a terminal: a driving program's answers, an agent's question, and what commands changed (B18). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { drive } from "./driving.ts";
import { openStage, type Stage } from "./program.ts";

const files = { "make.mjs": 'console.log("made");\n', "other.mjs": 'console.log("other");\n' };
const run = (command: string): ScriptedTurn => ({ calls: [{ tool: "Bash", input: { command } }] });

const stageWith = (turns: readonly ScriptedTurn[]): Promise<Stage> =>
  openStage({ files, script: (_, turn) => turns[turn - 1] ?? { text: "Nothing more." } });

test("B18.1 B18.2 a driving program allows for the session what was offered, and its no can end the turn", async () => {
  const stage = await stageWith([
    run("node make.mjs | cat"),
    run("node make.mjs --again"),
    run("node other.mjs"),
    { text: "Heard." },
  ]);
  const session = drive(stage, ["go"]);
  const first = await session.until(({ type }) => type === "permission.requested");
  const rules = ["Bash(node make.mjs:*)"];
  expect(first["offers"]).toEqual({ session: rules, always: rules });
  session.send({ type: "permission", id: first["id"], allow: true, for: "session" });
  const second = await session.until(({ type, id }) => type === "permission.requested" && id !== first["id"]);
  expect(second["input"]).toEqual({ command: "node other.mjs" });
  session.send({ type: "permission", id: second["id"], allow: false, stop: true });
  await session.until(({ type, id }) => type === "permission.answered" && id === second["id"]);
  session.send({ type: "user", text: "and now" });
  await session.until(({ type, text }) => type === "message" && text === "Heard.");
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  expect(stage.server.requests).toHaveLength(4);
  expect(JSON.stringify(stage.server.requests[3]!.body)).toContain("and now");
  expect(existsSync(join(stage.repository, ".groundplan"))).toBe(false);
});

test("B18.3 a rule covers a line whose other parts only read, and no file that it writes", async () => {
  const commands = [
    "node make.mjs 2>&1 | tail -1",
    "node make.mjs > out.txt",
    "cd / && node make.mjs",
    "node other.mjs",
  ];
  const stage = await stageWith([...commands.map(run), { text: "Done." }]);
  const settings = JSON.stringify({ permissions: { allow: ["Bash(node make.mjs *)"] } });
  const { stdout } = await stage.run(["-p", "go", "--output-format", "json", "--settings", settings]);
  const { denials } = JSON.parse(stdout) as { denials: readonly { input: { command: string } }[] };
  expect(denials.map(({ input }) => input.command)).toEqual(commands.slice(1));
});

test("B18.5 changed counts what commands changed", async () => {
  const stage = await stageWith([run("mv make.mjs moved.mjs && touch new.txt"), { text: "Done." }]);
  const mode = ["--permission-mode", "acceptEdits"];
  const { stdout } = await stage.run(["-p", "go", "--output-format", "json", ...mode]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "done", changed: ["make.mjs", "moved.mjs", "new.txt"] });
});

test("B18.2 a rule that is not understood is reported at the start", async () => {
  const stage = await stageWith([{ text: "Done." }]);
  const settings = JSON.stringify({ permissions: { deny: ["Bash(git push * main)"], allow: ["Bash(npm test *)"] } });
  const { stderr } = await stage.run(["-p", "go", "--settings", settings]);
  expect(stderr).toContain('permissions.deny "Bash(git push * main)": not understood, a star counts at the end alone');
  expect(stderr).not.toContain("permissions.allow");
});
