/** A project, a config home and a judge in front of them, for tests of what other agents may do while they plan. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ForeignCall, GuardAnswer, Planning } from "../../src/clients/client.ts";
import { judge } from "../../src/clients/judge.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import { realFolder } from "../support/folder.ts";
import { writeProgram } from "../support/write-program.ts";

export interface JudgePlace {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly environment: Record<string, string | undefined>;
  readonly ask: (call: ForeignCall, more?: AskOptions) => Promise<GuardAnswer>;
  /** `refuse`, `pass`, or the rewritten command. */
  readonly shell: (command: string, more?: AskOptions) => Promise<string>;
}

export interface AskOptions {
  readonly planning?: Planning;
  readonly planFile?: string | null;
  readonly cage?: boolean;
  readonly cagesAll?: boolean;
  readonly environment?: Record<string, string | undefined>;
  readonly directory?: string;
}

export interface PlaceOptions {
  readonly settings?: object;
  readonly files?: Readonly<Record<string, string>>;
  /** Whether a launcher for the cage is there. */
  readonly launcher?: boolean;
}

export function judgePlace({ settings, files = {}, launcher = true }: PlaceOptions = {}): JudgePlace {
  const folder = realFolder("-judge");
  const [project, home] = [join(folder, "project"), join(folder, "home/.groundplan")];
  put(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  put(join(project, "a.ts"), "export const a = 1;\n");
  for (const [name, text] of Object.entries(files)) put(join(project, name), text);
  if (settings !== undefined) put(join(home, "settings.json"), JSON.stringify(settings));
  if (launcher) {
    mkdirSync(join(home, "bin"), { recursive: true });
    writeProgram(join(home, "bin/guard"), "#!/bin/sh\nexit 2\n");
  }
  const environment = { PATH: "/usr/bin:/bin", HOME: join(folder, "home"), GROUNDPLAN_HOME: home };
  const ask: JudgePlace["ask"] = (call, more = {}) => {
    const { planning = "plan", planFile = null, cage = true, cagesAll = false, directory = project } = more;
    return judge(
      { kind: "tool", session: "s", directory, planning, call, planFile },
      { client: { cage, cagesAll }, environment: { ...environment, ...more.environment }, prompts: loadPrompts() },
    );
  };
  const shell: JudgePlace["shell"] = async (command, more) => {
    const answer = await ask(shellCall(command), more);
    if (answer.kind !== "rewrite") return answer.kind;
    return insideOf(answer, home);
  };
  return { folder, project, home, environment, ask, shell };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export function shellCall(command: unknown): ForeignCall {
  const calls = [{ id: "t", tool: "Bash", input: { command } }];
  return { kind: "ours", name: "Bash", calls, rewrite: (text) => ({ command: text }) };
}

export function toolCall(tool: string, input: object): ForeignCall {
  return { kind: "ours", name: tool, calls: [{ id: "t", tool, input }], rewrite: null };
}

/** The command that the launcher is given, as `caged: …`. */
function insideOf(answer: Extract<GuardAnswer, { kind: "rewrite" }>, home: string): string {
  const { command } = answer.input as { readonly command: string };
  const [launcher, verb, packed = "", ...more] = command.split(" ");
  if (launcher !== `'${home}/bin/guard'` || verb !== "run-caged" || more.length > 0) return `strange: ${command}`;
  return `caged: ${(JSON.parse(Buffer.from(packed, "base64url").toString()) as { command: string }).command}`;
}
