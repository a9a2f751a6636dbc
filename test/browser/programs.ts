/** `groundplan review` and sessions beside it as real processes, which end with the test. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunResult } from "../../src/faces/headless/run-result.ts";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { finish, planFileIn, setStage, type Ran, type Stage, type StageOptions } from "../headless/program.ts";
import { until } from "../support/until.ts";
import { filesBelow } from "../support/walk.ts";

export const plan = "# Change a\n\n- Change `a.ts`\n- Test it\n";

export interface Programs {
  readonly stage: (options: StageOptions) => Promise<Stage>;
  readonly keep: (child: ChildProcessWithoutNullStreams) => void;
  readonly end: () => Promise<void>;
}

export function programs(): Programs {
  const stages: Stage[] = [];
  const children: ChildProcessWithoutNullStreams[] = [];
  return {
    async stage(options) {
      const stage = await setStage(options);
      stages.push(stage);
      return stage;
    },
    keep: (child) => void children.push(child),
    async end() {
      for (const child of children.splice(0)) child.kill("SIGKILL");
      for (const stage of stages.splice(0)) await stage.close();
    },
  };
}

/** A model that plans, takes "Twice." into account, and carries the plan out. */
export function planned({ stage }: Programs): Promise<Stage> {
  return stage({
    script: ({ body }): ScriptedTurn => {
      const said = JSON.stringify(body);
      const write = (content: string): ScriptedTurn => ({
        calls: [
          { tool: "Write", input: { file_path: planFileIn(said), content } },
          { tool: "ExitPlanMode", input: {} },
        ],
      });
      const last = JSON.stringify((body as { messages: readonly unknown[] }).messages.at(-1));
      if (last.includes("Not approved")) return write(plan.replace("Test it", "Test it twice"));
      if (last.includes("Approved Plan")) {
        return { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "carried out" } }] };
      }
      return last.includes("change a") ? write(plan) : { text: "Done." };
    },
  });
}

export async function headless(stage: Stage): Promise<RunResult> {
  const ran = await stage.run(["-p", "change a", "--permission-mode", "plan", "--output-format", "json"]);
  expect(ran.code).toBe(3);
  return JSON.parse(ran.stdout) as RunResult;
}

export interface Reviewing {
  readonly child: ChildProcessWithoutNullStreams;
  readonly link: string;
  readonly ended: Promise<Ran>;
  readonly stderr: () => string;
}

export async function startReview(
  { keep }: Programs,
  stage: Stage,
  args: readonly string[],
  { environment = {}, open = false }: { environment?: Record<string, string>; open?: boolean } = {},
): Promise<Reviewing> {
  const child = stage.start(["review", ...(open ? [] : ["--no-open"]), ...args], { environment });
  keep(child);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  const ended = finish(child, "");
  const link = await until(`a link (${stderr})`, () => (stdout.includes("\n") ? stdout.split("\n")[0]! : null));
  return { child, link, ended, stderr: () => stderr };
}

export function startLive({ keep }: Programs, stage: Stage) {
  const streaming = ["--output-format", "stream-json", "--input-format", "stream-json"];
  const child = stage.start(["-p", ...streaming, "--permission-mode", "plan"]);
  keep(child);
  const events: Record<string, unknown>[] = [];
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop()!;
    events.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
  });
  const say = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  say({ type: "user", text: "change a" });
  const ended = new Promise<{ code: number | null }>((resolve) => child.on("close", (code) => resolve({ code })));
  const event = (wanted: string) => until(wanted, () => events.find(({ type }) => type === wanted) ?? null);
  return { child, say, event, ended };
}

export function lastLine({ stdout }: Ran): string {
  return stdout.trimEnd().split("\n").at(-1)!;
}

export function keptFiles({ home }: Stage): readonly string[] {
  const reviews = join(home, "reviews");
  mkdirSync(reviews, { recursive: true });
  return filesBelow(reviews)
    .filter((name) => /answers\/.*\.json$/.test(name))
    .map((name) => join(reviews, name));
}
