/** Which options each verb of `groundplan plans` takes: one that does nothing there is refused, and says where it belongs. */
import { among, count, file, flag, folder, oneOf, value, type Read } from "../../options.ts";
import type { CommandGrammar } from "../../command.ts";
import { planStatuses } from "../../../agent/library/entry.ts";
import type { PlanStatus } from "../../../core/plan/ledger.ts";

export const plansOptions = {
  all: flag,
  json: flag,
  yes: { ...flag, short: "y" },
  force: { ...flag, short: "f" },
  "dry-run": flag,
  cwd: folder,
  status: among(planStatuses),
  revision: { ...value, short: "r" },
  output: { ...file, short: "o" },
  limit: { ...value, short: "n" },
  html: flag,
} as const;

type Name = keyof typeof plansOptions;

const taken: Readonly<Record<string, readonly Name[]>> = {
  list: ["all", "json", "cwd", "status", "limit"],
  show: ["all", "json", "cwd", "revision"],
  diff: ["all", "json", "cwd"],
  search: ["all", "json", "cwd", "status", "limit"],
  export: ["all", "cwd", "revision", "output", "force", "html"],
  rm: ["all", "json", "cwd", "yes", "force"],
  import: ["json", "cwd", "dry-run"],
  resume: ["all", "cwd"],
};

/** For a shell's completion; what follows `resume <plan>` is a session's. */
export function plansWords(): CommandGrammar {
  const optionsOf = (verb: string) => Object.fromEntries(taken[verb]!.map((name) => [name, plansOptions[name]]));
  const verbs = Object.keys(taken).map((verb) => {
    const isOfPlan = ["show", "diff", "export", "rm", "resume"].includes(verb);
    return [verb, { options: optionsOf(verb), ...(isOfPlan ? { takes: "plan" as const } : {}) }];
  });
  return { options: optionsOf("list"), verbs: Object.fromEntries(verbs) };
}

export function readFlags(verb: string, values: Read<typeof plansOptions>["values"]) {
  const { status, revision, limit } = values;
  const problem =
    foreignTo(verb, Object.keys(values) as Name[]) ??
    oneOf("--status", status, planStatuses) ??
    count("--revision", revision) ??
    count("--limit", limit);
  if (problem !== null) return { problem };
  return {
    all: values.all ?? false,
    json: values.json ?? false,
    yes: values.yes ?? false,
    force: values.force ?? false,
    dryRun: values["dry-run"] ?? false,
    output: values.output ?? null,
    html: values.html ?? false,
    status: (status ?? null) as PlanStatus | null,
    revision: revision === undefined ? null : Number(revision),
    limit: limit === undefined ? null : Number(limit),
  };
}

function foreignTo(verb: string, given: readonly Name[]): string | null {
  const own = taken[verb] ?? [];
  const foreign = given.find((name) => !own.includes(name));
  if (foreign === undefined) return null;
  const others = Object.keys(taken).filter((other) => taken[other]!.includes(foreign));
  const names = own.map((name) => `--${name}`).join(", ");
  return `plans ${verb} takes no --${foreign}; that is for plans ${others.join(", ")}. It takes ${names}.`;
}
