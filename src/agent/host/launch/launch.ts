/** The one place that starts programs: found on a cleaned PATH, and never with a model's key (B1.10, B1.12). */
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { isAbsolute } from "node:path";
import { findProgram } from "./find-program.ts";
import { withoutModelKeys } from "./model-keys.ts";

export interface Launch {
  /** A name that is looked up on the PATH of `environment`, or an absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly directory: string;
  /** The whole of it, as `environment.ts` makes it: nothing of our own is added. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stdio: StdioOptions;
  /** In a process group of its own. */
  readonly detached?: boolean;
}

/** An error is what is known at once: there is no such program, a text is too long, a NUL is in it. */
export function launch({
  program,
  args,
  directory,
  environment,
  stdio,
  detached = false,
}: Launch): ChildProcess | Error {
  const found = placeOf(program, environment["PATH"] ?? "");
  if (found === null) return Object.assign(new Error(`there is no program ${program}`), { code: "ENOENT" });
  try {
    return spawn(found, [...args], {
      cwd: directory,
      env: withoutModelKeys(environment),
      stdio,
      detached,
      windowsHide: true,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function placeOf(program: string, path: string): string | null {
  if (isAbsolute(program) || process.platform === "win32") return program;
  return program.includes("/") ? null : findProgram(program, path);
}
