/** `groundplan plans list` and `plans search`: many plans, each in a row. */
import { shortIds } from "../../../agent/library/find-plan.ts";
import type { Match } from "../../../agent/library/search.ts";
import type { PlanEntry } from "../../../agent/library/entry.ts";
import { answer, answerJson } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { planRow, type PlansRequest } from "./request.ts";
import { counted, cut, oneLine } from "./screen.ts";

export async function list(request: PlansRequest): Promise<number> {
  const { library, options, screen, streams, words } = request;
  if (words.length > 0) return complain(streams, "list takes no plan; to see one: groundplan plans show <plan>", 2);
  const plans = library.list(scopeOf(request));
  if (options.json) return answerJson(streams, plans.map(withShort(library.list({ all: true }))));
  if (plans.length === 0) return answer(streams, nothing(request));
  const short = shortIds(library.list({ all: true }));
  const rows = plans.map((plan) => planRow(plan, { screen, short: short.get(plan.id)!, project: options.all }));
  return answer(streams, rows.join("\n"));
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

export async function search(request: PlansRequest): Promise<number> {
  const { library, options, words, streams } = request;
  const query = words.map((word) => (/\s/.test(word) && words.length > 1 ? `"${word}"` : word)).join(" ");
  const { all, limit } = options;
  const result = await library.search(query, { ...scopeOf(request), limit });
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
  answer(streams, matches.map((match) => matchRows(match, request, short.get(match.plan.id)!)).join("\n"));
  if (total > matches.length) tellPerson(streams, `${total - matches.length} more; --limit <n> shows more of them.`);
  return 0;
}

function matchRows({ plan, lines }: Match, { screen, options }: PlansRequest, short: string): string {
  const shown = lines.map(({ line, text }) => {
    const number = String(line).padStart(6);
    return `${screen.paint("dim", number)}  ${cut(oneLine(text), Math.min(screen.columns, 200) - 8)}`;
  });
  return [planRow(plan, { screen, short, project: options.all }), ...shown].join("\n");
}

/** With the short id and the count that people see. */
function withShort(everywhere: readonly PlanEntry[]): (plan: PlanEntry) => object {
  const short = shortIds(everywhere);
  return (plan) => ({ ...plan, shortId: short.get(plan.id) ?? plan.id, revisionCount: plan.revisions.length });
}
