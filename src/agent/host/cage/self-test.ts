/** The self-test of a cage: what must fail in it is tried in it, once, on things of our own (B1.4). */
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../../../core/error-text.ts";
import type { CommandRun } from "../shell/run-command.ts";
import { listenOutside } from "./self-test-listeners.ts";
import type { RawCalls } from "./self-test-calls.ts";
import type { SelfTestReport } from "./types.ts";

export interface SelfTestRequest {
  /** Runs a script in the cage under test, with this folder visible in it, and one file hidden. */
  readonly runCaged: (script: readonly string[], sight: { visible: string; hide: string }) => Promise<CommandRun>;
  /** Whether the cage has namespaces: mounts, processes and a network of its own. */
  readonly isAlone: boolean;
  /** Real folders that must not be writable in the cage. */
  readonly guarded: readonly string[];
  /** Where `git status` works outside of the cage, so that it has to inside; null when it works nowhere. */
  readonly repository: string | null;
  /** A Node program, for the socket that a shell cannot open. */
  readonly node: string;
  /** What makes system calls by number; null where the machine has neither perl nor python3. */
  readonly raw: RawCalls | null;
}

const attempts =
  "create append empty rename link chmod touch remount settings unix connect datagram kill environ memory";
const mustFail = [...attempts.split(" "), "hidden"];
const mustWork = ["scratch", "git"];

/** One line for each attempt: its name and whether it worked. */
const script = `
folder=$1 tcp=$2 udp=$3 pid=$4 node=$5 repository=$6 hidden=$7 by=$8; shift 8
echo descriptors
ls -l /proc/self/fd
echo attempts
try() { if "try_$1" >/dev/null 2>&1; then echo "$1 worked"; else echo "$1 failed"; fi; }
try_create() { : > "$folder/new"; }
try_append() { echo more >> "$folder/kept"; }
try_empty() { "$node" -e 'require("fs").truncateSync(process.argv[1])' "$folder/kept"; }
try_rename() { mv "$folder/kept" "$folder/moved"; }
try_link() { ln "$folder/kept" "$TMPDIR/linked" && echo more >> "$TMPDIR/linked"; }
try_chmod() { chmod 777 "$folder/kept"; }
try_touch() { touch "$folder/kept"; }
try_remount() { mount -o remount,rw "$folder" || mount -o remount,rw,bind "$folder" || mount -o remount,rw /; }
try_settings() { (exec 7>> /proc/sys/kernel/core_pattern) || (exec 7>> /sys/kernel/mm/ksm/run); }
try_connect() { (exec 7<> "/dev/tcp/127.0.0.1/$tcp"); }
try_datagram() { (exec 7<> "/dev/udp/127.0.0.1/$udp" && echo reached >&7); }
try_unix() { "$node" -e 'require("net").connect(process.argv[1]).on("connect",()=>process.exit(0)).on("error",()=>process.exit(1))' "$folder/socket"; }
try_kill() { kill -0 "$pid"; }
try_environ() { [ -n "$(head -c 1 "/proc/$pid/environ")" ]; }
try_memory() { (exec 7<> "/proc/$pid/mem"); }
try_hidden() { [ "$(cat "$hidden")" = hidden ]; }
try_scratch() { echo kept > "$TMPDIR/.groundplan" && [ "$(cat "$TMPDIR/.groundplan")" = kept ]; }
try_git() { git -C "$repository" status --porcelain --untracked-files=no; }
for name in ${attempts} scratch hidden; do try $name; done
if [ -n "$repository" ]; then try git; else echo "git worked"; fi
if [ "$by" -gt 0 ]; then "\${@:1:$by}"; shift "$by"; fi
for each; do [ -w "$each" ] && echo "guarded worked"; done
echo mounts
[ -r /proc/self/mountinfo ] && cat /proc/self/mountinfo
echo end
`;

