/** Runs one hook: no terminal, the event on stdin, bounds on time and words, and on time out nothing of it left behind. */
import { randomUUID } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import type { Hook } from "../../core/settings/shape.ts";
import { endMarked, marker } from "../host/launch/end-tree.ts";
import { launch } from "../host/launch/launch.ts";
import type { HookEnd } from "./answer.ts";

export interface HookRun {
  readonly hook: Hook;
  /** What it reads. */
  readonly stdin: string;
  readonly directory: string;
  /** The whole of it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Never rejects. */
export function runHook({ hook, stdin, directory, environment, timeoutMs, signal }: HookRun): Promise<HookEnd> {
  const mark = randomUUID();
  const child = launch({
    ...commandOf(hook, directory, environment),
    directory,
    environment: { ...environment, [marker]: mark },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  if (child instanceof Error) return Promise.resolve({ kind: "failed", why: `cannot be started: ${child.message}` });
  if (signal?.aborted === true) {
    if (child.pid !== undefined) endMarked(child.pid, mark);
    return Promise.resolve(stoppedEarly);
  }
  return new Promise((done) => {
    const [stdout, stderr] = [keep(mostStdout), keep(mostStderr)];
    let lingering: NodeJS.Timeout | undefined;
    const end = (how: HookEnd): void => {
      clearTimeout(timer);
      clearTimeout(lingering);
      signal?.removeEventListener("abort", onAbort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      done(how);
    };
    const kill = (how: HookEnd): void => {
      if (child.pid !== undefined) endMarked(child.pid, mark);
      end(how);
    };
    const exited = (code: number | null, by: string | null): void =>
      end(
        code === null
          ? { kind: "failed", why: `was ended by ${by ?? "a signal"}` }
          : { kind: "exited", code, stdout: stdout.text(), stderr: stderr.text() },
      );
    const onAbort = (): void => kill(stoppedEarly);
    const timer = setTimeout(
      () => kill({ kind: "failed", why: `took longer than ${timeoutMs / 1000} s and was ended` }),
      timeoutMs,
    );
    signal?.addEventListener("abort", onAbort, { once: true });
    child.stdout!.on("data", (bytes: Buffer) => {
      if (!stdout.add(bytes)) kill({ kind: "failed", why: `answered more than ${mostStdout / 1e6} MB and was ended` });
    });
    child.stderr!.on("data", (bytes: Buffer) => {
      if (!stderr.add(bytes)) kill({ kind: "failed", why: `wrote more than ${mostStderr / 1e6} MB and was ended` });
    });
    child.on("error", (error) => kill({ kind: "failed", why: `cannot be started: ${error.message}` }));
    child.on("close", exited);
    /** Something that it left running may hold its streams open. */
    child.on("exit", (code, by) => (lingering = setTimeout(() => exited(code, by), lingerMs)));
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(stdin);
  });
}

const stoppedEarly: HookEnd = { kind: "failed", why: "was stopped before it answered" };
const mostStdout = 1e6;
const mostStderr = 8e6;
const lingerMs = 300;

/** Without arguments a line for the shell; with them a program, in whose place and words the documented names are filled in. */
function commandOf({ command, args }: Hook, directory: string, environment: Readonly<Record<string, string>>) {
  if (args === undefined) return { program: "sh", args: ["-c", command] };
  const filled = (text: string): string =>
    text.replace(
      /\$\{(CLAUDE_PROJECT_DIR|GROUNDPLAN_PROJECT_DIR)\}/g,
      (whole, name: string) => environment[name] ?? whole,
    );
  const program = filled(command);
  const isPath = program.includes("/") && !isAbsolute(program);
  return { program: isPath ? resolve(directory, program) : program, args: args.map(filled) };
}

/** The bytes up to a limit; `add` is false when it is passed. */
function keep(most: number) {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    add(bytes: Buffer): boolean {
      size += bytes.length;
      if (size <= most) parts.push(bytes);
      return size <= most;
    },
    text: (): string => Buffer.concat(parts).toString("utf8"),
  };
}
