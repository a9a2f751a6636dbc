/** The end of a headless run for whoever reads it: the result on stdout, how to go on from it on stderr. */
import { providers } from "../../agent/models/providers.ts";
import { hasHidden, makeVisible } from "../../core/wire/visible.ts";
import type { HeadlessStreams } from "./link.ts";
import { questionsText, type RunResult } from "./run-result.ts";

export interface Written {
  readonly output: "text" | "json" | "stream-json";
  /** The name of the teammate that it is. */
  readonly teammate: string | null;
  /** The program as the person started it. */
  readonly program: string;
  /** A line for the person. */
  readonly tell: (line: string) => void;
  readonly isScout: boolean;
  /** The mode before planning. */
  readonly workingMode: string;
  /** The result is what went wrong, not what the model said. */
  readonly error: string | null;
  /** What was denied, in words. */
  readonly denied: string | null;
}

export function writeResult(result: RunResult, written: Written, stdout: HeadlessStreams["stdout"]): void {
  const { output, teammate, error, denied, tell } = written;
  if (output !== "text") {
    const isTold = result.status === "failed" && error === null;
    const words = [result.result, ...(isTold && denied !== null ? [denied] : [])].filter((text) => text !== "");
    stdout.write(`${JSON.stringify({ ...result, result: words.join("\n\n") })}\n`);
    return;
  }
  if (error !== null) tell(error);
  else if (result.status === "plan_ready" && result.plan !== null) writePlan(result, written, stdout);
  else {
    if (result.result !== "") stdout.write(`${result.result.trimEnd()}\n`);
    if (result.mode === "plan") unsubmittedText(result, written).forEach(tell);
    if (denied !== null) tell(denied);
  }
  if (result.status === "interrupted" && teammate !== null) tell(`to go on: ${again(written, result)}`);
  if (result.status === "limit") tell("the limit of turns was reached.");
}

function writePlan(
  { plan, sessionId, questions }: RunResult,
  written: Written,
  stdout: HeadlessStreams["stdout"],
): void {
  const { teammate, isScout, workingMode, tell, program } = written;
  if (plan === null) return;
  stdout.write(`${makeVisible(plan.text).trimEnd()}\n\nPlan: ${plan.path}\nHash: ${plan.hash}\n`);
  if (hasHidden(plan.text)) tell("the plan holds hidden characters; they are shown as escapes.");
  if (questions.length > 0) tell(questionsText(questions, { id: sessionId, program }));
  if (teammate !== null) {
    tell(`not approved. To ask the lead again: ${again(written, { sessionId })} continue`);
    return;
  }
  const mode = workingMode === "auto" ? "auto" : "acceptEdits";
  const how = `${program} -p --resume ${sessionId} --approve ${plan.hash} --permission-mode ${mode}`;
  tell(`not approved. To approve exactly this plan: ${how}`);
  if (isScout) scoutHints(sessionId, program).forEach(tell);
}

/** A plan that cannot be approved as it is. */
function unsubmittedText({ plan, sessionId }: RunResult, { program }: Written): readonly string[] {
  if (plan?.status !== "draft" && plan?.status !== "rejected") return [];
  const state = plan.status === "draft" ? "is a draft, not submitted" : "is not submitted again";
  return [`the plan ${state}: ${plan.path}. To go on: ${program} -p --resume ${sessionId} "…"`];
}

function again({ teammate, program }: Written, { sessionId }: Pick<RunResult, "sessionId">): string {
  return `${program} team start ${teammate} --resume ${sessionId}`;
}

/** Scout plans and does not code: how the work goes on from here. */
function scoutHints(id: string, program: string): readonly string[] {
  const keys = providers.map(({ keyVariable }) => `${keyVariable}=…`).join(", ");
  return [
    `with a key before it (${keys}) a model then carries the plan out`,
    `to change it: ${program} -p --resume ${id} "leave out …" (or: add …, only …, without tests)`,
  ];
}
