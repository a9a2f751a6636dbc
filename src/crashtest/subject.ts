/** Who is tested: a row of the table found on this machine, or a command line. */
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { findProgram, isExecutable, realPaths } from "../agent/host/launch/find-program.ts";
import { nearest } from "../core/nearest.ts";
import type { LoopbackWire } from "../testing/loopback/turn.ts";
import { byCommand } from "./agents/by-command.ts";
import type { AgentRow } from "./agents/row.ts";
import { agentNamed, agentTable } from "./agents/table.ts";

export interface CrashSubject {
  readonly row: AgentRow;
  /** Program and first arguments. */
  readonly program: readonly string[];
  readonly workProgram: readonly string[];
  readonly wire: LoopbackWire | null;
  /** Node and our own program. */
  readonly groundplan: readonly string[];
}

export interface SubjectWish {
  readonly agent: string | null;
  readonly command: string | null;
  readonly workCommand: string | null;
  readonly bin: string | null;
  readonly wire: LoopbackWire | null;
  readonly groundplan: readonly string[];
}

/** `exitCode`: 2 for what was asked wrongly, 4 for what is not here. */
interface Problem {
  readonly problem: string;
  readonly exitCode: 2 | 4;
}

export function subjectOf(wish: SubjectWish): CrashSubject | Problem {
  if (wish.command !== null) return commanded(wish, wish.command);
  const known = `Agents: ${agentTable.map(({ name }) => name).join(", ")}; any other by --command "<command>".`;
  if (wish.agent === null) return { problem: `crashtest needs the name of an agent. ${known}`, exitCode: 2 };
  const row = agentNamed(wish.agent);
  if (row === null) {
    const near = nearest(
      wish.agent,
      agentTable.map(({ name }) => name),
    );
    return {
      problem: `There is no agent ${JSON.stringify(wish.agent)}.${near === null ? "" : ` Did you mean ${near}?`} ${known}`,
      exitCode: 2,
    };
  }
  if (wish.wire !== null && !row.wires.includes(wish.wire))
    return { problem: `${row.title} is led by ${row.wires.join(", ")}; not by ${wish.wire}.`, exitCode: 2 };
  const file = programOf(row, wish.bin);
  if (typeof file !== "string") return file;
  const program = file === "" ? wish.groundplan : startedBy(file);
  return { row, program, workProgram: program, wire: wish.wire, groundplan: wish.groundplan };
}

/** Empty for ourselves. */
function programOf(row: AgentRow, bin: string | null): string | Problem {
  if (bin !== null) {
    const file = isAbsolute(bin) ? bin : resolve(bin);
    const [real] = realPaths(file);
    if (real === undefined) return { problem: `There is no file ${file} (--bin).`, exitCode: 2 };
    return isExecutable(real) || isScript(real) ? file : { problem: `${file} is no program (--bin).`, exitCode: 2 };
  }
  if (row.programs.length === 0) return "";
  const found = row.programs.map((name) => findProgram(name, process.env["PATH"] ?? "")).find((file) => file !== null);
  return (
    found ?? {
      problem: `${row.title} is not on the PATH (${row.programs.join(", ")}). Name its file by --bin; nothing is installed for you.`,
      exitCode: 4,
    }
  );
}

/** A script of Node is started by this Node, also where nobody made it executable. */
function startedBy(file: string): readonly string[] {
  const [real = file] = realPaths(file);
  return isScript(real) ? [process.execPath, real] : [file];
}

function isScript(real: string): boolean {
  return /\.[cm]?js$/.test(real);
}

function commanded({ workCommand, wire, groundplan }: SubjectWish, command: string): CrashSubject | Problem {
  if (command.trim() === "") return { problem: "--command needs a command line.", exitCode: 2 };
  return {
    row: byCommand,
    program: shellLine(command),
    workProgram: shellLine(workCommand ?? command),
    wire,
    groundplan,
  };
}

function shellLine(text: string): readonly string[] {
  const given = text.includes("{prompt}") ? text.replaceAll("{prompt}", '"$1"') : `${text} "$1"`;
  return ["sh", "-c", withFullPaths(given), "sh"];
}

/** The agent starts in another folder: files of this one are named in full. */
function withFullPaths(command: string): string {
  return command.replaceAll(/[^\s"'`;|&<>$(){}]+/g, (word) =>
    /[./]/.test(word) && !isAbsolute(word) && existsSync(resolve(word)) ? resolve(word) : word,
  );
}

/** The files that a command line names in full. */
export function filesNamedBy(argv: readonly string[]): readonly string[] {
  return argv.flatMap((word) => word.match(/(?<![\w.~])\/[^\s"'`;|&<>$(){}]+/g) ?? []);
}
