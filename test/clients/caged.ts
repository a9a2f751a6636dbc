/** Starts the bundled program's `run-caged` in a throw-away repository, as the shell of another agent would. */
import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packCaged } from "../../src/clients/caged/caged-text.ts";
import { finish, program, type Ran } from "../headless/program.ts";
import { realFolder } from "../support/folder.ts";
import { namesIn } from "../../src/agent/host/files/entries.ts";

export interface CagedStage {
  readonly repository: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly start: (command: string, more?: Environment) => ChildProcessWithoutNullStreams;
  readonly run: (command: string, more?: Environment) => Promise<Ran>;
  /** With these arguments. */
  readonly call: (args: readonly string[], more?: Environment) => Promise<Ran>;
}

type Environment = Readonly<Record<string, string>>;

export function cagedStage(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): CagedStage {
  const folder = realFolder(" caged ü");
  const repository = join(folder, "repo");
  const home = join(folder, "home");
  mkdirSync(repository);
  mkdirSync(home, { mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
  execFileSync("git", ["init", "-q", repository]);
  const environment = { PATH: process.env["PATH"], TMPDIR: tmpdir(), HOME: folder, GROUNDPLAN_HOME: home };
  const spawned = (args: readonly string[], more: Environment = {}) =>
    spawn(process.execPath, [program, "run-caged", ...args], {
      cwd: repository,
      env: { ...environment, ...more },
    });
  const start = (command: string, more?: Environment) => spawned([packCaged({ command, directory: repository })], more);
  return {
    repository,
    home,
    environment,
    start,
    run: (command, more) => finish(start(command, more), ""),
    call: (args, more) => finish(spawned(args, more), ""),
  };
}

/** How many processes have this word on their command line, in the cage or outside; not counting packed ones. */
export function processesWith(word: string): number {
  return namesIn("/proc").filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(word)).length;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
