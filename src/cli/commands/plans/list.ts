/** `groundplan plans list` and `plans search`: many plans, each in a row. */
import { shortIds } from "../../../agent/library/find-plan.ts";
import type { PlanEntry } from "../../../agent/library/entry.ts";
import { answer, answerJson } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { answerPaged } from "../../pager.ts";
import type { PlansRequest } from "./request.ts";
import { matchRows, planRow } from "./rows.ts";
import { counted, oneLine } from "./screen.ts";

export async function list(request: PlansRequest): Promise<number> {
  const { library, options, screen, streams, words, now } = request;
  if (words.length > 0) return complain(streams, "list takes no plan; to see one: groundplan plans show <plan>", 2);
  const all = library.list(scopeOf(request));
  const plans = all.slice(0, options.limit ?? Infinity);
  if (options.json) return answerJson(streams, plans.map(withShort(library.list({ all: true }))));
  if (plans.length === 0) return answer(streams, nothing(request));
  const short = shortIds(library.list({ all: true }));
  const rows = plans.map((plan) => planRow(plan, { screen, now, short: short.get(plan.id)!, project: options.all }));
  await answerPaged(streams, rows.join("\n"), screen);
  return tellMore(request, all.length - plans.length);
}

function tellMore({ streams }: PlansRequest, more: number): number {
  if (more > 0) tellPerson(streams, `${more} more; --limit <n> shows more of them.`);
  return 0;
}

function scopeOf({ options: { all, status } }: PlansRequest) {
  return { all, ...(status === null ? {} : { status }) };
}

function nothing({ library, options: { all, status } }: PlansRequest): string {
  const others = library.list({ all: true }).length;
  const where = all ? "" : " in this project";
  const said = status === null ? `There are no plans yet${where}.` : `No plan${where} is ${status}.`;
  return all || others === 0 ? said : `${said} With --all: ${counted(others, "plan")}.`;
}

/** `--limit`: 20 unless told. */
export async function search(request: PlansRequest): Promise<number> {
  const { library, options, words, streams, screen, now } = request;
  const query = words.map((word) => (/\s/.test(word) && words.length > 1 ? `"${word}"` : word)).join(" ");
  const { all, limit } = options;
  const result = await library.search(query, { ...scopeOf(request), limit: limit ?? 20 });
  if (result === null) return complain(streams, "What to search for? groundplan plans search <words>", 2);
  const { matches, total, hasAll } = result;
  if (options.json) {
    const short = withShort(library.list({ all: true }));
    return answerJson(
      streams,
      matches.map(({ plan, score, lines }) => ({ ...short(plan), score, lines })),
    );
  }
  if (total === 0) return complain(streams, `No plan ${all ? "" : "of this project "}has ${oneLine(query)}.`, 1);
  if (!hasAll) tellPerson(streams, "no plan has all of these words; these have some of them.");
  const short = shortIds(library.list({ all: true }));
  const rows = matches.map((match) =>
    matchRows(match, { screen, now, short: short.get(match.plan.id)!, project: all }),
  );
  await answerPaged(streams, rows.join("\n"), screen);
  return tellMore(request, total - matches.length);
}

/** With the short id and the count that people see. */
function withShort(everywhere: readonly PlanEntry[]): (plan: PlanEntry) => object {
  const short = shortIds(everywhere);
  return (plan) => ({ ...plan, shortId: short.get(plan.id) ?? plan.id, revisionCount: plan.revisions.length });
}
