import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { until } from "../../../test/support/until.ts";
import { runHook } from "./run-hook.ts";

const environment = { PATH: process.env["PATH"] ?? "", CLAUDE_PROJECT_DIR: "/some project" };
const run = (command: string, more: Partial<Parameters<typeof runHook>[0]> & { args?: string[] } = {}) => {
  const { args, ...rest } = more;
  const hook = args === undefined ? { command } : { command, args };
  return runHook({ hook, stdin: '{"a":1}\n', directory: "/", environment, timeoutMs: 600_000, ...rest });
};
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("B14.1 it reads the event, and answers by exit code, stdout and stderr", async () => {
  expect(await run("cat; echo no >&2; exit 2")).toEqual({
    kind: "exited",
    code: 2,
    stdout: '{"a":1}\n',
    stderr: "no\n",
  });
  expect(await run("true")).toMatchObject({ code: 0 });
});

test("B14.1 with arguments no shell is used, and the project's folder is filled in", async () => {
  const args = ["%s|", "$HOME", "a b;c", "${CLAUDE_PROJECT_DIR}/x"];
  expect(await run("printf", { args })).toMatchObject({ code: 0, stdout: "$HOME|a b;c|/some project/x|" });
  expect(await run("no-such-program", { args })).toEqual({
    kind: "failed",
    why: "cannot be started: there is no program no-such-program",
  });
});

test("B14.1 what takes too long is ended with all that it started, also what ignores it, and what left its group", async () => {
  const folder = realFolder();
  const pids = join(folder, "pids");
  /** Leaves the group and the session; only its mark finds it. */
  const leaver = `require("child_process").spawn("sh", ["-c", "echo $$ >> \\"$PIDS\\"; sleep 1000"], { detached: true, stdio: "ignore" })`;
  const away = process.platform === "linux" ? `"${process.execPath}" -e '${leaver}' &` : "";
  const command = `trap "" TERM INT HUP; echo $$ >> "$PIDS"; ${away} sh -c 'echo $$ >> "$PIDS"; sleep 1000' & while :; do sleep 1; done`;
  const all = process.platform === "linux" ? 3 : 2;
  const listed = (): number[] => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n").map(Number) : []);
  const stop = new AbortController();
  const ended = run(command, { signal: stop.signal, environment: { ...environment, PIDS: pids } });
  await until("all have begun", () => listed().length === all);
  stop.abort();
  expect(await ended).toEqual({ kind: "failed", why: "was stopped before it answered" });
  await until("all are gone", () => listed().every((pid) => !isAlive(pid)));
  expect(await run("sleep 1000", { timeoutMs: 50 })).toEqual({
    kind: "failed",
    why: "took longer than 0.05 s and was ended",
  });
});

test("B14.1 a flood ends it, 100 MB too, and memory holds only what is read", async () => {
  const before = process.memoryUsage().arrayBuffers;
  const answer = `head -c 100000000 /dev/zero`;
  expect(await run(answer)).toEqual({ kind: "failed", why: "answered more than 1 MB and was ended" });
  expect(await run(`${answer} >&2`)).toEqual({ kind: "failed", why: "wrote more than 8 MB and was ended" });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60e6);
});

test("B14.1 there is no terminal to wait at, and what it leaves running holds nobody up", async () => {
  expect(await run("{ read line < /dev/tty; } 2>/dev/null || echo none")).toMatchObject({ code: 0, stdout: "none\n" });
  const left = await run("sleep 1000 & echo $!; exit 0");
  expect(left).toMatchObject({ code: 0 });
  if (left.kind === "exited") process.kill(Number(left.stdout), "SIGKILL");
});

test("B14.1 one that does not read its event answers all the same", async () => {
  expect(await run("exit 0", { stdin: "x".repeat(5_000_000) })).toMatchObject({ code: 0 });
});
