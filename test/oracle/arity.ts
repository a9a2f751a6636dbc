/** Whether an option takes a value: what the guard believes against what the installed program says. */
import type { ShellVerdict } from "../../src/shell/index.ts";
import { verdict } from "../../src/shell/index.ts";
import type { KnownCommand } from "./vocabulary.ts";

export interface ArityFault {
  readonly command: string;
  readonly guard: "value" | "none";
  readonly program: "value" | "none";
}

export interface ArityReport {
  readonly asked: number;
  readonly faults: readonly ArityFault[];
}

/** Runs each command of a list in a cage and gives what it said on both streams. */
export type Ask = (commands: readonly string[]) => Promise<readonly string[]>;

const wantsValue =
  /(requires?|needs|expects|missing) (an? |its |the |a numerical )?(argument|value|parameter|operand for)|option [^\n]* requires|expected (an )?argument|argument missing|value is required|requires? at least|needs an? |must be followed/i;
/** What a program says to an option that it does not have. */
export const unknownOption =
  /(unknown|unrecogni[sz]ed|invalid|illegal|bad|ambiguous|unsupported|no such|not a valid)[ \w]* (option|argument|switch|flag|parameter)|unexpected argument|unknown (option|command|argument)|not recogni[sz]ed|required arguments were not provided|no such (file|command)/i;

/** Every documented option that the guard knows, given alone: a program that takes a value says that it is missing. */
export async function checkArity(documented: readonly KnownCommand[], ask: Ask): Promise<ArityReport> {
  const believed = documented.flatMap(({ name, options }) =>
    [...new Set(options.map((option) => option.replace(/=$/, "")))]
      .map((option) => ({ command: `${name} ${option}`, guard: believes(name, option) }))
      .filter((row): row is { command: string; guard: "value" | "none" } => row.guard !== null),
  );
  const answers = await ask(believed.map(({ command }) => command));
  const faults = believed.flatMap(({ command, guard }, index): ArityFault[] => {
    const said = answers[index] ?? "";
    const program = wantsValue.test(said) ? "value" : "none";
    const isKnown = !unknownOption.test(said) && !said.includes("@killed");
    return program === guard || !isKnown ? [] : [{ command, guard, program }];
  });
  return { asked: believed.length, faults };
}

function judge(command: string): ShellVerdict {
  return verdict(command, { platform: "linux", directory: "/p", projectTools: [] });
}

/** Null: the guard does not read this option at all, or takes any for harmless. */
function believes(name: string, option: string): "value" | "none" | null {
  const alone = judge(`${name} ${option}`);
  if (alone.reason.endsWith(" has no value")) return "value";
  const odd = judge(`${name} --groundplan-no-such-option`);
  if (odd.verdict === "read-only" || /is not known|is not one of|in \S+ is not known|may /.test(alone.reason))
    return null;
  return alone.verdict === "read-only" ? "none" : null;
}
