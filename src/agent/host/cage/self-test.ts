/** The self-test of a cage: what must fail in it is tried in it, once, on things of our own (B1.4). */
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandResult } from "../run-command.ts";

export interface SelfTestReport {
  readonly passed: boolean;
  /** What did not hold, in words; empty when all did. */
  readonly failures: readonly string[];
  readonly durationMs: number;
}

export interface SelfTestRequest {
  /** Runs a script in the cage under test, with this folder visible in it. */
  readonly runCaged: (script: readonly string[], visible: string) => Promise<CommandResult>;
  /** Real folders that must not be writable in the cage. */
  readonly guarded: readonly string[];
  /** Where `git status` works outside of the cage, so that it has to inside; null when it works nowhere. */
  readonly repository: string | null;
  /** A Node program, for the socket that a shell cannot open. */
  readonly node: string;
}

const mustFail = ["create", "append", "rename", "chmod", "touch", "remount", "settings", "unix", "connect", "kill"];
const mustWork = ["scratch", "git"];

/** One line for each attempt: its name and whether it worked. `$1` folder, `$2` port, `$3` pid, `$4` node, `$5` repository. */
const script = `
try() { if "try_$1" "\${@:2}" >/dev/null 2>&1; then echo "$1 worked"; else echo "$1 failed"; fi; }
try_create() { : > "$1/new"; }
try_append() { echo more >> "$1/kept"; }
try_rename() { mv "$1/kept" "$1/moved"; }
try_chmod() { chmod 777 "$1/kept"; }
try_touch() { touch "$1/kept"; }
try_remount() { mount -o remount,rw "$1" || mount -o remount,rw,bind "$1" || mount -o remount,rw /; }
try_settings() { [ -w /proc/sys/kernel/core_pattern ] || [ -w /sys/kernel/mm ]; }
try_connect() { exec 5<>"/dev/tcp/127.0.0.1/$1"; }
try_unix() { "$2" -e 'require("net").connect(process.argv[1]).on("connect",()=>process.exit(0)).on("error",()=>process.exit(1))' "$1/socket"; }
try_kill() { kill -0 "$1"; }
try_scratch() { echo kept > "$TMPDIR/.groundplan" && [ "$(cat "$TMPDIR/.groundplan")" = kept ]; }
try_git() { git -C "$1" status --porcelain --untracked-files=no; }
try_guarded() { [ -w "$1" ]; }
for name in create append rename chmod touch remount; do try $name "$1"; done
try settings; try connect "$2"; try unix "$1" "$4"; try kill "$3"; try scratch
if [ -n "$5" ]; then try git "$5"; else echo "git worked"; fi
shift 5
for folder; do try guarded "$folder"; done
echo mounts
[ -r /proc/self/mountinfo ] && cat /proc/self/mountinfo
echo end
`;

/** Tries everything; any doubt is a failure. */
export async function selfTest(request: SelfTestRequest): Promise<SelfTestReport> {
  const started = performance.now();
  const folder = await mkdtemp(join(shortFolder(), "groundplan-probe-"));
  const contacts: string[] = [];
  const servers = [listener(contacts, "tcp"), listener(contacts, "unix")] as const;
  try {
    await prepare(folder);
    const before = await pictureOf(folder);
    await listen(servers[1], join(folder, "socket"));
    await listen(servers[0], { port: 0, host: "127.0.0.1" });
    const address = servers[0].address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const { kill, pid } = targetProcess();
    const result = await request.runCaged(
      [script, "self-test", folder, String(port), pid, request.node, request.repository ?? "", ...request.guarded],
      folder,
    );
    const changed = before === (await pictureOf(folder)) ? [] : ["a file of the host was changed"];
    const failures = [...readReport(result, { mayKill: kill }), ...changed, ...contacts];
    return { passed: failures.length === 0, failures, durationMs: performance.now() - started };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { passed: false, failures: [`the self-test broke off: ${reason}`], durationMs: performance.now() - started };
  } finally {
    servers.forEach((server) => server.close());
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a run of the script says did not hold (pure). */
export function readReport(result: CommandResult, { mayKill = false }: { mayKill?: boolean } = {}): string[] {
  const [attempts = "", mounts = ""] = result.stdout.split("\nmounts\n");
  if (!mounts.endsWith("end\n")) {
    return [`the cage did not start: ${lastLine(result.stderr) || `exit code ${result.exitCode ?? result.signal}`}`];
  }
  const lines = new Set(attempts.split("\n"));
  return [
    ...mustFail
      .filter((name) => !lines.has(`${name} failed`) && !(mayKill && name === "kill"))
      .map((name) => `${name} was possible in the cage`),
    ...mustWork.filter((name) => !lines.has(`${name} worked`)).map((name) => `${name} does not work in the cage`),
    ...(lines.has("guarded worked") ? ["the project is writable in the cage"] : []),
    ...writableMounts(mounts).map((point) => `${point} is mounted writable in the cage`),
  ];
}

/** Mount points that are neither read-only nor the cage's own (pure); the last mount on a point is the one in force. */
export function writableMounts(mountinfo: string): string[] {
  const own = /^\/(tmp|dev\/(shm|pts|null|zero|full|random|urandom|tty|console))$/;
  const inForce = new Map(
    mountinfo
      .split("\n")
      .map((line) => line.split(" "))
      .filter((fields) => fields.length > 6)
      .map((fields) => [fields[4]!, fields[5]!.split(",")] as const),
  );
  return [...inForce].filter(([point, options]) => !options.includes("ro") && !own.test(point)).map(([point]) => point);
}

/** A process outside that must not be reachable; a small number could be one of the cage's own processes. */
function targetProcess(): { kill: boolean; pid: string } {
  return { kill: process.pid < 100, pid: String(process.pid) };
}

async function prepare(folder: string): Promise<void> {
  await writeFile(join(folder, "kept"), "kept\n");
  await chmod(join(folder, "kept"), 0o600);
  await utimes(join(folder, "kept"), 1, 1);
}

async function pictureOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== "socket");
  const { mode, mtimeMs } = await stat(join(folder, "kept"));
  return JSON.stringify([names, mode, mtimeMs, await readFile(join(folder, "kept"), "utf8")]);
}

function listener(contacts: string[], kind: string): Server {
  const server = createServer((socket) => {
    contacts.push(`a ${kind} socket of the host was reached from the cage`);
    socket.destroy();
  });
  server.on("error", () => undefined);
  return server;
}

/** Where we ourselves may not listen (a sandbox around us) there is nothing to reach either. */
function listen(server: Server, where: string | { port: number; host: string }): Promise<void> {
  return new Promise((settle, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EPERM" || error.code === "EACCES" ? settle() : fail(error),
    );
    server.listen(where, () => settle());
  });
}

/** A socket's path has to be short. */
function shortFolder(): string {
  return tmpdir().length > 60 ? "/tmp" : tmpdir();
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
