/** `groundplan team start`: a teammate as this process, headless; its plan goes to the lead. */
import { nameProblem, teamLead } from "../../../mail/mailbox.ts";
import { parseSessionArguments, type SessionArguments } from "../../args.ts";
import type { Command } from "../../command.ts";
import { complain } from "../../complaint.ts";

export const startTeammate: Command = async (args, streams) => {
  const parsed = parseTeammate(args);
  if ("problem" in parsed) return complain(streams, parsed.problem, 2);
  const { print } = await import("../../headless/print.ts");
  return print(parsed, streams);
};

export function parseTeammate(args: readonly string[]): SessionArguments | { readonly problem: string } {
  const own = takeOptions(args);
  if ("problem" in own) return own;
  const session = parseSessionArguments(own.rest, {
    command: "groundplan team",
    also: ["team", "deadline", "plan-required"],
  });
  if ("problem" in session) return session;
  const [name, ...words] = nameAndTask(session.prompt);
  const problem = nameComplaint(name) ?? (own.team === null ? null : nameProblem(own.team));
  if (name === undefined || problem !== null) return { problem: problem ?? usage };
  if (session.resume !== null && (own.planRequired || own.deadline !== null))
    return {
      problem: "--plan-required and --deadline are chosen when a teammate starts; leave them out with --resume.",
    };
  const { team, planRequired, deadline } = own;
  return {
    ...session,
    prompt: words.length === 0 ? null : words.join(" "),
    print: true,
    modeByModel: false,
    teammate: { name, team, planRequired, answerWithinMs: (deadline ?? defaultDeadline) * 1_000 },
  };
}

const usage = 'Name the teammate and its task: groundplan team start <name> "task".';
const defaultDeadline = 1_800;
const longestDeadline = 30 * 24 * 3_600;

interface Own {
  readonly team: string | null;
  readonly planRequired: boolean;
  /** Seconds. */
  readonly deadline: number | null;
  readonly rest: readonly string[];
}

/** The options of a teammate; everything else is for the session. */
function takeOptions(args: readonly string[]): Own | { readonly problem: string } {
  const rest: string[] = [];
  let team: string | null = null;
  let deadline: string | null = null;
  let planRequired = false;
  for (let at = 0; at < args.length; at += 1) {
    const [option, joined] = split(args[at]!);
    if (option === "--plan-required") planRequired = true;
    else if (option === "--team" || option === "--deadline") {
      const value = joined ?? args[(at += 1)];
      if (value === undefined) return { problem: `${option} needs a value.` };
      if (option === "--team") team = value;
      else deadline = value;
    } else rest.push(args[at]!);
  }
  const seconds = deadline === null ? null : Number(deadline);
  if (seconds !== null && !(seconds > 0 && seconds <= longestDeadline))
    return { problem: `--deadline takes seconds, from 1 to ${longestDeadline}; not ${JSON.stringify(deadline)}.` };
  return { team, deadline: seconds, planRequired, rest };
}

/** The first word names the teammate, the rest is its task. */
function nameAndTask(prompt: string | null): readonly string[] {
  const all = (prompt ?? "").trim();
  const end = all.search(/\s/);
  if (end < 0) return all === "" ? [] : [all];
  return [all.slice(0, end), all.slice(end).trim()];
}

function split(arg: string): readonly [string, string?] {
  const at = arg.indexOf("=");
  return arg.startsWith("--") && at > 0 ? [arg.slice(0, at), arg.slice(at + 1)] : [arg];
}

function nameComplaint(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (name === teamLead) return `${teamLead} is the lead's own name; choose another one.`;
  return nameProblem(name);
}
