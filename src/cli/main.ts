#!/usr/bin/env node
/** The program: picks the command and loads only what it needs. */
import type { Command } from "./command.ts";

const commands: Record<string, () => Promise<Command>> = {
  check: async () => (await import("./check.ts")).check,
  doctor: async () => (await import("./doctor.ts")).doctor,
  scout: async () => (await import("./scout.ts")).scout,
};

const [name = "", ...rest] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (load === undefined) {
  process.stderr.write(`groundplan: unknown command ${JSON.stringify(name)}\n`);
  process.exitCode = 2;
} else {
  const command = await load();
  process.exitCode = await command(rest, { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr });
}
