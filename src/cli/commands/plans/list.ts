/** `groundplan plans list` and `plans search`: many plans, each in a row. */
import { shortIds } from "../../../agent/library/find-plan.ts";
import type { Match } from "../../../agent/library/search.ts";
import type { PlanEntry } from "../../../agent/library/entry.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { planRow, printJson, type PlansRequest } from "./request.ts";
import { counted, cut, oneLine } from "./screen.ts";

export async function list(request: PlansRequest): Promise<number> {
  const { library, options, screen, streams, words } = request;
  if (words.length > 0)
    return complain(request.streams, "list takes no plan; to see one: groundplan plans show <plan>", 2);
  const scope = { all: options.all, ...(options.status === null ? {} : { status: options.status }) };
  const plans = library.list(scope);
  if (options.json) return printJson(request, plans.map(withShort(library.list({ all: true }))));
  if (plans.length === 0) {
    streams.stdout.write(`${nothing(request)}\n`);
    return 0;
  }
  const short = shortIds(library.list({ all: true }));
  const rows = plans.map((plan) => planRow(plan, { screen, short: short.get(plan.id)!, project: options.all }));
  streams.stdout.write(`${rows.join("\n")}\n`);
  return 0;
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
  const scope = { all, limit, ...(options.status === null ? {} : { status: options.status }) };
  const result = await library.search(query, scope);
  if (result === null) return complain(request.streams, "What to search for? groundplan plans search <words>", 2);
  const { matches, total, hasAll } = result;
  if (options.json) {
    const short = withShort(library.list({ all: true }));
    return printJson(
      request,
      matches.map(({ plan, score, lines }) => ({ ...short(plan), score, lines })),
    );
  }
  if (total === 0)
    return complain(request.streams, `No plan ${all ? "" : "of this project "}has ${oneLine(query)}.`, 1);
  if (!hasAll) tellPerson(request.streams, "no plan has all of these words; these have some of them.");
  const short = shortIds(library.list({ all: true }));
  for (const match of matches) streams.stdout.write(`${matchRows(match, request, short.get(match.plan.id)!)}\n`);
  if (total > matches.length)
    tellPerson(request.streams, `${total - matches.length} more; --limit <n> shows more of them.`);
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
