/** Asks installed programs about themselves, in the cage. */
import { createGuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";
import { buildProject } from "../edges/project.ts";
import type { ThrowAwayProject } from "../edges/project.ts";
import { checkArity } from "./arity.ts";
import type { ArityReport, Ask } from "./arity.ts";
import { checkLate } from "./late.ts";
import type { LateReport } from "./late.ts";
import { documentedCommands } from "./real-options.ts";
import type { KnownCommand } from "./vocabulary.ts";
import { helpCommands, programs, tableCommands } from "./vocabulary.ts";

type AskOne = (command: string) => Promise<string>;

/** Runs the work with a way to ask; nothing that is asked can write or connect. */
async function withCage<Answer>(project: ThrowAwayProject, work: (ask: AskOne) => Promise<Answer>): Promise<Answer> {
  const shell = createGuardedShell({
    projectRoot: project.root,
    directories: [],
    plansDirectory: project.home,
    settings: { sandbox: "required" },
    environment: project.environment,
  });
  const options = { directory: "/", confined: true, network: false, timeoutMs: 1_000_000, outputLimit: 20_000_000 };
  try {
    return await work(async (command) => (await shell.run(command, options)).stdout);
  } finally {
    shell.close();
  }
}

/** What help texts, manual pages and completion files say. */
export async function realCommands(project: ThrowAwayProject): Promise<KnownCommand[]> {
  const help = await withCage(project, helpCommands);
  return [...help, ...documentedCommands(programs)];
}

/** The arity of every documented option of the installed programs among these, by whom they are made. */
export function runArity(names: readonly string[] = programs, made = /(?:)/): Promise<ArityReport> {
  return withInstalled(names, made, checkArity);
}

/** Whether options count after operands, for the commands of the guard's tables whose programs are installed. */
export function runLate(names: readonly string[] = programs, made = /(?:)/): Promise<LateReport> {
  return withInstalled(names, made, (documented, ask) => {
    const installed = new Set(documented.map(({ name }) => name));
    const listed = tableCommands().filter(({ name }) => installed.has(name.split(" ")[0]!));
    return checkLate([...documented, ...listed], ask);
  });
}

async function withInstalled<Report>(
  names: readonly string[],
  made: RegExp,
  check: (documented: readonly KnownCommand[], ask: Ask) => Promise<Report>,
): Promise<Report> {
  const project = buildProject();
  try {
    return await withCage(project, async (ask) => {
      const versions = names.map(
        (name) => `type -P ${name} > /dev/null && echo "@ ${name} $(${name} --version 2>&1 | head -1)"`,
      );
      const lines = (await ask(versions.join("\n"))).split("\n").filter((line) => made.test(line));
      const installed = new Set(lines.map((line) => /^@ (\S+)/.exec(line)?.[1] ?? ""));
      const known = await helpCommands(ask, names);
      const both = [...known, ...documentedCommands(names)].filter(({ name }) => installed.has(name));
      return check(both, (commands) => answersTo(commands, ask, project.root));
    });
  } finally {
    project.remove();
  }
}

/** What each said, by its number; a program that waits is ended, and what it would have said is not known. */
async function answersTo(commands: readonly string[], ask: AskOne, directory: string): Promise<string[]> {
  const answers: string[] = commands.map(() => "@killed");
  for (let from = 0; from < commands.length; from += 50) {
    const lines = commands
      .slice(from, from + 50)
      .map(
        (command, index) =>
          `printf '\\n@@ ${from + index}\\n'; timeout -s KILL 5 ${command} 2>&1 < /dev/null | head -c 600; [ "\${PIPESTATUS[0]}" = 137 ] && echo @killed`,
      );
    for (const part of (await ask([`export LC_ALL=C LANGUAGE=C; cd ${directory}`, ...lines].join("\n")))
      .split(/^@@ (?=\d+$)/m)
      .slice(1)) {
      const [number = "", ...said] = part.split("\n");
      answers[Number(number)] = said.join("\n").trim();
    }
  }
  return answers;
}
