/** What every `groundplan plans` command works with: the library, the streams and the options. */
import { localTime } from "../../../agent/loop/local-time.ts";
import { isNotFound, shortIds } from "../../../agent/library/find-plan.ts";
import { planStatuses, type PlanEntry } from "../../../agent/library/entry.ts";
import type { Library } from "../../../agent/library/library.ts";
import type { PlanStatus } from "../../../core/plan/ledger.ts";
import type { Streams } from "../../command.ts";
import { complain } from "../../complaint.ts";
import { count, flag, oneOf, value, type Read } from "../../options.ts";
import { cut, oneLine, type OutputScreen, type OutputStyle } from "./screen.ts";

export interface PlansRequest {
  readonly library: Library;
  readonly streams: Streams;
  readonly screen: OutputScreen;
  readonly configHome: string;
  readonly project: string;
  readonly directory: string;
  /** After the verb. */
  readonly words: readonly string[];
  readonly options: Exclude<ReturnType<typeof readFlags>, { problem: string }>;
}

export const plansOptions = {
  all: flag,
  json: flag,
  yes: { ...flag, short: "y" },
  force: { ...flag, short: "f" },
  "dry-run": flag,
  cwd: value,
  status: value,
  revision: { ...value, short: "r" },
  output: { ...value, short: "o" },
  limit: value,
} as const;

export function readFlags(values: Read<typeof plansOptions>["values"]) {
  const {
    all = false,
    json = false,
    yes = false,
    force = false,
    "dry-run": dryRun = false,
    output = null,
    status,
    revision,
    limit = "20",
  } = values;
  const problem = oneOf("--status", status, planStatuses) ?? count("--revision", revision) ?? count("--limit", limit);
  if (problem !== null) return { problem };
  return {
    all,
    json,
    yes,
    force,
    dryRun,
    output,
    status: (status ?? null) as PlanStatus | null,
    revision: revision === undefined ? null : Number(revision),
    limit: Number(limit),
  };
}

/** The plan, or the exit code after saying why there is none. */
export async function planOf(request: PlansRequest, wanted: string | undefined): Promise<PlanEntry | number> {
  const { library, options, directory, streams } = request;
  const found = await library.find(wanted ?? null, { all: options.all, directory });
  if (!isNotFound(found)) return found;
  const named = shortIds(library.list({ all: true }));
  const candidates = found.candidates
    .slice(0, 20)
    .map(({ id, title, status, at }) => `\n  ${named.get(id) ?? id}  ${status}  ${localTime(at)}  ${oneLine(title)}`);
  return complain(streams, `${oneLine(found.problem)}${candidates.join("")}`, 1);
}

export function paintStatus({ paint }: OutputScreen, status: PlanStatus, width = 0): string {
  return paint(statusStyles[status], status.padEnd(width));
}

/** The heading of a plan wherever several are shown: at most two lines, at 40 columns too. */
export function planRow(plan: PlanEntry, { screen, short, project }: RowFacts): string {
  const { status, at, title, revisions } = plan;
  const agent = plan.source === undefined ? "" : `  · ${oneLine(plan.source)}`;
  const name = `${title === "" ? "(no title)" : oneLine(title)}${agent}`;
  const count = `${revisions.length} rev`;
  const where = project && plan.project !== null ? oneLine(plan.project) : "";
  if (screen.columns < 90) {
    const head = `${screen.paint("cyan", short)}  ${paintStatus(screen, status)}  ${screen.paint("dim", localTime(at))}`;
    const facts = screen.paint("dim", cut(`  ${count}${where === "" ? "" : ` · ${where}`}`, screen.columns));
    return `${head}\n  ${screen.paint("bold", cut(name, screen.columns - 2))}\n${facts}`;
  }
  const left = [
    screen.paint("cyan", short.padEnd(8)),
    paintStatus(screen, status, 9),
    screen.paint("dim", localTime(at)),
    screen.paint("dim", count.padStart(6)),
  ];
  const rest = where === "" ? name : `${name}  · ${where}`;
  return `${left.join("  ")}  ${cut(rest, screen.columns - short.length - 45)}`;
}

interface RowFacts {
  readonly screen: OutputScreen;
  readonly short: string;
  /** Whether to say which project it is of. */
  readonly project: boolean;
}

const statusStyles: Readonly<Record<PlanStatus, OutputStyle>> = {
  draft: "dim",
  submitted: "yellow",
  approved: "green",
  rejected: "red",
  saved: "cyan",
  executing: "yellow",
  done: "green",
  abandoned: "dim",
};
