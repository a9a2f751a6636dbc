/** `groundplan plans [list|show|diff|search|export|resume|rm|import]`: the plan library of this project, or of all (B5.4). */
import { configHome, projectRoot } from "../../agent/host/config-home.ts";
import { planStatuses } from "../../agent/library/entry.ts";
import { openLibrary } from "../../agent/library/library.ts";
import type { Command } from "../command.ts";
import { complain, tellPerson } from "../complaint.ts";
import { readOptions } from "../options.ts";
import type { PlansRequest } from "./plans/request.ts";
import { screenOf } from "./plans/screen.ts";
import { plansOptions, plansWords, readFlags } from "./plans/verb-options.ts";

const usage = `groundplan plans [list]                 plans of this project, newest first   --status <status>, --limit <n>
groundplan plans show [plan]            text, history, who decided what       --revision <n>
groundplan plans diff [plan] [a] [b]    two revisions (the last two), or two plans
groundplan plans search <words>         full text; "phrases" in quotes        --status <status>, --limit <n>
groundplan plans export [plan]          exactly the approved bytes            --revision <n>, --output <file>, --force
groundplan plans export [plan] --html   one file to read and to send: text, revisions, decisions, comments
groundplan plans resume <plan>          goes on in its session; then prompt and options of a session
groundplan plans rm <plan>              removes it                            --yes, --force
groundplan plans import                 takes in what other agents left       --dry-run
  --all    of every project     --json    for programs     --cwd <dir>
An export goes to stdout without --output; a file that is there is kept unless --force is given.
A plan is named by its id (or a beginning of it), its file, its name or its title.
Status: ${planStatuses.join(", ")}; --status approved also finds what is executing or done.
What is longer than the screen goes through $PAGER (less where it is not set, nothing where it is empty).
`;

const plansCommand: Command = async (args, streams) => {
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
  const run = verbs.get(verb);
  if (run === undefined) return complain(streams, `plans ${verb} is not known.\n${usage.trimEnd()}`, 2);
  const options = readFlags(verb, values);
  if ("problem" in options) return complain(streams, options.problem, 2);
  const directory = values.cwd ?? process.cwd();
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
    words,
    options,
    streams,
    directory,
    library,
    configHome: home,
    project,
    now: Date.now(),
    screen: screenOf(streams.stdout, process.env),
  };
  return run(request, sessionOptions);
};

export const plans: Command = Object.assign(plansCommand, { words: async () => plansWords() });

type Verb = (request: PlansRequest, sessionOptions: readonly string[]) => Promise<number>;

const verbs: ReadonlyMap<string, Verb> = new Map(
  Object.entries<Verb>({
    list: async (request) => (await import("./plans/list.ts")).list(request),
    show: async (request) => (await import("./plans/show.ts")).show(request),
    diff: async (request) => (await import("./plans/show.ts")).diff(request),
    search: async (request) => (await import("./plans/list.ts")).search(request),
    export: async (request) => (await import("./plans/export.ts")).exportPlan(request),
    resume: async (request, rest) => (await import("./plans/resume.ts")).resume(request, rest),
    import: async (request) => (await import("./plans/import.ts")).importAll(request),
    rm: async (request) => (await import("./plans/remove.ts")).remove(request),
  }),
);

/** `resume <plan> …`: the plan comes first, what follows is the session's. */
function splitResume(args: readonly string[]): readonly [readonly string[], readonly string[]] {
  const at = args.findIndex((arg, index) => index > 0 && !arg.startsWith("-"));
  const head = at === -1 ? args : args.slice(0, at + 1);
  const tail = at === -1 ? [] : args.slice(at + 1);
  return [[...head, ...tail.filter((arg) => arg === "--all")], tail.filter((arg) => arg !== "--all")];
}
