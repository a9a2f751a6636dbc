/** What every `groundplan plans` command works with: the library, the streams and the options. */
import { isNotFound, shortIds } from "../../../agent/library/find-plan.ts";
import type { PlanEntry } from "../../../agent/library/entry.ts";
import type { Library } from "../../../agent/library/library.ts";
import type { Streams } from "../../command.ts";
import { complain } from "../../complaint.ts";
import { timeOn } from "./age.ts";
import { oneLine, type OutputScreen } from "./screen.ts";
import type { readFlags } from "./verb-options.ts";

export interface PlansRequest {
  readonly library: Library;
  readonly streams: Streams;
  readonly screen: OutputScreen;
  readonly configHome: string;
  readonly project: string;
  readonly directory: string;
  /** The moment that ages are counted to. */
  readonly now: number;
  /** After the verb. */
  readonly words: readonly string[];
  readonly options: Exclude<ReturnType<typeof readFlags>, { problem: string }>;
}

/** The plan, or the exit code after saying why there is none. */
export async function planOf(request: PlansRequest, wanted: string | undefined): Promise<PlanEntry | number> {
  const { library, options, directory, streams } = request;
  const found = await library.find(wanted ?? null, { all: options.all, directory });
  if (!isNotFound(found)) return found;
  const named = shortIds(library.list({ all: true }));
  const candidates = found.candidates
    .slice(0, 20)
    .map(
      ({ id, title, status, at }) =>
        `\n  ${named.get(id) ?? id}  ${status}  ${timeOn(request.screen, at, request.now)}  ${oneLine(title)}`,
    );
  return complain(streams, `${oneLine(found.problem)}${candidates.join("")}`, 1);
}
