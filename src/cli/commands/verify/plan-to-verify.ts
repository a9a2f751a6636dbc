/** The plan that `verify` and `receipt` are about: the one that is named, else the newest approved one of the project. */
import { configHome, projectRoot } from "../../../agent/host/config-home.ts";
import { isNotFound } from "../../../agent/library/find-plan.ts";
import { openLibrary, type Library } from "../../../agent/library/library.ts";
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { approvedHash } from "../../../core/plan/ledger.ts";
import type { Streams } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { oneLine } from "../plans/screen.ts";

export interface PlanWish {
  readonly wanted: string | undefined;
  readonly all: boolean;
  readonly directory: string;
}

export interface PlanToVerify {
  readonly plan: LoadedPlan;
  readonly home: string;
  /** The plan's own, where it is known. */
  readonly project: string;
}

/** The exit code after saying why there is none. */
export async function planToVerify(
  { wanted, all, directory }: PlanWish,
  streams: Streams,
): Promise<PlanToVerify | number> {
  const home = configHome();
  const project = await projectRoot(directory);
  const library = await openLibrary({ configHome: home, project, tell: (line) => tellPerson(streams, line) });
  const found = await library.find(wanted ?? newestApproved(library, all), { all, directory });
  if (isNotFound(found)) return complain(streams, oneLine(found.problem), 1);
  const plan = await library.load(found);
  if (plan.text === "") return complain(streams, `Nothing is left of ${oneLine(found.title)} to verify.`, 1);
  return { plan, home, project: found.project ?? project };
}

function newestApproved(library: Library, all: boolean): string | null {
  return library.list({ all }).find((plan) => approvedHash(plan) !== null)?.id ?? null;
}

/** Seconds in words of the command line, as milliseconds; null for what is none. */
export function millisecondsOf(seconds: string): number | null {
  return /^[1-9]\d{0,5}$/.test(seconds) ? Number(seconds) * 1000 : null;
}
