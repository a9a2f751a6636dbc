/** `kill -9` at random moments of a run: the log always loads, no file is half written, no plan is lost. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadLog } from "../../src/agent/store/log-reader.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession } from "../../src/core/session.ts";
import { planFileIn, setStage } from "./program.ts";
import { until } from "../support/until.ts";

const moments = 50;

/** Version n of a large plan: every line names its version, so that a mixture would show. */
function version(number: number): string {
  return `# Version ${number}\n${`line of version ${number}\n`.repeat(4000)}`;
}

test(`R3.5 R14.5 kill -9 at ${moments} random moments: the log loads, files are whole, the plan is kept`, async () => {
  const problems: string[] = [];
  let wrote = 0;
  for (let at = 0; at < moments; at += 2) {
    const pair = await Promise.all([killOnce(at), killOnce(at + 1)]);
    for (const { problem, versions } of pair) {
      if (problem !== null) problems.push(problem);
      wrote += versions;
    }
  }
  expect(problems).toEqual([]);
  expect(wrote).toBeGreaterThan(moments);
});

async function killOnce(number: number): Promise<{ problem: string | null; versions: number }> {
  const stage = await setStage({
    script: (request, turn) => ({
      calls: [
        { tool: "Write", input: { file_path: planFileIn(JSON.stringify(request.body)), content: version(turn) } },
      ],
    }),
  });
  try {
    const child = stage.start(["-p", "plan", "--permission-mode", "plan", "--max-turns", "200"]);
    const ended = new Promise((resolve) => child.on("close", resolve));
    await until("it has asked so often", () => stage.server.requests.length > number % 4);
    await new Promise((resolve) => setTimeout(resolve, ((number * 37) % 400) + (number % 7)));
    child.kill("SIGKILL");
    await ended;
    return await examine(stage.home, number, stage.server.requests.length);
  } finally {
    await stage.close();
  }
}

async function examine(
  home: string,
  number: number,
  turns: number,
): Promise<{ problem: string | null; versions: number }> {
  const sessions = join(home, "sessions");
  const folder = join(sessions, readdirSync(sessions)[0]!);
  const log = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".jsonl"))!,
  );
  const { entries, problems } = await loadLog(log);
  const session = replay(
    freshSession(),
    entries.map(({ event }) => event),
  );
  const fail = (problem: string) => ({ problem: `kill ${number}: ${problem}`, versions: 0 });
  if (problems.length > 1) return fail(`${problems.length} unreadable lines`);
  if (session.permissions.mode.current !== "plan") return fail("the session is not in plan mode");
  const { file, text } = session.plan;
  if (file === null) return fail("the plan has no file");
  const onDisk = existsSync(file) ? readFileSync(file, "utf8") : "";
  const shown = /^# Version (\d+)\n/.exec(onDisk)?.[1];
  if (onDisk !== "" && (shown === undefined || onDisk !== version(Number(shown))))
    return fail("the plan file is half written");
  if (text !== null && onDisk === "") return fail("a plan that the log knows is lost");
  return { problem: null, versions: turns };
}
