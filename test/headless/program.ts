/** Runs the bundled program in a throw-away repository against a scripted server, as a script would. */
import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { startLoopback, type Loopback, type LoopbackScript } from "../../src/testing/loopback.ts";
import { filesBelow } from "../support/walk.ts";
import { remove } from "../support/remove.ts";

export const program = fileURLToPath(new URL("../../dist/bin/groundplan.js", import.meta.url));

export interface Stage {
  readonly repository: string;
  readonly home: string;
  readonly server: Loopback;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ran>;
  readonly start: (args: readonly string[], options?: RunOptions) => ChildProcessWithoutNullStreams;
  readonly close: () => Promise<void>;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly directory?: string;
  /** Another one than the bundled. */
  readonly program?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StageOptions {
  readonly script: LoopbackScript;
  readonly files?: Readonly<Record<string, string>>;
  readonly git?: boolean;
  readonly name?: string;
}

export async function setStage({
  script,
  files = { "a.ts": "export const a = 1;\n" },
  git = true,
  name = "repo",
}: StageOptions): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-headless-")));
  const repository = join(folder, name);
  const home = join(folder, "home");
  mkdirSync(repository, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  if (git) {
    const run = (...args: string[]) => execFileSync("git", args, { cwd: repository, stdio: "pipe" });
    run("init", "-q", "-b", "main");
    run("add", "-A");
    run("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "begin", "--allow-empty");
  }
  const server = await startLoopback({ script });
  const start: Stage["start"] = (args, { environment = {}, directory = repository, ...options } = {}) =>
    spawn(process.execPath, [options.program ?? program, ...args], {
      cwd: directory,
      env: {
        PATH: process.env["PATH"],
        TMPDIR: tmpdir(),
        HOME: folder,
        GROUNDPLAN_HOME: home,
        ...server.environment(),
        ...environment,
      },
    });
  return {
    repository,
    home,
    server,
    start,
    run: (args, options = {}) => finish(start(args, options), options.stdin ?? ""),
    close: async () => {
      await server.close();
      remove(folder);
    },
  };
}

/** A stage that is gone with the test. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const stage = await setStage(options);
  onTestFinished(() => stage.close());
  return stage;
}

/** The usual one: a repository with one file, and a model that follows the script. */
export function stageWith(script: LoopbackScript): Promise<Stage> {
  return openStage({ script });
}

export function finish(child: ChildProcessWithoutNullStreams, stdin: string): Promise<Ran> {
  return new Promise((resolve) => {
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(stdin);
  });
}

/** Path to content hash, the .git folder included but for what git itself refreshes. */
export function treeHashes(folder: string): Record<string, string> {
  return Object.fromEntries(filesBelow(folder).map((name) => [name, hashOf(join(folder, name))]));
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** The plan file's path, as the reminder in a request names it. */
export function planFileIn(text: string): string {
  return /\/[^"\s]*\/plans\/[\p{L}\p{N}-]+\.md/u.exec(text)![0];
}
