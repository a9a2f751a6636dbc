/** A long answer on a terminal goes through the person's pager: `$PAGER`, else less; anywhere else it is written as it is. */
import { personalEnvironment } from "../agent/host/launch/environment.ts";
import { findProgram } from "../agent/host/launch/find-program.ts";
import { launch } from "../agent/host/launch/launch.ts";
import { columnsOf } from "../faces/terminal/view/safe-text.ts";
import { answer, type Streams } from "./command.ts";
import { tellPerson } from "./complaint.ts";
import type { OutputScreen } from "./commands/plans/screen.ts";

/** Everything in the text must be harmless already. Gives the exit code of success, also when the person does not read to the end. */
export async function answerPaged(streams: Streams, text: string, screen: OutputScreen): Promise<number> {
  const environment = personalEnvironment(process.env, process.cwd());
  const pager = isLonger(text, screen) ? pagerOf(environment) : null;
  if (pager === null) return answer(streams, text);
  const problem = await page(`${text}\n`, pager, environment);
  if (problem === null) return 0;
  tellPerson(streams, `the pager did not work (${problem}); here is all of it.`);
  return answer(streams, text);
}

/** The last row is the prompt's. */
function isLonger(text: string, { columns, rows, isTerminal }: OutputScreen): boolean {
  if (!isTerminal) return false;
  let used = 0;
  for (const line of text.split("\n")) {
    used += Math.max(1, Math.ceil(columnsOf(line) / columns));
    if (used >= rows) return true;
  }
  return false;
}

type Environment = Readonly<Record<string, string>>;

/** Null for none: an empty `PAGER` says that nobody wants one. */
function pagerOf(environment: Environment): readonly [program: string, ...args: string[]] | null {
  const own = environment["PAGER"];
  if (own === undefined) return findProgram("less", environment["PATH"] ?? "") === null ? null : ["less", "-R"];
  if (own.trim() === "" || own.trim() === "cat") return null;
  return process.platform === "win32" ? ["cmd", "/d", "/s", "/c", own] : ["sh", "-c", own];
}

/** Null when it ended well, else why nothing was shown. */
async function page(text: string, [program, ...args]: readonly [string, ...string[]], environment: Environment) {
  const child = launch({
    program,
    args,
    directory: process.cwd(),
    environment: { LESS: "FRX", LV: "-c", ...environment },
    stdio: ["pipe", "inherit", "inherit"],
  });
  if (child instanceof Error) return child.message;
  process.on("SIGINT", ignore);
  try {
    return await new Promise<string | null>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("close", (code) => resolve(code === 126 || code === 127 ? `exit code ${code}` : null));
      child.stdin!.on("error", ignore);
      child.stdin!.end(text);
    });
  } finally {
    process.removeListener("SIGINT", ignore);
  }
}

/** Ctrl+C is for the pager, and it may be left before it has read everything. */
function ignore(): void {
  return undefined;
}
