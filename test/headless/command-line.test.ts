/** What is typed is understood, or refused with what could be meant; nothing is taken for something else. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandTable } from "../../src/cli/commands/table.ts";
import { finish, openStage, program, type Stage, type StageOptions } from "./program.ts";

async function stageWith(script: StageOptions["script"] = () => ({ text: "Fine." })): Promise<Stage> {
  return openStage({ script });
}

const json = ["--output-format", "json"];

test("every command has a --help, also behind its verbs; help names a command", async () => {
  const stage = await stageWith();
  const names = commandTable.flatMap(({ name, internal = false }) => (internal ? [] : [name]));
  const verbs = [
    ...["list", "show", "diff", "search", "export", "resume", "rm"].map((verb) => ["plans", verb]),
    ...["start", "inbox", "show", "approve", "reject", "status", "stop", "take"].map((verb) => ["team", verb]),
    ...["list", "show", "rm"].map((verb) => ["sessions", verb]),
  ];
  for (const words of [...names.map((name) => [name]), ...verbs, ["plans", "resume", "x", "--model", "m"]]) {
    const told = await stage.run([...words, "--help"]);
    expect({ words, ...told }).toMatchObject({ code: 0, stderr: "" });
    expect(told.stdout).toContain(`groundplan ${words[0]}`);
  }
  expect(await stage.run(["help"])).toEqual(await stage.run(["--help"]));
  for (const name of names.filter((one) => one !== "help"))
    expect(await stage.run(["help", name])).toEqual(await stage.run([name, "--help"]));
  expect(await stage.run(["help", "docter"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'groundplan: There is no command "docter"; did you mean groundplan help doctor?\n',
  });
  expect(stage.server.requests).toEqual([]);
});

test("a misspelt command is no task: it says which one could be meant, and how to say it as a task", async () => {
  const stage = await stageWith();
  for (const [words, near] of [
    [["docter"], "doctor"],
    [["plan"], "plans"],
    [["sesions", "--all"], "sessions"],
    [["Reveiw"], "review"],
    [["uninstal", "claude"], "uninstall claude"],
    [["crashtst", "codex"], "crashtest codex"],
    [["plan", "list"], "plans list"],
    [["session", "show", "1a2b"], "sessions show 1a2b"],
    [["list"], "plans list or groundplan sessions list"],
    [["status"], "team status"],
    [["version"], "--version"],
    [["resume"], "--resume or groundplan plans resume"],
  ] as const) {
    const refused = await stage.run(words);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain(`did you mean groundplan ${near}? As a task: groundplan -- ${words[0]}`);
  }
  for (const word of ["mcp", "login", "config"])
    expect(await stage.run([word])).toMatchObject({
      code: 2,
      stderr: `groundplan: There is no command "${word}"; groundplan help lists them. As a task: groundplan -- ${word}\n`,
    });
  expect(stage.server.requests).toEqual([]);
  expect(await stage.run(["--", "docter"])).toMatchObject({ code: 0, stdout: "Fine.\n" });
  expect(await stage.run(["-p", "docter"])).toMatchObject({ code: 0, stdout: "Fine.\n" });
  expect(await stage.run(["help", "me", "with it"])).toMatchObject({ code: 0, stdout: "Fine.\n" });
  expect(await stage.run(["plan", "show the orders page"])).toMatchObject({ code: 0, stdout: "Fine.\n" });
  expect(await stage.run(["docter", "the tests"])).toMatchObject({ code: 0, stdout: "Fine.\n" });
});

test("a misspelt option says which one could be meant, of every command, and names the help that has it", async () => {
  const stage = await stageWith();
  for (const [words, near] of [
    [["--resme", "x"], "--resume"],
    [["-p", "hi", "--permision-mode", "plan"], "--permission-mode"],
    [["-p", "hi", "--output", "json"], "--output-format"],
    [["plans", "--jsom"], "--json"],
    [["sessions", "--al"], "--all"],
    [["verify", "--timeot", "3"], "--timeout"],
    [["review", "--no-opn"], "--no-open"],
    [["scout", "x", "--cdw", "."], "--cwd"],
    [["doctor", "--jso"], "--json"],
    [["team", "inbox", "--taem", "x"], "--team"],
    [["team", "start", "ann", "do it", "--plan-requird"], "--plan-required"],
  ] as const) {
    const refused = await stage.run(words);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(
      new RegExp(`^groundplan: Unknown option '--\\w.*'; did you mean ${near}\\? See .*--help\\.\n$`),
    );
    const help = /See groundplan (.*--help)\.\n$/.exec(refused.stderr)![1]!.split(" ");
    expect((await stage.run(help)).stdout).toContain(near);
  }
  const strange = await stage.run(["--zebra"]);
  expect(strange.stderr).toBe("groundplan: Unknown option '--zebra'. See groundplan --help.\n");
  expect(stage.server.requests).toEqual([]);
});

test("a teammate without a task is asked for one in its own command's words", async () => {
  const stage = await stageWith();
  const { code, stderr } = await stage.run(["team", "start", "ann"]);
  expect([code, stderr]).toEqual([
    2,
    'groundplan: ann has no task: groundplan team start ann "what to do", or give it on stdin.\n',
  ]);
});

test("R3.1 a GROUNDPLAN_HOME that is no full path is refused, and nothing lands in the project", async () => {
  const stage = await stageWith();
  for (const home of ["own", "./own", "../own"]) {
    for (const words of [["-p", "hi"], ["sessions"], ["scout", "x"], ["doctor"]]) {
      const { code, stdout, stderr } = await stage.run(words, { environment: { GROUNDPLAN_HOME: home } });
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`GROUNDPLAN_HOME is "${home}": give a full path (${join(stage.repository, home)})`);
    }
  }
  expect(readdirSync(stage.repository).toSorted()).toEqual([".git", "a.ts"]);
  expect(await stage.run(["-p", "hi"], { environment: { GROUNDPLAN_HOME: "~/own" } })).toMatchObject({ code: 0 });
});

test("R14.2 an id that is none is an error that names near ones; nothing is said to another session", async () => {
  const stage = await stageWith();
  const ids = ["e53ba38d-0000-4000-8000-000000000001", "e53ba38d-0000-4000-8000-000000000002"];
  for (const id of ids) await stage.run(["-p", "begin", "--session-id", id]);
  const asked = stage.server.requests.length;
  const unknown = await stage.run(["-p", "--resume", "e53ba38x", "hi"]);
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toContain("There is no session e53ba38x in this project; did you mean:");
  for (const id of ids) expect(unknown.stderr).toContain(`${id}  begin`);
  const several = await stage.run(["-p", "--resume", "e53ba38d", "hi"]);
  expect(several).toMatchObject({ code: 2, stdout: "" });
  expect(several.stderr).toContain("2 sessions begin with e53ba38d; give more of the id:");
  const far = await stage.run(["-p", "--resume", "yesterday", "hi"]);
  expect(far).toMatchObject({ code: 1, stdout: "" });
  expect(far.stderr).toContain("There is no session yesterday in this project (groundplan sessions lists them");
  expect(await stage.run(["-p", "--resume", "", "hi"])).toMatchObject({ code: 2, stdout: "" });
  expect((await stage.run(["sessions", "show", "e53ba38x"])).stderr).toContain("did you mean:");
  expect(stage.server.requests).toHaveLength(asked);
  expect(JSON.parse((await stage.run(["-p", "hi", "--resume", ids[0]!, ...json])).stdout).sessionId).toBe(ids[0]);
  expect(JSON.parse((await stage.run(["-p", "--resume", "go on", ...json])).stdout).sessionId).toBe(ids[0]);
});

test("a folder that is not there is said, wherever it is named, also the one in which the program is started", async () => {
  const stage = await stageWith();
  const missing = join(stage.repository, "nowhere");
  for (const words of [
    ["-p", "hi", "--cwd", missing],
    ["-p", "hi", "--add-dir", missing],
    ["scout", "hi", "--cwd", missing],
  ]) {
    expect(await stage.run(words)).toEqual({
      code: 2,
      stdout: "",
      stderr: `groundplan: ${missing} is not a folder.\n`,
    });
  }
  const gone = join(stage.repository, "gone");
  for (const words of [["-p", "hi"], ["doctor"], ["plans"]]) {
    mkdirSync(gone);
    const line = 'rmdir "$PWD" && exec "$@"';
    const child = spawn("sh", ["-c", line, "sh", process.execPath, program, ...words], {
      cwd: gone,
      env: { PATH: process.env["PATH"], HOME: stage.home, GROUNDPLAN_HOME: stage.home, ...stage.server.environment() },
    });
    const { code, stderr } = await finish(child, "");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "groundplan: The folder you are in is gone: go to another one (cd).\n",
    });
  }
  expect(stage.server.requests).toEqual([]);
});
