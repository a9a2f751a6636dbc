/** `groundplan plans [list|show|diff|search|export|resume|rm]`: the plan library of this project, or of all (B5.4). */
import { configHome, projectRoot } from "../../agent/host/config-home.ts";
import { planStatuses } from "../../agent/library/entry.ts";
import { openLibrary } from "../../agent/library/library.ts";
import type { PlanStatus } from "../../core/plan/ledger.ts";
import type { Command, Streams } from "../command.ts";
import { complain, tellPerson } from "../complaint.ts";
import { flag, readOptions, value } from "../options.ts";
import type { PlansFlags, PlansRequest } from "./plans/request.ts";
import { screenOf } from "./plans/screen.ts";

const usage = `groundplan plans [list]                 plans of this project, newest first   --status <status>
groundplan plans show [plan]            text, history, who decided what       --revision <n>
groundplan plans diff [plan] [a] [b]    two revisions (the last two), or two plans
groundplan plans search <words>         full text; "phrases" in quotes        --limit <n>
groundplan plans export [plan]          exactly the approved bytes            --revision <n>, -o <file>
groundplan plans resume <plan>          goes on in its session; then prompt and options of a session
groundplan plans rm <plan>              removes it                            --yes, --force
  --all    of every project     --json    for programs     --cwd <dir>
A plan is named by its id (or a beginning of it), its file, its name or its title.
Status: ${planStatuses.join(", ")}.
`;

export const plans: Command = async (args, streams) => {
  if (args.includes("--help") || args.includes("-h")) {
    streams.stdout.write(usage);
    return 0;
  }
  const isResume = args[0] === "resume";
  const [own, sessionOptions] = isResume ? splitResume(args) : [args, []];
  const parsed = readOptions(own, plansOptions, { command: "groundplan plans" });
  if ("problem" in parsed) return complain(streams, parsed.problem, 2);
  const { values, positionals } = parsed;
  const [verb = "list", ...words] = positionals;
  if (!verbs.has(verb)) return complain(streams, `plans ${verb} is not known.\n${usage.trimEnd()}`, 2);
  const options = optionsOf(values);
  if ("problem" in options) return complain(streams, options.problem, 2);
  return run(verb, { words, options, streams, directory: values.cwd ?? process.cwd() }, sessionOptions);
};

const verbs: ReadonlySet<string> = new Set(["list", "show", "diff", "search", "export", "resume", "rm"]);

async function run(
  verb: string,
  asked: Pick<PlansRequest, "words" | "options" | "directory"> & { readonly streams: Streams },
  sessionOptions: readonly string[],
): Promise<number> {
  const { streams, directory } = asked;
  const home = configHome();
  const project = await projectRoot(directory);
  const library = await openLibrary({
    configHome: home,
    project,
    tell: (line) => tellPerson(streams, line),
    plansDirectory: async () =>
      (await import("../../program/plans-directory.ts")).plansDirectoryOf({ root: project, home }),
  });
  const request: PlansRequest = {
    ...asked,
    library,
    configHome: home,
    project,
    screen: screenOf(streams.stdout, process.env),
  };
  switch (verb) {
    case "show":
      return (await import("./plans/show.ts")).show(request);
    case "export":
      return (await import("./plans/show.ts")).exportPlan(request);
    case "diff":
      return (await import("./plans/show.ts")).diff(request);
    case "search":
      return (await import("./plans/list.ts")).search(request);
    case "resume":
      return (await import("./plans/resume.ts")).resume(request, sessionOptions);
    case "rm":
      return (await import("./plans/remove.ts")).remove(request);
    default:
      return (await import("./plans/list.ts")).list(request);
  }
}

const plansOptions = {
  all: flag,
  json: flag,
  yes: { ...flag, short: "y" },
  force: { ...flag, short: "f" },
  cwd: value,
  status: value,
  revision: { ...value, short: "r" },
  output: { ...value, short: "o" },
  limit: value,
} as const;

type Values = Exclude<ReturnType<typeof readOptions<typeof plansOptions>>, { problem: string }>["values"];

function optionsOf(values: Values): PlansFlags | { readonly problem: string } {
  const { status, revision, limit } = values;
  if (status !== undefined && !planStatuses.includes(status as PlanStatus)) {
    return { problem: `--status takes one of ${planStatuses.join(", ")}; not ${JSON.stringify(status)}.` };
  }
  for (const [name, number] of [
    ["--revision", revision],
    ["--limit", limit],
  ] as const) {
    if (number !== undefined && !/^[1-9]\d{0,5}$/.test(number)) {
      return { problem: `${name} takes a whole number from 1 on; not ${JSON.stringify(number)}.` };
    }
  }
  return {
    all: values.all === true,
    json: values.json === true,
    yes: values.yes === true,
    force: values.force === true,
    status: (status ?? null) as PlanStatus | null,
    revision: revision === undefined ? null : Number(revision),
    output: values.output ?? null,
    limit: limit === undefined ? 20 : Number(limit),
  };
}

/** `resume <plan> …`: the plan comes first, what follows is the session's. */
function splitResume(args: readonly string[]): readonly [readonly string[], readonly string[]] {
  const at = args.findIndex((arg, index) => index > 0 && !arg.startsWith("-"));
  const head = at === -1 ? args : args.slice(0, at + 1);
  const tail = at === -1 ? [] : args.slice(at + 1);
  return [[...head, ...tail.filter((arg) => arg === "--all")], tail.filter((arg) => arg !== "--all")];
}
