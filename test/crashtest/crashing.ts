/** Runs the crash test as a person does, and looks whether anything around it changed. */
import { execFile, type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Summary } from "../../src/crashtest/report/summary.ts";
import { program } from "../headless/program.ts";
import { realFolder } from "../support/folder.ts";
import { filesBelow } from "../support/walk.ts";

const standIn = fileURLToPath(new URL("stand-in.mjs", import.meta.url));

export interface Crashed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Files that are new, gone or other in the person's home, in the folder of the start, and among temporary files. */
  readonly around: readonly string[];
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Crashed>;
  /** The command lines of what lives in its folders. */
  readonly processes: () => readonly string[];
}

export function crash(args: readonly string[], path = process.env["PATH"]): Promise<Crashed> {
  return beginCrash(args, path).ended;
}

export function beginCrash(args: readonly string[], path = process.env["PATH"]): Running {
  const folder = realFolder("-crash");
  const [home, here, temporary] = ["home", "here", "tmp"].map((name) => join(folder, name)) as [string, string, string];
  for (const each of [home, here, temporary]) mkdirSync(each);
  writeFileSync(join(home, "kept.txt"), "kept");
  writeFileSync(join(here, "note.txt"), "alpha\n");
  const before = contentOf(folder);
  const options = { cwd: here, env: { PATH: path, HOME: home, TMPDIR: temporary }, maxBuffer: 50_000_000 };
  const settled: { by: (crashed: Crashed) => void } = { by: () => undefined };
  const ended = new Promise<Crashed>((settle) => (settled.by = settle));
  const child = execFile(process.execPath, [program, "crashtest", ...args], options, (error, stdout, stderr) => {
    const after = contentOf(folder);
    const names = [...new Set([...before.keys(), ...after.keys()])];
    /** What Node compiled of our own program is kept in the home where it is another one than the build's. */
    const around = names.filter(
      (name) => before.get(name) !== after.get(name) && !name.startsWith("home/.groundplan/compiled/"),
    );
    settled.by({
      code: error === null ? 0 : typeof error.code === "number" ? error.code : null,
      stdout,
      stderr,
      around,
    });
  });
  child.stdin?.end();
  return { child, ended, processes: () => commandLines().filter((words) => words.includes(temporary)) };
}

/** Of every process of this machine that can be read. */
function commandLines(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8");
      } catch {
        return "";
      }
    });
}

export async function crashJson(args: readonly string[]): Promise<Crashed & { readonly result: Summary }> {
  const crashed = await crash([...args, "--json"]);
  return { ...crashed, result: JSON.parse(crashed.stdout) as Summary };
}

export function standInCommand(temper: string): string {
  return `'${process.execPath}' '${standIn}' ${temper}`;
}

function contentOf(folder: string): Map<string, string> {
  return new Map(filesBelow(folder).map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}
