/** `groundplan plans import`: plans that other agents left on disk, taken into the library (B11.6). */
import { homeDirectory } from "../../../agent/host/config-home.ts";
import { importPlans, type ImportResult } from "../../../agent/library/import-plans.ts";
import { refreshIndex } from "../../../agent/library/refresh.ts";
import { planPlaces } from "../../../clients/plan-places.ts";
import { answer, answerJson } from "../../command.ts";
import { complain } from "../../complaint.ts";
import type { PlansRequest } from "./request.ts";
import { counted, oneLine } from "./screen.ts";

export async function importAll({ streams, options, words, configHome, project }: PlansRequest): Promise<number> {
  if (words.length > 0) return complain(streams, "import takes no plan: it looks where other agents leave theirs.", 2);
  const { dryRun } = options;
  const places = planPlaces({ project, home: homeDirectory(), environment: process.env });
  const result = await importPlans({ configHome, places, dryRun });
  if (result.taken.length > 0 && !dryRun) await refreshIndex({ configHome, project, tell: () => undefined });
  if (options.json) return answerJson(streams, { dryRun, ...result });
  return answer(streams, told(result, dryRun).join("\n"));
}

function told({ taken, left }: ImportResult, dryRun: boolean): readonly string[] {
  const known = left.filter(({ why }) => why === "known").length;
  const others = left.filter(({ why }) => why !== "known");
  const verb = dryRun ? "would take" : "took";
  return [
    ...taken.map(({ source, title, from }) => `${verb}  ${source}  ${oneLine(title)}  ${oneLine(from)}`),
    ...others.map(({ source, from, why }) => `left  ${source}  ${oneLine(from)}: ${why}`),
    `${counted(taken.length, "plan")} ${dryRun ? "would be taken" : "taken"}, ${known} here already, ${others.length} left.`,
    ...(taken.length > 0 && !dryRun ? ["Plans that name no project are listed by groundplan plans --all."] : []),
  ];
}
