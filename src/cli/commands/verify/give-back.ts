/** Gives what was found to the plan's session as its next prompt (B16.3). */
import type { PlanFinding } from "../../../core/proof/finding.ts";
import { loadPrompts } from "../../../prompts/index.ts";
import { renderFindings } from "../../../prompts/render/findings.ts";
import { parseSessionArguments } from "../../args.ts";
import { isInteractive, type Streams } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { sessionOfPlan } from "../plans/session-of-plan.ts";
import { runSession } from "../../run-session.ts";
import type { PlanToVerify } from "./plan-to-verify.ts";

export interface GivenBack extends PlanToVerify {
  readonly findings: readonly PlanFinding[];
  readonly mode: string | null;
}

/** `isOver`: the session has ended its turn, and what it did can be verified. */
export async function giveBack(
  { plan, home, project, findings, mode }: GivenBack,
  streams: Streams,
): Promise<{ readonly exitCode: number; readonly isOver: boolean }> {
  const session = await sessionOfPlan(home, plan.entry);
  if (session === null) {
    const problem = "The plan's session is gone: nothing is there to give it back to.";
    return { exitCode: complain(streams, problem, 1), isOver: false };
  }
  const isTerminal = isInteractive(streams);
  const print = isTerminal ? [] : ["--print"];
  const chosen = mode === null ? [] : ["--permission-mode", mode];
  const parsed = parseSessionArguments([...print, ...chosen, "--cwd", project, "--resume", session]);
  if ("problem" in parsed) return { exitCode: complain(streams, parsed.problem, 2), isOver: false };
  tellPerson(streams, `given back to session ${session}.`);
  const { entry } = plan;
  const prompt = renderFindings(loadPrompts(), { file: entry.file, findings });
  return { exitCode: await runSession({ ...parsed, prompt }, streams), isOver: !isTerminal };
}
