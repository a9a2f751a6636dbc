/** Another program drives the session by lines on stdin: words, answers, verdicts, modes. */
import type { Readable } from "node:stream";
import type { AnswerDesk } from "../../agent/answers/persons.ts";
import type { SendRefused } from "../../agent/ports/handle.ts";
import { verdictOf } from "../../core/verdict.ts";
import { carryOut, commandProblem } from "./headless-command.ts";
import { settled, type HeadlessLink } from "./link.ts";
import { parseInputLine, readLines, type InputLine } from "./input-lines.ts";

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
    complain(`${where}: ${reason}; ignored.`);
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
    const problem = "problem" in line ? line.problem : await take(line, request);
    if (problem !== null) refuse("problem" in line ? "line" : line.type, problem, where);
  }
  desk.leave();
  await settled(composed);
}

/** Words to the model, or a command; what is wrong with it, else null. A command is answered when it has been carried out. */
async function say(text: string, { composed, emit }: DriveRequest): Promise<string | null> {
  const problem = commandProblem(text);
  if (problem !== null) return problem;
  const carried = await carryOut(text, composed);
  if (carried === null) await composed.handle.send({ type: "user-said", text });
  else if (carried.refusal !== null) return carried.refusal;
  else if (!carried.isTask) {
    const command = text.trim();
    void carried.done.then((problem) => {
      if (problem === null) emit({ type: "command.answered", command, text: carried.said() });
      else emit({ type: "refused", event: "user", reason: `${command}: ${problem}` });
    });
  }
  return null;
}

/** What is wrong with the line, else null. */
async function take(line: InputLine, request: DriveRequest): Promise<string | null> {
  const { composed, desk } = request;
  switch (line.type) {
    case "user":
      return say(line.text, request);
    case "mode":
      await composed.handle.send({ type: "mode-chosen", mode: line.mode });
      return null;
    case "interrupt":
      if (line.agent !== undefined) return composed.agents.cancel(line.agent) ? null : notAwaited;
      await composed.handle.send({ type: "turn-cancelled" });
      return null;
    case "permission": {
      const reason = line.reason === undefined ? {} : { reason: line.reason };
      return problemOf(await desk.permitted(line.id, { allowed: line.allow, ...reason }));
    }
    case "question": {
      const { id, answers } = line;
      return problemOf(
        await desk.answered(id, answers === null ? { status: "declined" } : { status: "answered", answers }),
      );
    }
    case "verdict":
      return problemOf(await desk.decide(line.id, verdictOf(line)));
  }
}

const notAwaited = "nothing waits for that answer";

/** What the session itself refuses, it tells itself. */
function problemOf(refused: SendRefused | null): string | null {
  return refused?.reason === "unknown-request" ? notAwaited : null;
}