/** All that it tries and wants, to tell one version of it from another. */
export const selfTestText = JSON.stringify([script, mustFail, mustWork]);

/** Tries everything; any doubt is a failure. */
export async function selfTest(request: SelfTestRequest): Promise<SelfTestReport> {
  const started = performance.now();
  /** A socket's path has to be short. */
  const folder = await mkdtemp(join(tmpdir().length > 60 ? "/tmp" : tmpdir(), "groundplan-probe-"));
  const hide = join(folder, "hidden");
  const outside = listenOutside();
  try {
    await writeFile(join(folder, "kept"), "kept\n", { mode: 0o600 });
    await utimes(join(folder, "kept"), 1, 1);
    await writeFile(hide, "hidden\n", { mode: 0o600 });
    const before = await pictureOf(folder);
    const { tcp, udp } = await outside.open(join(folder, "socket"));
    const { raw, isAlone } = request;
    const by = raw?.command ?? [];
    const ports = [tcp, udp, process.pid].map(String);
    const place = [folder, ...ports, request.node, request.repository ?? "", hide];
    const rest = [String(by.length), ...by, ...request.guarded];
    const result = await request.runCaged([script, "self-test", ...place, ...rest], { visible: folder, hide });
    await outside.heard();
    const changed = before === (await pictureOf(folder)) ? [] : ["a file of the host was changed"];
    const failures = [...readReport(result, { isAlone, tried: raw?.names ?? [] }), ...changed, ...outside.contacts];
    return { passed: failures.length === 0, failures, durationMs: performance.now() - started };
  } catch (error) {
    const reason = errorText(error);
    return { passed: false, failures: [`the self-test broke off: ${reason}`], durationMs: performance.now() - started };
  } finally {
    outside.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a run of the script says did not hold (pure). */
export function readReport(
  result: CommandRun,
  { isAlone, tried = [], pid = process.pid }: { isAlone: boolean; tried?: readonly string[]; pid?: number },
): string[] {
  const [before = "", mounts = ""] = result.stdout.split("\nmounts\n");
  const [descriptors = "", attempted = ""] = before.split("\nattempts\n");
  if (!mounts.endsWith("end\n")) {
    return [`the cage did not start: ${lastLine(result.stderr) || `exit code ${result.exitCode ?? result.signal}`}`];
  }
  const lines = new Set(attempted.split("\n"));
  /** In a network of its own a datagram goes nowhere; among processes of its own a small number could be one of them. */
  const mayBeOwn = isAlone ? ["datagram", ...(pid < 100 ? ["kill", "environ", "memory"] : [])] : [];
  return [
    ...[...mustFail, ...tried]
      .filter((name) => !lines.has(`${name} failed`) && !mayBeOwn.includes(name))
      .map((name) => `${name} was possible in the cage`),
    ...handedOn(descriptors).map((target) => `a descriptor of ours is open in the cage: ${target}`),
    ...mustWork.filter((name) => !lines.has(`${name} worked`)).map((name) => `${name} does not work in the cage`),
    ...(isAlone && lines.has("guarded worked") ? ["the project is writable in the cage"] : []),
    ...(isAlone ? writableMounts(mounts).map((point) => `${point} is mounted writable in the cage`) : []),
  ];
}

/** Descriptors beside the three streams, as `ls -l /proc/self/fd` shows them, that lead to something (pure). */
export function handedOn(listing: string): string[] {
  return listing
    .split("\n")
    .flatMap((line) => {
      const [, number = "0", target = ""] = / (\d+) -> (.+)$/.exec(line) ?? [];
      return Number(number) > 2 ? [target] : [];
    })
    .filter((target) => target !== "/dev/null" && !/^\/proc\/\d+\/fd$/.test(target));
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

async function pictureOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== "socket");
  const { mode, mtimeMs } = await stat(join(folder, "kept"));
  return JSON.stringify([names, mode, mtimeMs, await readFile(join(folder, "kept"), "utf8")]);
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
