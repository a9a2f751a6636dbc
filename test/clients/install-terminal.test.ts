/** `groundplan install` on a terminal: the person is shown what will be written, and asked. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { program } from "../headless/program.ts";
import { needs } from "../support/needs.ts";
import { openPty, type Pty } from "../terminal/pty.ts";
import { openBench, type Bench } from "./installing.ts";

async function asked(bench: Bench, ...args: readonly string[]): Promise<Pty> {
  const pty = await openPty({
    command: [process.execPath, program, ...args],
    directory: bench.project,
    environment: bench.environment,
    folder: bench.home,
    rows: 60,
  });
  onTestFinished(() => pty.close());
  await pty.until("Write this? [y/N]");
  return pty;
}

test("B11.1 a no writes nothing, a yes writes what was shown", needs("script"), async () => {
  const bench = openBench();
  const file = join(bench.home, ".claude/settings.json");
  const no = await asked(bench, "install", "claude");
  no.type("\r");
  expect([await no.exited, existsSync(file)]).toEqual([1, false]);
  const yes = await asked(bench, "install", "claude");
  yes.type("y\r");
  expect([await yes.exited, readFileSync(file, "utf8")]).toEqual([0, expect.stringContaining("hook claude Stop")]);
  const out = await asked(bench, "uninstall", "claude");
  out.type("yes\r");
  expect([await out.exited, existsSync(file)]).toEqual([0, false]);
});

test("B11.1 what changed while the person read is not written over", needs("script"), async () => {
  const bench = openBench();
  const file = join(bench.home, ".claude/settings.json");
  const pty = await asked(bench, "install", "claude");
  mkdirSync(join(bench.home, ".claude"));
  writeFileSync(file, '{ "model": "new" }');
  pty.type("y\r");
  expect([await pty.exited, readFileSync(file, "utf8")]).toEqual([1, '{ "model": "new" }']);
});
