/** A throw-away home and project, and the bundled program that installs in them. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finish, program, type Ran } from "../headless/program.ts";
import { realFolder } from "../support/folder.ts";

export interface Bench {
  /** The person's home; Groundplan's own is `.groundplan` in it. */
  readonly home: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  /** In another folder. */
  readonly runIn: (directory: string, ...args: readonly string[]) => Promise<Ran>;
  /** With other variables on top. */
  readonly runWith: (more: Readonly<Record<string, string>>, ...args: readonly string[]) => Promise<Ran>;
}

export function openBench(more: Readonly<Record<string, string>> = {}): Bench {
  const home = realFolder();
  const project = join(home, "project");
  mkdirSync(project);
  const environment = { PATH: process.env["PATH"], TMPDIR: tmpdir(), HOME: home, ...more };
  const start = (directory: string, own: object, args: readonly string[]): Promise<Ran> =>
    finish(spawn(process.execPath, [program, ...args], { cwd: directory, env: { ...environment, ...own } }), "");
  return {
    home,
    project,
    environment,
    run: (...args) => start(project, {}, args),
    runIn: (directory, ...args) => start(directory, {}, args),
    runWith: (own, ...args) => start(project, own, args),
  };
}

/** As a client runs an entry. */
export function runEntry(command: string, payload: unknown, bench: Bench): Promise<Ran> {
  const child = spawn("/bin/sh", ["-c", command], { cwd: bench.project, env: bench.environment });
  return finish(child, typeof payload === "string" ? payload : JSON.stringify(payload));
}
