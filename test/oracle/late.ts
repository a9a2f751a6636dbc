/** Whether an option still counts after an operand: what the guard believes against what the installed program says. */
import { verdict } from "../../src/shell/index.ts";
import type { Ask } from "./arity.ts";
import { unknownOption } from "./arity.ts";
import type { KnownCommand } from "./vocabulary.ts";

export interface LateFault {
  readonly command: string;
  readonly guard: "counts" | "ends";
  readonly program: "counts" | "ends";
}

export interface LateReport {
  readonly asked: number;
  readonly faults: readonly LateFault[];
}

const nonsense = "--groundplan-no-such-option";
const operands = ["README.md", "a.b README.md", "1 README.md", "data/sample.tar.gz", "-"];
/** It was taken for a file or a name. */
const asOperand =
  /no such (file|device)|cannot (open|access|stat|read|find)|could not lock|not found|read-only file system|bad (revision|object)|ambiguous argument|expected sha1|failed to add match/i;

/** Asks only where it decides: a late option that makes a command read, or options that the guard takes to have ended. */
export async function checkLate(known: readonly KnownCommand[], ask: Ask): Promise<LateReport> {
  const rows = [...new Map(known.flatMap(beliefsOf).map((row) => [`${row.name} ${row.before}`, row])).values()];
  const answers = await ask(
    rows.flatMap(({ name, before }) => [`${name} ${nonsense} ${before}`, `${name} ${before} ${nonsense}`]),
  );
  const faults = rows.flatMap(({ name, before, option, guard }, index): LateFault[] => {
    const [early = "", late = ""] = [answers[index * 2], answers[index * 2 + 1]];
    if (!isComplaint(early) || late.includes("@killed")) return [];
    const program = isComplaint(late) ? "counts" : "ends";
    return program === guard ? [] : [{ command: `${name} ${before} ${option}`, guard, program }];
  });
  return { asked: rows.length, faults };
}

function isComplaint(said: string): boolean {
  if (/must come before/.test(said)) return true;
  return unknownOption.test(said) && !asOperand.test(said.replaceAll(nonsense, ""));
}

function reads(command: string): boolean {
  return (
    verdict(command, { platform: "linux", directory: "/p", projectTools: [], caged: true }).verdict === "read-only"
  );
}

interface Belief {
  readonly name: string;
  readonly before: string;
  /** What stands last. */
  readonly option: string;
  readonly guard: LateFault["guard"];
}

function beliefsOf({ name, options }: KnownCommand): Belief[] {
  return operands.flatMap((before): Belief[] => {
    const counts = !reads(`${name} ${nonsense} ${before}`);
    if (counts && reads(`${name} ${before} ${nonsense}`)) return [{ name, before, option: nonsense, guard: "ends" }];
    if (reads(`${name} ${before}`)) return [];
    const option = options.find((each) => !each.endsWith("=") && reads(`${name} ${before} ${each}`));
    return option === undefined ? [] : [{ name, before, option, guard: "counts" }];
  });
}
