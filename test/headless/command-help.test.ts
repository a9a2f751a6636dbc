/** The help is true: each example, typed in a project, shows what it says; each option that it names is one that the command reads. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commandTable } from "../../src/cli/commands/table.ts";
import { sessionExamples } from "../../src/cli/help.ts";
import { placesOf } from "../../src/cli/completion/places.ts";
import { until } from "../support/until.ts";
import { writeProgram } from "../support/write-program.ts";
import { openStage, planFileIn, program, type Stage } from "./program.ts";

const rows = commandTable.filter(({ internal = false }) => !internal);

test("every command has an example, and its verbs are those that it reads", async () => {
  expect(rows.filter(({ examples = [] }) => examples.length === 0).map(({ name }) => name)).toEqual([]);
  for (const { name, verbs, load } of rows) {
    const words = await (await load()).words?.();
    expect({ name, verbs: Object.keys(words?.verbs ?? {}).toSorted() }).toEqual({
      name,
      verbs: [...(verbs ?? [])].toSorted(),
    });
  }
});

test("help and completion know the same options", async () => {
  const stage = await openStage({ script: () => ({ text: "" }), files: {} });
  const places = await placesOf(commandTable);
  for (const name of ["", ...rows.map((row) => row.name).filter((one) => one !== "help")]) {
    const { stdout } = await stage.run([...(name === "" ? [] : [name]), "--help"]);
    const told = [...stdout.split("\nFor example\n")[0]!.matchAll(/--([a-z][a-z-]+)/g)].map((match) => match[1]!);
    const here = places.filter(({ at }) => at.split(" ")[0] === name);
    const read = here.flatMap(({ options }) => options.map(({ long }) => long));
    const unread = name === "" ? [] : told.filter((one) => !read.includes(one) && !mayName(name, one));
    const untold = name === "team" ? [] : read.filter((one) => !told.includes(one) && !isQuiet(one));
    expect({ name, unread, untold }).toEqual({ name, unread: [], untold: [] });
  }
});

/** Options of another command that a help text leads to. */
function mayName(name: string, option: string): boolean {
  return (name === "receipt" && ["receipt", "diff"].includes(option)) || (name === "completion" && option === "help");
}

/** Not told, or not in every help. */
function isQuiet(option: string): boolean {
  return ["help", "mcp-config"].includes(option);
}

test("every example shows what it says", async () => {
  const stage = await preparedStage();
  const bin = join(dirname(stage.home), "bin");
  mkdirSync(bin);
  writeProgram(join(bin, "groundplan"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  const all = [...rows.flatMap(({ examples = [] }) => examples), ...sessionExamples];
  for (const { typed, shows } of all) {
    const seen = await see(typed, { stage, bin, waits: typed.startsWith("groundplan review") });
    expect(`${typed}\n${seen}`).toMatch(pattern(`${typed}\n${shows}`));
  }
});

const plan = "# Add a health check\n\n1. Write `health.js`\n\n## Verify\n\n```sh\ntest -f health.js\n```\n";

/** A project in which a plan was made, approved and carried out. */
async function preparedStage(): Promise<Stage> {
  let file = "";
  const stage = await openStage({
    files: { "src/orders.js": "export const orders = () => [{ total: 20 }];\n", "a.txt": "b\na\n" },
    script: ({ body }, turn) => {
      if (turn === 1) file = planFileIn(JSON.stringify(body));
      return (
        [
          { calls: [{ tool: "Write", input: { file_path: file, content: plan } }] },
          { calls: [{ tool: "ExitPlanMode", input: {} }] },
          { calls: [{ tool: "Write", input: { file_path: join(stage.repository, "health.js"), content: "ok\n" } }] },
        ][turn - 1] ?? { text: "Done." }
      );
    },
  });
  const made = await stage.run(["-p", "add a health check", "--permission-mode", "plan", "--output-format", "json"]);
  const { sessionId, plan: shown } = JSON.parse(made.stdout) as { sessionId: string; plan: { hash: string } };
  const done = await stage.run([
    "-p",
    "--resume",
    sessionId,
    "--approve",
    shown.hash,
    "--permission-mode",
    "acceptEdits",
  ]);
  expect(done).toMatchObject({ code: 0 });
  return stage;
}

interface Seeing {
  readonly stage: Stage;
  readonly bin: string;
  /** It goes on until somebody answers: what it shows by then. */
  readonly waits: boolean;
}

async function see(command: string, { stage, bin, waits }: Seeing): Promise<string> {
  const path = [bin, dirname(process.execPath), process.env["PATH"]].join(":");
  const env = { PATH: path, HOME: dirname(stage.home), GROUNDPLAN_HOME: stage.home, ...stage.server.environment() };
  let output = "";
  const ended = new Promise<void>((resolve) => {
    const child = execFile("sh", ["-c", waits ? `exec ${command}` : command], { cwd: stage.repository, env }, () =>
      resolve(),
    );
    child.stdin?.end();
    child.stdout?.on("data", (text) => (output += text));
    child.stderr?.on("data", (text) => (output += text));
    if (waits) void until("its first line", () => output.includes("\n")).then(() => child.kill("SIGINT"));
  });
  await ended;
  return output.trimEnd();
}

/** `…` stands for anything. */
function pattern(text: string): RegExp {
  const parts = text.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(String.raw`[\s\S]*`)}$`);
}
