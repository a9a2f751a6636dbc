/** A project whose sessions the tests write themselves: each run of the program says what the model does. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlanEntry } from "../../src/agent/library/entry.ts";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { setStage, type Ran, type Stage, type StageOptions } from "../headless/program.ts";

export interface Result {
  readonly sessionId: string;
  readonly status: string;
  readonly mode: string;
  readonly plan: { readonly path: string; readonly hash: string; readonly status: string; readonly text: string };
  readonly denials: readonly { readonly code: string; readonly reason: string }[];
}

export interface LibraryStage extends Stage {
  /** Writes and submits a plan; a new session unless one is named. */
  submit(text: string, options?: { readonly resume?: string; readonly args?: readonly string[] }): Promise<Result>;
  /** Approves what awaits approval; the model then does these turns. */
  approve(
    result: Result,
    turns?: readonly ScriptedTurn[],
    args?: readonly string[],
  ): Promise<{ readonly result: Result; readonly stderr: string }>;
  /** One prompt in a session, answered by these turns. */
  say(args: readonly string[], turns: readonly ScriptedTurn[]): Promise<Ran>;
  /** `verify --fix`, after which the model does these turns. */
  fix(turns: readonly ScriptedTurn[], ...args: readonly string[]): Promise<Ran>;
  json<Value>(...args: readonly string[]): Promise<Value>;
  /** The lines of the index as they stand. */
  index(): readonly PlanEntry[];
}

export async function libraryStage(options: Partial<StageOptions> = {}): Promise<LibraryStage> {
  const turns: (ScriptedTurn | { readonly plan: string })[] = [];
  const stage = await setStage({
    ...options,
    script: (request): ScriptedTurn => {
      const next = turns.shift() ?? { text: "Done." };
      if (!("plan" in next)) return next;
      const write = { tool: "Write", input: { file_path: namedPlan(request.body), content: next.plan } };
      return { calls: [write, { tool: "ExitPlanMode", input: {} }] };
    },
  });
  const json = ["--output-format", "json"];
  return {
    ...stage,
    async submit(text, { resume, args = [] } = {}) {
      turns.push({ plan: text });
      const going = resume === undefined ? [] : ["--resume", resume];
      return result(await stage.run(["-p", "plan it", "--permission-mode", "plan", ...going, ...args, ...json]));
    },
    async approve({ sessionId, plan }, after = [], args = ["--permission-mode", "acceptEdits"]) {
      turns.push(...after);
      const ran = await stage.run(["-p", "--resume", sessionId, "--approve", plan.hash, ...args, ...json]);
      return { result: result(ran), stderr: ran.stderr };
    },
    say(args, after) {
      turns.push(...after);
      return stage.run(["-p", ...args]);
    },
    fix(after, ...args) {
      turns.push(...after);
      return stage.run(["verify", "--fix", ...args]);
    },
    async json<Value>(...args: readonly string[]) {
      const { stdout, stderr } = await stage.run([...args, "--json"]);
      if (stdout === "") throw new Error(stderr);
      return JSON.parse(stdout) as Value;
    },
    index: () =>
      readFileSync(join(stage.home, "plans", "index.jsonl"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as PlanEntry),
  };
}

function result({ stdout, stderr }: Ran): Result {
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Result;
}

/** The logs of the stage's only project. */
export function logsOf({ home }: Stage): readonly string[] {
  const sessions = join(home, "sessions");
  return readdirSync(sessions).flatMap((key) =>
    readdirSync(join(sessions, key))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(sessions, key, name)),
  );
}

/** The file that the last plan reminder names. */
function namedPlan(body: unknown): string {
  return [...JSON.stringify(body).matchAll(/\/[^"\s\\]*\/plans\/[\p{L}\p{N}-]+\.md/gu)].at(-1)![0];
}
