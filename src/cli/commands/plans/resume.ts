/** `groundplan plans resume`: goes on where the plan's work is; where its session is gone, in a new one that starts from the plan. */
import type { PlanEntry } from "../../../agent/library/entry.ts";
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { isBlank } from "../../../core/plan/hash.ts";
import { loadPrompts } from "../../../prompts/index.ts";
import { freshStart, startAgain } from "../../../prompts/render/opening.ts";
import { parseSessionArguments, type SessionArguments } from "../../args.ts";
import { isInteractive } from "../../command.ts";
import { runSession } from "../../run-session.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { planOf, type PlansRequest } from "./request.ts";
import { oneLine } from "./screen.ts";
import { sessionOfPlan } from "./session-of-plan.ts";

/** After the plan come the prompt and the options of a session. */
export async function resume(request: PlansRequest, sessionOptions: readonly string[]): Promise<number> {
  const { streams } = request;
  const plan = await planOf(request, request.words[0]);
  if (typeof plan === "number") return plan;
  const loaded = await request.library.load(plan);
  const print = isInteractive(streams) ? [] : ["--print"];
  const session = await sessionOfPlan(request.configHome, plan);
  const parsed = parseSessionArguments([
    ...print,
    ...placeOf(request, plan),
    ...(session === null ? [] : ["--resume", session]),
    ...sessionOptions,
  ]);
  if ("problem" in parsed) return complain(streams, parsed.problem, 2);
  if (session !== null) return runSession(parsed, streams);
  if (isBlank(loaded.text))
    return complain(streams, `Nothing is left of ${oneLine(plan.title)}: neither its session nor its file.`, 1);
  if (loaded.stale.length > 0)
    tellPerson(streams, `changed since the plan was submitted: ${loaded.stale.map(oneLine).join(", ")}`);
  tellPerson(streams, "the plan's session is gone; a new one starts from the plan.");
  return runSession(startingFrom(loaded, parsed), streams);
}

function placeOf({ project }: PlansRequest, plan: PlanEntry): readonly string[] {
  return plan.project === null || plan.project === project ? [] : ["--cwd", plan.project];
}

/** An approved plan is carried out; any other is taken up again in plan mode. */
function startingFrom({ entry, text, approved, revisions }: LoadedPlan, args: SessionArguments): SessionArguments {
  const prompts = loadPrompts();
  const { file, session, project } = entry;
  const also = args.prompt === null ? "" : `\n\n${args.prompt}`;
  if (approved === null || session === null || project === null) {
    return { ...args, mode: args.mode ?? "plan", prompt: startAgain(prompts, { file, plan: text }) + also };
  }
  const words = freshStart(prompts, { file, plan: text, notes: null, decisions: [] });
  const { at: _, gone: __, ...known } = entry;
  const record = { ...known, session, project, revisions };
  return { ...args, prompt: words + also, linked: { from: session, file, text, seen: [], record } };
}
