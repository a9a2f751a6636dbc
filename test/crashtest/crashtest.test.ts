/** The crash test on ourselves and on stand-ins of every temper, run as a person runs it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { probeTable } from "../../src/crashtest/probes/table.ts";
import { realFolder } from "../support/folder.ts";
import { needs } from "../support/needs.ts";
import { until } from "../support/until.ts";
import { beginCrash, crash, crashJson, standInCommand } from "./crashing.ts";

/** What needs settings that are not known of a command. */
const onlyRows = new Set(["rules", "planted", "bypass", "resumedFrom", "approval"]);
const forCommands = probeTable.filter(({ circumstances }) =>
  Object.keys(circumstances).every((name) => !onlyRows.has(name)),
);
const probeIds = probeTable.map(({ id }) => id);
const few = "edit-file,new-file,shell-sed,shell-git-commit,agent-shell";

describe("the crash test", needs("bubblewrap"), () => {
  test("B17.1 B17.2 against Groundplan: every control works, nothing escapes, nothing around it changes", async () => {
    const { code, result, around, stderr } = await crashJson(["groundplan"]);
    const bad = result.probes.filter(({ result: is, control }) => is !== "held" || !control.startsWith("works"));
    expect({ bad, code, around, stderr }).toEqual({ bad: [], code: 0, around: [], stderr: "" });
    expect(result.probes.map(({ id }) => id)).toEqual(probeIds);
    expect([result.agent, result.held, result.escaped, result.notTested]).toEqual([
      "groundplan",
      probeIds.length,
      0,
      0,
    ]);
  });

  test("B17.1 every leak of an agent that runs whatever it is told is found, and none of them leaves the cage", async () => {
    const { code, result, around } = await crashJson(["--command", standInCommand("leaky")]);
    const found = result.probes.filter(({ result: is }) => is === "escaped").map(({ id }) => id);
    expect(found).toEqual(forCommands.map(({ id }) => id));
    expect({ code, around, held: result.held }).toEqual({ code: 1, around: [], held: 0 });
    const told = new Map(result.probes.map(({ id, evidence }) => [id, evidence]));
    expect(told.get("shell-elsewhere")).toBe("elsewhere/made.txt is new");
    expect(told.get("git-fsmonitor")).toBe("elsewhere/ran.txt is new, project/ran.txt is new");
    expect(told.get("shell-git-commit")).toContain("project/.git/logs/HEAD is changed");
    expect(told.get("rules-edit")).toContain("not known");
  });

  test("B17.1 one leak among many holds is found, and nothing else", async () => {
    const { code, result } = await crashJson(["--command", standInCommand("leaks-sed"), "--only", few]);
    const results = result.probes.map(({ id, result: is }) => [id, is]);
    expect({ code, results }).toEqual({
      code: 1,
      results: [
        ["edit-file", "held"],
        ["new-file", "held"],
        ["shell-sed", "escaped"],
        ["shell-git-commit", "held"],
        ["agent-shell", "held"],
      ],
    });
  });

  test("B17.1 an agent that changes nothing while it plans: none escapes, all that can be tried is held", async () => {
    const { code, result, around } = await crashJson(["--command", standInCommand("good")]);
    const held = result.probes.filter(({ result: is }) => is === "held").map(({ id }) => id);
    expect({ code, around, escaped: result.escaped }).toEqual({ code: 0, around: [], escaped: 0 });
    expect(held).toEqual(forCommands.map(({ id }) => id));
  });

  test("B17.1 an agent that changes nothing, in no mode, is not tested: never passed", async () => {
    const { code, result } = await crashJson(["--command", standInCommand("idle"), "--only", few]);
    expect(result.probes.map(({ result: is }) => is)).toEqual(Array(5).fill("not tested"));
    expect({ code, escaped: result.escaped, held: result.held }).toEqual({ code: 4, escaped: 0, held: 0 });
  });

  test("B17.1 the controls may have a command of their own", async () => {
    const plan = standInCommand("good");
    const { code, result } = await crashJson([
      "--command",
      `GROUNDPLAN_CRASHTEST_MODE=plan ${plan}`,
      "--work-command",
      `GROUNDPLAN_CRASHTEST_MODE=work ${plan} {prompt}`,
      "--only",
      "shell-sed",
    ]);
    expect([code, result.probes[0]!.result, result.probes[0]!.evidence]).toEqual([
      0,
      "held",
      "the model was told: Not while planning.",
    ]);
  });

  test.each([
    ["hangs", "--timeout=2", /hung|given up|never asked/],
    ["crashes", "--timeout=40", /crashed after the call|SIGSEGV|139/],
    ["floods", "--timeout=40", /flooded/],
  ])("B17.1 an agent that %s is told, and ended", async (temper, timeout, words) => {
    const { code, result, around } = await crashJson(["--command", standInCommand(temper), "--only", few, timeout]);
    expect(result.probes.map(({ result: is }) => is)).toEqual(Array(5).fill("not tested"));
    for (const { control, evidence } of result.probes) expect(`${control} ${evidence}`).toMatch(words);
    expect({ code, around }).toEqual({ code: 4, around: [] });
  });

  test("B17.1 the table comes as it is known, the page is one file, and both say what the cage does", async () => {
    const page = join(realFolder("-page"), "page.html");
    const args = ["--command", standInCommand("leaks-sed"), "--only", few, "--html", page];
    const { stdout, code } = await crash(args);
    expect(code).toBe(1);
    expect(stdout).toContain("cage: bubblewrap; network: loopback alone; writable: a throw-away folder alone");
    expect(stdout).toMatch(/^ {2}shell-sed +escaped +project\/note\.txt is changed$/m);
    expect(stdout).toContain("1 escaped, 4 held, 0 not tested");
    const html = readFileSync(page, "utf8");
    expect(html).toContain('<td class="r escaped">escaped<td>project/note.txt is changed');
    expect(html).not.toMatch(/(src|href)=|@import|url\(/);
  });

  test("B17.1 the same agent gives the same table", async () => {
    const args = ["--command", standInCommand("leaks-sed"), "--only", few];
    const [one, other] = [await crash(args), await crash(args)];
    expect(one.stdout).toBe(other.stdout);
  });

  test("B17.1 the cage: an agent changes no setting of the kernel, no device and no file but its own, also where root starts it", async () => {
    const { code, result, around } = await crashJson(["--command", standInCommand("roams"), "--only", "shell-sed"]);
    expect({ code, around, is: result.probes[0]!.result, said: result.probes[0]!.evidence }).toEqual({
      code: 0,
      around: [],
      is: "held",
      said: "the model was told: Not while planning.",
    });
  });

  test("B17.1 what an agent sends to other addresses finds no way, and is counted", async () => {
    const { stdout } = await crash(["--command", standInCommand("phones"), "--only", "shell-sed"]);
    expect(stdout).toMatch(/over loopback; [1-9]\d* packets for other addresses had no way\.$/m);
    const quiet = await crash(["--command", standInCommand("good"), "--only", "shell-sed"]);
    expect(quiet.stdout).toContain("over loopback; none was tried to leave it.");
  });

  test("B17.1 stopped by Ctrl+C in the middle, it leaves no folder and no process", async () => {
    const running = beginCrash(["--command", standInCommand("hangs"), "--only", few]);
    const agents = (): readonly string[] =>
      running.processes().filter((words) => words.includes("GROUNDPLAN_CRASHTEST_MODE="));
    await until("the agent runs in its cage", () => agents().length > 0);
    running.child.kill("SIGINT");
    const { code, around } = await running.ended;
    await until("its processes are gone", () => running.processes().length === 0);
    expect({ code, around }).toEqual({ code: 130, around: [] });
  });
});

test.each([
  [[], 2, "crashtest needs the name of an agent"],
  [["cluade"], 2, "Did you mean claude?"],
  [["groundplan", "--only", "shell-sad"], 2, "Did you mean shell-sed?"],
  [["groundplan", "--compare"], 2, "our guard cannot be installed into Groundplan"],
  [["groundplan", "--wire", "morse"], 2, "--wire takes one of"],
  [["groundplan", "--timeout", "soon"], 2, "--timeout takes a whole number"],
  [["claude", "--command", "x"], 2, "not both"],
  [["claude", "--bin", "/nowhere/claude"], 2, "There is no file /nowhere/claude"],
  [["claude", "--bin", "/etc/passwd"], 2, "/etc/passwd is no program"],
  [["claude", "--bin", "/"], 2, "/ is no program"],
  [["groundplan", "--html", "/nowhere/page.html"], 2, "--html"],
])("crashtest %j is refused in words", async (args, code, words) => {
  const crashed = await crash(args);
  expect({ code: crashed.code, stdout: crashed.stdout }).toEqual({ code, stdout: "" });
  expect(crashed.stderr).toContain(words);
});

test("crashtest says that an agent is not here, and installs nothing", async () => {
  const { code, stderr, around } = await crash(["kimi"]);
  expect({ code, around }).toEqual({ code: 4, around: [] });
  expect(stderr).toContain("is not on the PATH");
});

test("B17.1 without a cage nothing is started: it says what to install", async () => {
  const { code, stdout, stderr } = await crash(["groundplan"], "/nowhere");
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(stderr).toContain("bubblewrap");
});
