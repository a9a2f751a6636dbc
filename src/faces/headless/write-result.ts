/** The end of a headless run for whoever reads it: the result on stdout, how to go on from it on stderr. */
import { providers } from "../../agent/models/providers.ts";
import { hasHidden, makeVisible, shownOn, visibleJson } from "../../core/wire/visible.ts";
import type { HeadlessLink, HeadlessOptions } from "./link.ts";
import { questionsText, type RunResult } from "./run-result.ts";

export interface Written extends Pick<HeadlessOptions, "output" | "teammate" | "program" | "complain" | "streams"> {
  readonly session: HeadlessLink;
  /** The result is what went wrong, not what the model said. */
  readonly error: string | null;
  /** What was denied, in words. */
  readonly denied: string | null;
}

export function writeResult(result: RunResult, written: Written): void {
  const { output, teammate, error, denied, complain: tell } = written;
  const { stdout } = written.streams;
  if (output !== "text") {
    const isTold = result.status === "failed" && error === null;
    const words = [result.result, ...(isTold && denied !== null ? [denied] : [])].filter((text) => text !== "");
    stdout.write(`${visibleJson({ ...result, result: words.join("\n\n") })}\n`);
    return;
  }
  if (error !== null) tell(error);
  else if (result.status === "plan_ready" && result.plan !== null) writePlan(result, written);
  else {
    if (result.result !== "") stdout.write(`${shownOn(stdout, result.result.trimEnd())}\n`);
    if (result.mode === "plan") unsubmittedText(result, written).forEach(tell);
    if (denied !== null) tell(denied);
  }
  if (result.status === "interrupted" && teammate !== null) tell(`to go on: ${again(written, result)}`);
  if (result.status === "limit") tell("the limit of turns was reached.");
}

function writePlan({ plan, sessionId, questions }: RunResult, written: Written): void {
  const { teammate, program, session, streams, complain: tell } = written;
  if (plan === null) return;
  const path = shownOn(streams.stdout, plan.path);
  streams.stdout.write(`${makeVisible(plan.text).trimEnd()}\n\nPlan: ${path}\nHash: ${plan.hash}\n`);
  if (hasHidden(plan.text)) tell("the plan holds hidden characters; they are shown as escapes.");
  if (questions.length > 0) tell(questionsText(questions, { id: sessionId, program }));
  if (teammate !== null) {
    tell(`not approved. To ask the lead again: ${again(written, { sessionId })} continue`);
    return;
  }
  const { mode } = session.handle.state.permissions;
  const workingMode = mode.current === "plan" ? mode.returnTo : mode.current;
  const granted = workingMode === "auto" ? "auto" : "acceptEdits";
  const how = `${program} -p --resume ${sessionId} --approve ${plan.hash} --permission-mode ${granted}`;
  tell(`not approved. To approve exactly this plan: ${how}`);
  if (session.modelName === "scout") scoutHints(sessionId, program).forEach(tell);
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
