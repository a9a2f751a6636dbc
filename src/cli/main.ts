#!/usr/bin/env node
/** The program: picks the command and loads only what it needs. */
import { endWhenUnread } from "./closed-output.ts";
import type { Command } from "./command.ts";
import { nearest } from "../core/nearest.ts";

const commands: Record<string, () => Promise<Command>> = {
  check: async () => (await import("./commands/check.ts")).check,
  review: async () => (await import("./commands/review.ts")).review,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  sessions: async () => (await import("./commands/sessions.ts")).sessions,
  plans: async () => (await import("./commands/plans.ts")).plans,
  verify: async () => (await import("./commands/verify.ts")).verify,
  team: async () => (await import("./commands/team/team.ts")).team,
  scout: async () => (await import("./commands/scout.ts")).scout,
};

/** What ends by itself; the others go on without a reader. */
const telling = new Set(["doctor", "sessions", "plans", "verify", "scout"]);

process.exitCode = await run(process.argv.slice(2));

async function run(given: readonly string[]): Promise<number> {
  const [name = "", ...rest] = asked(given);
  const isKnown = Object.hasOwn(commands, name);
  const slip = isKnown ? null : misspelt(name, rest);
  if (slip !== null) {
    process.stderr.write(`groundplan: ${slip}\n`);
    return 2;
  }
  if (telling.has(name) && rest[0] !== "resume") endWhenUnread(process);
  const command = isKnown ? await commands[name]!() : (await import("./session.ts")).session;
  return command(isKnown ? rest : asked(given), process);
}

/** `help` alone, or with the name of a command, is that command's `--help`. */
function asked(given: readonly string[]): readonly string[] {
  const [first, name = "", ...more] = given;
  if (first !== "help" || more.length > 0) return given;
  if (name === "") return ["--help"];
  return Object.hasOwn(commands, name) ? [name, "--help"] : given;
}

/** One word alone that is nearly a command is no task: nobody waits for a model because of a slip. */
function misspelt(word: string, rest: readonly string[]): string | null {
  const isAlone = rest.every((arg) => arg.startsWith("-") && arg !== "-p" && arg !== "--print");
  if (!isAlone || !/^[a-z]+$/i.test(word)) return null;
  const near = nearest(word, [...Object.keys(commands), "help"]);
  if (near === null) return null;
  return `There is no command ${JSON.stringify(word)}; did you mean groundplan ${near}? As a task: groundplan -- ${word}`;
}
