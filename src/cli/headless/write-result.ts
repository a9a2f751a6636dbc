/** The end of a headless run for whoever reads it: the result on stdout, how to go on from it on stderr. */
import { providers } from "../../agent/models/providers.ts";
import { hasHidden, makeVisible } from "../../core/wire/visible.ts";
import type { SessionArguments } from "../args.ts";
import type { TeammateWish } from "../../program/wish.ts";
import type { Streams } from "../command.ts";
import { tellPerson } from "../complaint.ts";
import { programName } from "../program-name.ts";
import { questionsText, type RunResult } from "./run-result.ts";

export interface Written {
  readonly args: SessionArguments;
  readonly isScout: boolean;
  /** The mode before planning. */
  readonly workingMode: string;
  /** The result is what went wrong, not what the model said. */
  readonly error: string | null;
  /** What was denied as nobody could be asked, in words. */
  readonly denied: string | null;
}

export function writeResult(result: RunResult, written: Written, streams: Streams): void {
  const { args, error, denied } = written;
  const tell = (line: string): void => tellPerson(streams, line);
  if (args.output !== "text") {
    const isTold = result.status === "failed" && error === null;
    const words = [result.result, ...(isTold && denied !== null ? [denied] : [])].filter((text) => text !== "");
    streams.stdout.write(`${JSON.stringify({ ...result, result: words.join("\n\n") })}\n`);
    return;
  }
  if (error !== null) tell(error);
  else if (result.status === "plan_ready" && result.plan !== null) writePlan(result, written, streams);
  else {
    if (result.result !== "") streams.stdout.write(`${result.result.trimEnd()}\n`);
    if (result.plan?.status === "draft" && result.mode === "plan") tell(draftText(result));
    if (denied !== null) tell(denied);
  }
  if (result.status === "interrupted" && args.teammate !== null) tell(`to go on: ${again(args.teammate, result)}`);
  if (result.status === "limit") tell("the limit of turns was reached.");
}

function writePlan({ plan, sessionId, questions }: RunResult, written: Written, streams: Streams): void {
  const { args, isScout, workingMode } = written;
  const tell = (line: string): void => tellPerson(streams, line);
  if (plan === null) return;
  streams.stdout.write(`${makeVisible(plan.text).trimEnd()}\n\nPlan: ${plan.path}\nHash: ${plan.hash}\n`);
  if (hasHidden(plan.text)) tell("the plan holds hidden characters; they are shown as escapes.");
  if (questions.length > 0) tell(questionsText(questions, sessionId));
  if (args.teammate !== null) {
    tell(`not approved. To ask the lead again: ${again(args.teammate, { sessionId })} continue`);
    return;
  }
  const mode = workingMode === "auto" ? "auto" : "acceptEdits";
  const how = `${programName()} -p --resume ${sessionId} --approve ${plan.hash} --permission-mode ${mode}`;
  tell(`not approved. To approve exactly this plan: ${how}`);
  if (isScout) scoutHints(sessionId).forEach(tell);
}

function draftText({ plan, sessionId }: RunResult): string {
  const how = `${programName()} -p --resume ${sessionId} "…"`;
  return `still in plan mode; the plan is a draft, not submitted: ${plan?.path ?? ""}. To go on: ${how}`;
}

function again({ name }: TeammateWish, { sessionId }: Pick<RunResult, "sessionId">): string {
  return `${programName()} team start ${name} --resume ${sessionId}`;
}

/** Scout plans and does not code: how the work goes on from here. */
function scoutHints(id: string): readonly string[] {
  const keys = providers.map(({ keyVariable }) => `${keyVariable}=…`).join(", ");
  return [
    `with a key before it (${keys}) a model then carries the plan out`,
    `to change it: ${programName()} -p --resume ${id} "leave out …" (or: add …, only …, without tests)`,
  ];
}
