/** Another program drives the session by lines on stdin: words, answers, verdicts, modes. */
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { AnswerDesk } from "../agent/persons.ts";
import type { Verdict } from "../core/review.ts";
import type { Composed } from "./compose.ts";
import { parseInputLine, type InputLine } from "./input-lines.ts";

export interface DriveRequest {
  readonly composed: Composed;
  readonly desk: AnswerDesk;
  readonly input: Readable;
  readonly prompt: string | null;
  readonly complain: (line: string) => void;
}

/** Ends when stdin has ended and nothing is under way; what still waits then is answered as by nobody (B4.4). */
export async function drive({ composed, desk, input, prompt, complain }: DriveRequest): Promise<void> {
  if (prompt !== null) await composed.handle.send({ type: "user-said", text: prompt });
  const lines = createInterface({ input, crlfDelay: Infinity });
  let number = 0;
  for await (const text of lines) {
    number += 1;
    if (text.trim() === "") continue;
    const line = parseInputLine(text);
    if ("problem" in line) complain(`stdin line ${number}: ${line.problem}; ignored.`);
    else if (!(await take(line, composed, desk)))
      complain(`stdin line ${number}: nothing waits for that answer; ignored.`);
  }
  desk.leave();
  await settled(composed);
}

/** Nothing is under way any more, also not in a session that an approved plan went on in. */
export async function settled(composed: Composed): Promise<void> {
  for (;;) {
    const { handle } = composed;
    await handle.settled();
    if (handle === composed.handle) return;
  }
}

/** False when the line answers nothing. */
async function take(line: InputLine, { handle, agents }: Composed, desk: AnswerDesk): Promise<boolean> {
  switch (line.type) {
    case "user":
      await handle.send({ type: "user-said", text: line.text });
      return true;
    case "mode":
      await handle.send({ type: "mode-chosen", mode: line.mode });
      return true;
    case "interrupt":
      if (line.agent !== undefined) return agents.cancel(line.agent);
      await handle.send({ type: "turn-cancelled" });
      return true;
    case "permission":
      return desk.permitted(line.id, {
        allowed: line.allow,
        ...(line.reason === undefined ? {} : { reason: line.reason }),
      });
    case "question":
      return desk.answered(
        line.id,
        line.answers === null ? { status: "declined" } : { status: "answered", answers: line.answers },
      );
    case "verdict":
      return desk.decide(line.id, verdictOf(line));
  }
}

function verdictOf(line: Extract<InputLine, { type: "verdict" }>): Verdict {
  const { kind, hash, mode, feedback = "", comments, plan, fresh } = line;
  if (kind === "approve") {
    return {
      kind,
      hash,
      ...(mode === undefined ? {} : { mode }),
      ...(plan === undefined ? {} : { plan }),
      ...(feedback === "" ? {} : { notes: feedback }),
      ...(fresh === undefined ? {} : { fresh }),
    };
  }
  if (kind === "revise") return { kind, feedback, ...(comments === undefined ? {} : { comments }) };
  return { kind };
}
