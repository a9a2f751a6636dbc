/** The program: picks the command and loads only what it needs. */
import { commandNamed, commandTable } from "./commands/table.ts";
import type { Streams } from "./command.ts";
import { homeProblem } from "./home-problem.ts";
import { nearest } from "../core/nearest.ts";
import { makeVisible } from "../core/wire/visible.ts";

/** What stands behind `install` and `uninstall`. */
const agentName = /^(claude|codex|opencode|gemini)$/;

void run(process.argv.slice(2))
  .catch(inWords)
  .then((code) => {
    process.exitCode = code;
  });

async function run(given: readonly string[]): Promise<number> {
  const wanted = asked(given);
  const [name = "", ...rest] = wanted;
  const row = commandNamed(name);
  if (row?.endsUnread === true ? rest[0] !== "resume" : isTelling(wanted)) endWhenUnread(process);
  const slip = homeProblem(process.env["GROUNDPLAN_HOME"]) ?? (row === null ? misspelt(name, rest) : null);
  if (slip !== null) {
    process.stderr.write(`groundplan: ${slip}\n`);
    return 2;
  }
  if (row === null) return (await import("./session.ts")).session(wanted, process);
  return (await row.load())(rest, process);
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

/** `help` alone, or with the name of a command, is that command's `--help`. */
function asked(given: readonly string[]): readonly string[] {
  const [first, name = "", ...more] = given;
  if (first !== "help" || more.length > 0) return given;
  if (name === "") return ["--help"];
  return commandNamed(name) === null ? given : [name, "--help"];
}

/** One word alone, or before an agent's name, that is nearly a command is no task: nobody waits for a model because of a slip. */
function misspelt(word: string, rest: readonly string[]): string | null {
  const words = rest.filter((arg) => !arg.startsWith("-"));
  const isPrompt = rest.some((arg) => arg === "-p" || arg === "--print");
  const isOfAgent = agentName.test(words.join(" ")) && nearest(word, ["install", "uninstall"]) !== null;
  if (isPrompt || (words.length > 0 && !isOfAgent) || !/^[a-z]+$/i.test(word)) return null;
  const near = nearest(word, [
    ...commandTable.flatMap(({ name, internal = false }) => (internal ? [] : [name])),
    "help",
  ]);
  if (near === null) return null;
  return `There is no command ${JSON.stringify(word)}; did you mean groundplan ${near}? As a task: groundplan -- ${[word, ...words].join(" ")}`;
}
