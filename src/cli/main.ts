/** The program: picks the command and loads only what it needs. */
import { commandNamed, commandTable } from "./commands/table.ts";
import type { Streams } from "./command.ts";
import { homeProblem } from "./home-problem.ts";
import { misspelt } from "./misspelt.ts";
import { makeVisible } from "../core/wire/visible.ts";

void run(process.argv.slice(2))
  .catch(inWords)
  .then((code) => {
    process.exitCode = code;
  });

async function run(wanted: readonly string[]): Promise<number> {
  const [name = "", ...rest] = wanted;
  /** `help me with …` is a task. */
  const row = name === "help" && rest.length > 1 ? null : commandNamed(name);
  if (row?.endsUnread === true ? rest[0] !== "resume" : isTelling(wanted)) endWhenUnread(process);
  const slip =
    homeProblem(process.env["GROUNDPLAN_HOME"]) ?? (row === null ? misspelt(name, rest, commandTable) : null);
  if (slip !== null) {
    process.stderr.write(`groundplan: ${slip}\n`);
    return 2;
  }
  if (row === null) return (await import("./session.ts")).session(wanted, process);
  const code = await (await row.load())(rest, process);
  if (code === 0 && asksForHelp(rest) && row.examples !== undefined && name !== "help")
    process.stdout.write((await import("./help.ts")).examplesText(row.examples));
  return code;
}

/** Whoever reads may stop reading (`| head -1`): nothing is under way that the end could tear. What cannot be written is a failure. */
function endWhenUnread({ stdout, stderr }: Pick<Streams, "stdout" | "stderr">): void {
  stderr.on("error", () => undefined);
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") stderr.write(`groundplan: the output cannot be written: ${error.message}\n`);
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
}

function isTelling(wanted: readonly string[]): boolean {
  return wanted.some((arg) => ["--help", "-h", "--version", "-v"].includes(arg));
}

/** What the system refuses is said in a line (a full disk, a folder that is gone); a mistake of ours keeps its trace. */
function inWords(error: unknown): number {
  if (!(error instanceof Error) || !("syscall" in error)) throw error;
  const isGone = error.syscall === "uv_cwd";
  const text = isGone ? "The folder you are in is gone: go to another one (cd)." : error.message;
  process.stderr.write(`groundplan: ${makeVisible(text)}\n`);
  return isGone ? 2 : 1;
}

/** Words that follow `--` are the command's own. */
function asksForHelp(rest: readonly string[]): boolean {
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  return own.includes("--help") || own.includes("-h");
}
