/** Another program drives the session by lines on stdin: words, answers, verdicts, modes. */
import type { Readable } from "node:stream";
import type { AnswerDesk } from "../../agent/answers/persons.ts";
import { carryOut, commandProblem, type Say } from "../../agent/loop/line-command.ts";
import { readLines } from "../../agent/host/read-lines.ts";
import { settled, type SendRefused } from "../../agent/ports/handle.ts";
import { verdictOf } from "../../core/verdict.ts";
import { elsewhere } from "./headless-command.ts";
import type { HeadlessLink } from "./link.ts";
import { parseInputLine, type InputLine } from "./input-lines.ts";

export interface DriveRequest {
  readonly composed: HeadlessLink;
  readonly desk: AnswerDesk;
  readonly input: Readable;
  readonly prompt: string | null;
  readonly complain: (line: string) => void;
  /** For the driving program, which may read nothing but stdout. */
  readonly emit: (event: object) => void;
  /** The run was stopped: whatever may still come on stdin is not waited for. */
  readonly signal: AbortSignal;
}

/** Ends when stdin has ended and nothing is under way; what still waits then is answered as by nobody (B4.4). */
export async function drive(request: DriveRequest): Promise<void> {
  const { composed, desk, input, prompt, complain, emit, signal } = request;
  const refuse = (event: string, reason: string, where: string): void => {
    complain(`${where}: ${reason.replace(/\.$/, "")}; ignored.`);
    emit({ type: "refused", event, reason });
  };
  if (prompt !== null) {
    const problem = await say(prompt, request);
    if (problem !== null) refuse("user", problem, "prompt");
  }
  let number = 0;
  for await (const text of readLines(input, { signal, complain })) {
    number += 1;
    const where = `stdin line ${number}`;
    if (text === null) {
      refuse("line", "this line is longer than 16 MiB", where);
      continue;
    }
    if (text.trim() === "") continue;
    const line = parseInputLine(text);
    if ("problem" in line) refuse("line", line.problem, where);
    else if (line.type === "user") {
      const problem = await say(line.text, request);
      if (problem !== null) refuse(line.type, problem, where);
    } else {
      const refused = await answer(line, request);
      if (refused?.reason === "unknown-request") refuse(line.type, "nothing waits for that answer", where);
      else if (refused !== null) complain(`${where}: ${refusals[refused.reason] ?? refused.reason}; ignored.`);
    }
  }
  desk.leave();
  await settled(composed);
}

/** Words to the model, or a command; what is wrong with it, else null. A command is answered when it has been carried out. */
async function say(text: string, { composed, emit }: DriveRequest): Promise<string | null> {
  const problem = text.trim() === "" ? "there are no words in it" : commandProblem(text, elsewhere);
  if (problem !== null) return problem;
  const tellModel: Say = (words) => composed.handle.send({ type: "user-said", text: words });
  const carried = await carryOut(text, { session: composed, elsewhere }, tellModel);
  if (carried === null) return (await tellModel(text))?.reason ?? null;
  if (carried.refusal !== null) return carried.refusal;
  if (!carried.isTask) {
    const command = text.trim();
    void carried.done.then((problem) => {
      if (problem === null) emit({ type: "command.answered", command, text: carried.said() });
      else emit({ type: "refused", event: "user", reason: `${command}: ${problem}` });
    });
  }
  return null;
}

/** Why an answer does not count: the session itself tells it in the stream. */
const refusals: Readonly<Record<string, string>> = {
  "other-hash": "the plan that waits has another hash, nothing was approved",
  "mode-not-available": "that mode is not available here, nothing was approved",
  "already-answered": "it was answered before",
  "foreign-answer": "it answers what was not asked",
};

/** Why the line does not count, else null. */
async function answer(
  line: Exclude<InputLine, { type: "user" }>,
  { composed: { handle, agents }, desk }: DriveRequest,
): Promise<SendRefused | null> {
  switch (line.type) {
    case "mode":
      await handle.send({ type: "mode-chosen", mode: line.mode });
      return null;
    case "interrupt":
      if (line.agent !== undefined) return agents.cancel(line.agent) ? null : { reason: "unknown-request" };
      await handle.send({ type: "turn-cancelled" });
      return null;
    case "permission": {
      const { id, allow, reason, stop, for: scope = "once" } = line;
      const words = reason === undefined ? {} : { reason };
      if (!allow) return desk.permitted(id, { allowed: false, ...words, ...(stop === true ? { stop } : {}) });
      return desk.permitted(id, { allowed: true, ...words }, scope);
    }
    case "question": {
      const { id, answers } = line;
      return desk.answered(id, answers === null ? { status: "declined" } : { status: "answered", answers });
    }
    case "verdict": {
      const { kind } = line;
      const words = kind === "approve-fresh" ? { ...line, kind: "approve" as const, fresh: true } : { ...line, kind };
      return desk.decide(line.id, verdictOf(words));
    }
  }
}
