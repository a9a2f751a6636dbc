/** The log under strain: a disk that is full in the middle, a newer program's log, lines that are not ours. */
import { spawn } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeLog } from "../../src/core/wire/log-format.ts";
import { finish, openStage, program, type Stage } from "./program.ts";

const readAndWrite = [
  { tool: "Read", input: { file_path: "big.txt" } },
  { tool: "Write", input: { file_path: "after.ts", content: "never" } },
];

async function stageWith(script: Parameters<typeof openStage>[0]["script"]): Promise<Stage> {
  const files = { "big.txt": "a line of some length, to fill the disk\n".repeat(1_000), "a.ts": "a\n" };
  return openStage({ script, files });
}

function logOf(stage: Stage): string {
  const folder = join(stage.home, "sessions", readdirSync(join(stage.home, "sessions"))[0]!);
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".jsonl"))!,
  );
}

test.skipIf(process.platform === "win32")(
  "R14.5 B2.2 a log that cannot be written in the middle: the session stops acting and says so, what was acknowledged is there at the resume",
  async () => {
    const stage = await stageWith((_, turn) => {
      if (turn === 1) return { text: "First." };
      return turn === 2 ? { calls: readAndWrite } : { text: "Whole again." };
    });
    const first = await stage.run(["-p", "hello", "--permission-mode", "acceptEdits", "--output-format", "json"]);
    const { sessionId } = JSON.parse(first.stdout);
    const acknowledged = decodeLog(readFileSync(logOf(stage), "utf8")).entries;
    const limited = `trap "" XFSZ; ulimit -f 24; exec "$0" "$@"`;
    const child = spawn("bash", ["-c", limited, process.execPath, program, "-p", "go", "--resume", sessionId], {
      cwd: stage.repository,
      env: { PATH: process.env["PATH"], HOME: stage.home, GROUNDPLAN_HOME: stage.home, ...stage.server.environment() },
    });
    const { code, stdout, stderr } = await finish(child, "");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("The session log cannot be written");
    expect(readdirSync(stage.repository)).not.toContain("after.ts");
    const { entries, problems } = decodeLog(readFileSync(logOf(stage), "utf8"));
    expect(problems).toEqual([]);
    expect(entries.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(entries.map(({ event }) => event.type)).toContain("model-replied");
    const again = await stage.run(["-p", "more", "--resume", sessionId, "--output-format", "json"]);
    expect(again.code).toBe(0);
    const told = JSON.stringify(stage.server.requests.at(-1)!.body["messages"]);
    expect(told).toContain("First.");
    expect(told).toContain("a line of some length");
  },
);

test("R14.5 a newer program's log is refused with what to do, and nothing of it is touched or sent", async () => {
  const stage = await stageWith(() => ({ text: "Hello." }));
  const { sessionId } = JSON.parse((await stage.run(["-p", "hi", "--output-format", "json"])).stdout);
  appendFileSync(logOf(stage), `${JSON.stringify({ v: 99, at: 1, event: { type: "mode-chosen", mode: "plan" } })}\n`);
  const before = readFileSync(logOf(stage));
  const { code, stderr, stdout } = await stage.run(["-p", "more", "--resume", sessionId]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("newer Groundplan");
  expect(readFileSync(logOf(stage))).toEqual(before);
  expect(stage.server.requests).toHaveLength(1);
});

test("R14.5 foreign lines are left out, and the person is told how many", async () => {
  const stage = await stageWith(() => ({ text: "Hello." }));
  const { sessionId } = JSON.parse((await stage.run(["-p", "hi", "--output-format", "json"])).stdout);
  appendFileSync(logOf(stage), `not a line of ours\n{"v":1,"at":1,"event":{"type":"from-elsewhere"}}\n`);
  const { code, stderr } = await stage.run(["-p", "more", "--resume", sessionId]);
  expect(code).toBe(0);
  expect(stderr).toContain("2 unreadable line(s)");
});
