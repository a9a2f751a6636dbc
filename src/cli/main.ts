#!/usr/bin/env node
/** The program: picks the command and loads only what it needs. */
import { endWhenUnread } from "./closed-output.ts";
import type { Command } from "./command.ts";

const commands: Record<string, () => Promise<Command>> = {
  check: async () => (await import("./check.ts")).check,
  review: async () => (await import("./review.ts")).review,
  doctor: async () => (await import("./doctor.ts")).doctor,
  sessions: async () => (await import("./sessions.ts")).sessions,
  plans: async () => (await import("./plans.ts")).plans,
  verify: async () => (await import("./verify.ts")).verify,
  team: async () => (await import("./team.ts")).team,
  scout: async () => (await import("./scout.ts")).scout,
};

/** What ends by itself; the others go on without a reader. */
const telling = ["doctor", "sessions", "plans", "verify", "scout"];

const [name = "", ...rest] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? await commands[name]!() : (await import("./session.ts")).session;
const args = Object.hasOwn(commands, name) ? rest : process.argv.slice(2);
if (telling.includes(name) && rest[0] !== "resume") endWhenUnread(process);
process.exitCode = await command(args, { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr });
