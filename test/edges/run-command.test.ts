/** Running real commands: limits, and nothing left behind. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createGuardedShell, type GuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";
import { runCommand } from "../../src/agent/host/shell/run-command.ts";
import { needs } from "../support/needs.ts";
import { linuxRungs, only } from "./rungs.ts";
import { remove } from "../support/remove.ts";

const folder = mkdtempSync(join(tmpdir(), "groundplan-run-"));
const createShell = (environment: Record<string, string>) =>
  createGuardedShell({
    projectRoot: folder,
    directories: [],
    plansDirectory: join(folder, "plans"),
    settings: { sandbox: "required" },
    environment: { ...process.env, ...environment },
  });
afterAll(() => remove(folder));

const working = { directory: folder, confined: false, network: false, timeoutMs: 300_000 };

for (const rung of linuxRungs) {
  describe(`a command in the cage by ${rung}`, needs(rung), () =>
    runs(createShell(only(rung)), { ...working, confined: true }),
  );
}
describe("a command without a cage", () => runs(createShell({}), working));

function runs(shell: GuardedShell, options: typeof working): void {
  afterAll(() => shell.close());

  test("has its streams and its exit code, no terminal and no input", async () => {
    const result = await shell.run("echo out; echo err >&2; [ -t 0 ] || [ -t 1 ] || cat; exit 3", options);
    expect(result).toMatchObject({ exitCode: 3, stdout: "out\n", stderr: "err\n", truncated: false, timedOut: false });
  });

  test("ends at its time limit, with everything it started", async () => {
    const seconds = uniqueSeconds();
    const result = await shell.run(`sleep ${seconds} & (setsid sleep ${seconds} &); sleep ${seconds}`, {
      ...options,
      timeoutMs: 300,
    });
    expect(result).toMatchObject({ timedOut: true, exitCode: null });
    await expect.poll(() => processesNamed(`sleep ${seconds}`)).toEqual([]);
  });

  test("leaves no background process behind when it ends by itself", async () => {
    const seconds = uniqueSeconds();
    const result = await shell.run(
      `sleep ${seconds} & (setsid nohup sleep ${seconds} &); disown -a; echo done`,
      options,
    );
    expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
    await expect.poll(() => processesNamed(`sleep ${seconds}`)).toEqual([]);
  });

  test("ends by an abort, whatever signals it does not listen to", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 150);
    const result = await shell.run("trap '' TERM INT HUP; while :; do sleep 5; done", {
      ...options,
      signal: controller.signal,
    });
    expect(result).toMatchObject({ aborted: true, timedOut: false, exitCode: null });
  });

  test("keeps the beginning and the end of 100 MB", async () => {
    await shell.run("true", options);
    const result = await shell.run("echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last", options);
    expect(result.exitCode).toBe(0);
    expect(result.truncated).toBe(true);
    expect(result.stdout.length).toBeLessThan(201_000);
    expect(result.stdout.replace(/x+/g, "x")).toBe("first\nx\n[… 99800012 of 100000012 bytes left out …]\nx\nlast\n");
  });
}

describe("a command that cannot start", () => {
  const shell = createShell({});
  afterAll(() => shell.close());

  test("says so", async () => {
    const result = await runCommand({
      argv: [join(folder, "missing")],
      directory: folder,
      environment: {},
      timeoutMs: 300_000,
      ending: "group",
    });
    expect(result).toMatchObject({ exitCode: 127, stderr: expect.stringContaining("ENOENT") });
  });

  test.each([
    ["too long", `: ${"x".repeat(200_000)}`],
    ["with a NUL in it", "echo \0"],
  ])("because its text is %s, says so", async (_name, command) => {
    expect(await shell.run(command, working)).toMatchObject({ exitCode: 126, stdout: "" });
  });

  test("an aborted request never starts it", async () => {
    const result = await shell.run("echo ran", { ...working, signal: AbortSignal.abort() });
    expect(result).toMatchObject({ aborted: true, stdout: "" });
  });

  test("a command without an analysed text is not run", async () => {
    const result = await shell.run({ canonical: null, gitDirectories: [] }, working);
    expect(result).toMatchObject({ exitCode: 126, stdout: "" });
  });
});

function uniqueSeconds(): string {
  return `${100 + Math.floor(Math.random() * 800)}.${process.pid}${Math.floor(Math.random() * 1_000)}`;
}

function processesNamed(command: string): string[] {
  const list = execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8" });
  return list.split("\n").filter((line) => line.includes(command));
}
